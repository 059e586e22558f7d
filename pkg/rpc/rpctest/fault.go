// Package rpctest injects faults into calls between processes, for tests. It wraps the called handler, or a proxy to it, and
// does not depend on the content of the calls.
package rpctest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
)

// Fault is the fault of one call. The zero value is no fault.
type Fault struct {
	// Before is the delay before the call is performed, After the delay between that and the response.
	Before, After func()
	// Unreachable closes the connection without performing the call.
	Unreachable bool
	// Drop performs the call and closes the connection instead of answering.
	Drop bool
	// Twice performs the call twice, as after a retransmission.
	Twice bool
}

// Around injects faults into the calls of a handler: decide returns the fault of each call, given its body.
func Around(next http.Handler, decide func(r *http.Request, body []byte) Fault) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		fault := decide(r, body)
		if fault.Before != nil {
			fault.Before()
		}
		if fault.Unreachable {
			panic(http.ErrAbortHandler)
		}
		answer := perform(next, r, body)
		if fault.Twice {
			answer = perform(next, r, body)
		}
		if fault.After != nil {
			fault.After()
		}
		if fault.Drop {
			panic(http.ErrAbortHandler)
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

func perform(next http.Handler, r *http.Request, body []byte) *httptest.ResponseRecorder {
	recorder, again := httptest.NewRecorder(), r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(recorder, again)
	return recorder
}
