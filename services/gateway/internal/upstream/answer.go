package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
)

// answerHeaders are the headers of a service's answer that a client gets. The gateway writes the others itself.
var answerHeaders = []string{"Content-Type", "Content-Length", "Content-Language", "Retry-After", "Idempotent-Replayed"}

// answerWriter is what the proxy writes the service's answer to. The proxy's headers go into a map of its own, and those
// that are ours to show are moved over with the first byte of the body: informational answers and trailers never reach
// the client, and an answer that breaks off before its first byte can still be turned into a refusal.
type answerWriter struct {
	client   http.ResponseWriter
	answered func(http.Header) // may be nil
	header   http.Header
	status   int
	begun    bool
}

func newAnswerWriter(client http.ResponseWriter, answered func(http.Header)) *answerWriter {
	return &answerWriter{client: client, answered: answered, header: make(http.Header, 8)}
}

// Header implements http.ResponseWriter.
func (a *answerWriter) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter. Informational statuses end here.
func (a *answerWriter) WriteHeader(status int) {
	if status >= http.StatusOK {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answerWriter) Write(body []byte) (int, error) {
	if len(body) == 0 {
		return 0, nil
	}
	if !a.begun {
		a.begin()
	}
	return a.client.Write(body)
}

// begin passes status and headers on.
func (a *answerWriter) begin() {
	a.begun = true
	if a.answered != nil {
		a.answered(a.header)
	}
	shown := a.client.Header()
	for _, name := range answerHeaders {
		if values, ok := a.header[name]; ok {
			shown[name] = values
		}
	}
	a.client.WriteHeader(a.status)
}

// Flush implements http.Flusher, so that an answer of unknown length reaches the client as it comes.
func (a *answerWriter) Flush() {
	if a.begun {
		_ = http.NewResponseController(a.client).Flush() // a client that cannot be flushed gets it at the end
	}
}

// holder is what an answer is held back in.
type holder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (h *holder) Header() http.Header { return h.header }

// WriteHeader implements http.ResponseWriter. Room is made for the body that was announced.
func (h *holder) WriteHeader(status int) {
	h.status = status
	if length, err := strconv.Atoi(h.header.Get("Content-Length")); err == nil && length > 0 {
		h.body.Grow(min(length, copyBytes))
	}
}

// Write implements http.ResponseWriter.
func (h *holder) Write(part []byte) (int, error) { return h.body.Write(part) }

// errNotAnAnswer is the cause of a 502 whose bytes were sound HTTP.
var errNotAnAnswer = errors.New("not an answer of the service")

// checkAnswer refuses what cannot be the envelope of a service of ours: another media type, no body, a redirect, an
// encoding that was not asked for, and 401, by which a service says that it does not accept our own signature.
func checkAnswer(res *http.Response) error {
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case err != nil || media != "application/json":
		return fmt.Errorf("%w: status %d, not JSON", errNotAnAnswer, res.StatusCode)
	case res.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%w: it does not accept the signed principal", errNotAnAnswer)
	case res.StatusCode < 200 || res.StatusCode > 599 || res.StatusCode/100 == 3:
		return fmt.Errorf("%w: status %d", errNotAnAnswer, res.StatusCode)
	case res.ContentLength == 0 || len(res.Header["Content-Encoding"]) > 0:
		return fmt.Errorf("%w: status %d, empty or encoded", errNotAnAnswer, res.StatusCode)
	default:
		return nil
	}
}

// watchedBody remembers why reading a service's answer ended early.
type watchedBody struct {
	io.ReadCloser
	failed *error
}

// Read implements io.Reader.
func (b *watchedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		*b.failed = err
	}
	return n, err
}
