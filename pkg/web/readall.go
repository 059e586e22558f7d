package web

import (
	"bytes"
	"io"

	"sellerapi.dev/pkg/apierr"
)

// trustedBytes is how much of an announced length is allocated before any of it has arrived, and usualBody how much has to
// arrive before all of it is. In between the buffer doubles. Growing to 4 MiB by doubling alone would allocate that twice.
const trustedBytes = 64 << 10

// TooLarge returns the refusal of a body of more than limit bytes, which says how many are allowed.
func TooLarge(limit int64) error { return apierr.BodyTooLarge.With(map[string]any{"max_bytes": limit}) }

// ReadAll reads a body of an announced length in bytes; -1: unknown. It allocates little for what has not arrived, because
// announcing a length costs the sender nothing. Errors: BodyTooLarge for more than limit bytes, and those of the reader but
// io.EOF.
func ReadAll(reader io.Reader, announced, limit int64) ([]byte, error) {
	maxBytes := limit + 1
	if announced >= 0 {
		maxBytes = min(maxBytes, announced)
	}
	body := make([]byte, 0, min(maxBytes, trustedBytes))
	for {
		if len(body) == cap(body) {
			body = append(make([]byte, 0, grown(int64(cap(body)), announced, maxBytes)), body...)
		}
		n, err := reader.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, TooLarge(limit)
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, err
		}
	}
}

// grown returns the next capacity of a full buffer, which has room for the byte that tells a body of maxBytes from a longer one.
func grown(full, announced, maxBytes int64) int64 {
	if announced >= 0 && full >= usualBody {
		return maxBytes + 1
	}
	return min(max(2*full, bytes.MinRead), maxBytes+1)
}
