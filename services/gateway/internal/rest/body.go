package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

// pace is the minimum speed of a body: on average paceBytes per second once after has passed, and complete within max.
type pace struct {
	after, max time.Duration
}

const (
	paceBytes = 16 << 10
	paceAfter = 2 * time.Second
	// maxBodyTime leaves half of maxCallTime for what follows the body.
	maxBodyTime = 15 * time.Second
)

// incoming is the body of a request. Nothing of it is read before the handler asks for it.
type incoming struct {
	reader    io.Reader
	announced int64                 // in bytes; -1: not known
	deadline  func(time.Time) error // sets the read deadline; the zero time means none
	keep      func()                // allows the connection to be reused for another request

	whole bool // it was read to its end
}

// incomingKey is the context key of a request's incoming.
type incomingKey struct{}

// incomingOf returns the body of a request; nil if it has none.
func incomingOf(ctx context.Context) *incoming {
	body, _ := ctx.Value(incomingKey{}).(*incoming)
	return body
}

// large reports whether the body may have more than smallBytes.
func (b *incoming) large() bool { return b.announced < 0 || b.announced > smallBytes }

// read reads the body. Errors: those of readAll.
func (b *incoming) read(limit int64, pace pace) ([]byte, error) {
	read, err := readAll(b.paced(pace), b.announced, limit)
	if err == nil {
		b.whole = true
		_ = b.deadline(time.Time{}) // otherwise net/http closes the connection when it passes
		b.keep()
	}
	return read, err
}

// paced returns a reader of the body that fails with os.ErrDeadlineExceeded when the body falls behind the pace, which starts
// now.
func (b *incoming) paced(pace pace) io.Reader {
	return &pacedReader{body: b, pace: pace, began: time.Now()}
}

type pacedReader struct {
	body  *incoming
	pace  pace
	began time.Time
	came  int64 // in bytes
}

// Read implements io.Reader.
func (p *pacedReader) Read(buffer []byte) (int, error) {
	due := min(max(p.pace.after, time.Duration(p.came)*time.Second/paceBytes), p.pace.max)
	_ = p.body.deadline(p.began.Add(due)) // a connection of the server has deadlines
	n, err := p.body.reader.Read(buffer)
	p.came += int64(n)
	return n, err
}

// readAll returns the whole body. Errors: BodyTooLarge, BodyTooSlow, VALIDATION_ERROR for a body that ended early.
func readAll(reader io.Reader, announced, limit int64) ([]byte, error) {
	body, err := web.ReadAll(reader, announced, limit)
	switch {
	case err == nil || errors.Is(err, apierr.BodyTooLarge):
		return body, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, apierr.BodyTooSlow.Because(err)
	default:
		return nil, apierr.Invalid(apierr.Problem("body", apierr.FieldSyntax, apierr.Incomplete)).Because(err)
	}
}

// replaceBody replaces the body of the request by one of known length without the original's trailers. So a slow client holds no
// connection to a service, a truncated body reaches no service, and an inner request of which nothing was sent can be
// retried.
func replaceBody(r *http.Request, body []byte) {
	r.ContentLength, r.TransferEncoding, r.Trailer = int64(len(body)), nil, nil
	if len(body) == 0 {
		r.Body, r.GetBody = http.NoBody, nil
		return
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
}
