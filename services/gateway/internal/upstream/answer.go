package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
)

// answerHeaders are the headers of a service's answer that a client gets. The gateway writes the others itself.
var answerHeaders = []string{"Content-Type", "Content-Length", "Content-Language", "Retry-After", "Idempotent-Replayed"}

// answerWriter passes the service's answer on. Status and the headers that are ours to show go with the first byte of the body, so that
// an answer that breaks off before it can still be turned into a refusal.
type answerWriter struct {
	client   http.ResponseWriter
	answered func(http.Header) // may be nil
	response *http.Response
	begun    bool
}

// pass writes a part of the body.
func (a *answerWriter) pass(body []byte) error {
	if len(body) == 0 {
		return nil
	}
	if !a.begun {
		a.begin()
	}
	_, err := a.client.Write(body)
	return err
}

// begin passes status and headers on.
func (a *answerWriter) begin() {
	a.begun = true
	if a.answered != nil {
		a.answered(a.response.Header)
	}
	shown := a.client.Header()
	for _, name := range answerHeaders {
		if values, ok := a.response.Header[name]; ok {
			shown[name] = values
		}
	}
	a.client.WriteHeader(a.response.StatusCode)
}

// flush lets an answer of unknown length reach the client as it comes.
func (a *answerWriter) flush() {
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
