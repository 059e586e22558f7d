package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
)

// answerHeaders are the headers of a service's answer that are passed to the client. The gateway sets all others.
var answerHeaders = []string{"Content-Type", "Content-Length", "Content-Language", "Retry-After", "Idempotent-Replayed"}

// answerWriter passes the service's answer on. Status and headers are sent with the first byte of the body, so that an answer
// that breaks off before that can still be turned into a refusal.
type answerWriter struct {
	client   http.ResponseWriter
	answered func(http.Header) // may be nil
	refused  func([]byte)      // may be nil
	response *http.Response
	begun    bool
}

// pass writes a part of the body. If it is to be flushed, the client gets it at once.
func (a *answerWriter) pass(body []byte, flush bool) error {
	if len(body) == 0 {
		return nil
	}
	if !a.begun {
		a.begin()
	}
	if a.refused != nil && a.response.StatusCode >= http.StatusBadRequest {
		a.refused(body)
	}
	_, err := a.client.Write(body)
	if err == nil && flush {
		_ = http.NewResponseController(a.client).Flush() // without support for Flush the client gets it at the end
	}
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

type holder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (h *holder) Header() http.Header { return h.header }

// WriteHeader implements http.ResponseWriter. It allocates the announced length of the body.
func (h *holder) WriteHeader(status int) {
	h.status = status
	if length, err := strconv.Atoi(h.header.Get("Content-Length")); err == nil && length > 0 {
		h.body.Grow(min(length, copyBytes))
	}
}

// Write implements http.ResponseWriter.
func (h *holder) Write(part []byte) (int, error) { return h.body.Write(part) }

// errNotAnAnswer is the cause of a 502 for a valid HTTP response that is not a service's answer.
var errNotAnAnswer = errors.New("not a response of the service")

// checkAnswer refuses what cannot be the envelope of a service: another media type, no body, a redirect, an unrequested encoding,
// and 401, with which a service rejects the gateway's own signature.
func checkAnswer(res *http.Response) error {
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case err != nil || media != "application/json":
		return fmt.Errorf("%w: status %d, not JSON", errNotAnAnswer, res.StatusCode)
	case res.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%w: the signed principal was not accepted", errNotAnAnswer)
	case res.StatusCode < 200 || res.StatusCode > 599 || res.StatusCode/100 == 3:
		return fmt.Errorf("%w: status %d", errNotAnAnswer, res.StatusCode)
	case res.ContentLength == 0 || len(res.Header["Content-Encoding"]) > 0:
		return fmt.Errorf("%w: status %d, empty or encoded", errNotAnAnswer, res.StatusCode)
	default:
		return nil
	}
}
