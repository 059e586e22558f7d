// Package rpctest lets calls between processes go wrong on their way, for tests. It stands in front of the called handler, or
// of a proxy that leads to it, and knows nothing of what the calls mean.
package rpctest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
)

// Fault is what goes wrong with one call. The zero value is a call that goes well.
type Fault struct {
	// Before is waited for before the call is carried out, After between that and the answer.
	Before, After func()
	// Unreachable breaks the connection without carrying the call out.
	Unreachable bool
	// Drop carries the call out and breaks the connection instead of answering.
	Drop bool
	// Twice carries the call out twice, as a network may that repeats what it is given.
	Twice bool
}

// Around lets calls of a handler go wrong: decide is told each call with its body and says how.
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

// perform carries a call out and keeps its answer.
func perform(next http.Handler, r *http.Request, body []byte) *httptest.ResponseRecorder {
	recorder, again := httptest.NewRecorder(), r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(recorder, again)
	return recorder
}
