package rest

import (
	"bytes"
	"io"
	"net/http"

	"sellerapi.dev/pkg/apierr"
)

// trustedBytes is how much room is made for a body because its length was announced; for more, it has to come.
const trustedBytes = 64 << 10

// drainBytes is how much of a body that nobody wanted is read and thrown away.
const drainBytes = 16 << 20

// drained takes what is left of a request's body off the wire once it is answered: a client whose connection is closed
// while it still sends sees a reset, and not the answer. One that waits to be asked for its body has not sent it.
func drained(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body // handlers put another one in its place
		next.ServeHTTP(w, r)
		if r.ContentLength != 0 && r.Header.Get("Expect") == "" {
			_, _ = io.CopyN(io.Discard, body, drainBytes) // whether or not it comes to its end
		}
	})
}

// holdBody takes the whole body off the wire, at most limit bytes, puts it back as one that is at hand, and returns it. A
// slow client then holds no connection to a service, a body that is cut short reaches none, and an inner request of
// which nothing was sent can be sent again. With limit 0 the body is not read at all: reads have none. Errors: those of
// readBody.
func holdBody(r *http.Request, limit int64) ([]byte, error) {
	body, err := readBody(r, limit)
	if err != nil {
		return nil, err
	}
	replaceBody(r, body)
	return body, nil
}

// readBody returns the body. Errors: BodyTooLarge, VALIDATION_ERROR for one that ended early.
func readBody(r *http.Request, limit int64) ([]byte, error) {
	if limit == 0 || r.ContentLength == 0 {
		return nil, nil
	}
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), trustedBytes)) + bytes.MinRead)
	if r.ContentLength <= limit {
		if _, err := body.ReadFrom(io.LimitReader(r.Body, limit+1)); err != nil {
			return nil, apierr.Invalid(apierr.FieldError{
				Field: "body", Code: apierr.FieldSyntax, Message: "did not arrive completely",
			}).Because(err)
		}
	}
	if r.ContentLength > limit || int64(body.Len()) > limit {
		return nil, apierr.BodyTooLarge
	}
	return body.Bytes(), nil
}

// replaceBody makes the request carry body, of known length and without the trailers that came after the old one.
func replaceBody(r *http.Request, body []byte) {
	r.ContentLength, r.TransferEncoding, r.Trailer = int64(len(body)), nil, nil
	if len(body) == 0 {
		r.Body, r.GetBody = http.NoBody, nil
		return
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
}
