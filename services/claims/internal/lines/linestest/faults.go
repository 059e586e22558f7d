package linestest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
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

// Any stands for every procedure.
const Any = ""

// Once is a fault of the first call only.
func Once(fault Fault) func(int) Fault {
	return func(call int) Fault {
		if call == 1 {
			return fault
		}
		return Fault{}
	}
}

// Always is a fault of every call.
func Always(fault Fault) func(int) Fault { return func(int) Fault { return fault } }

// Faults decides what goes wrong with calls. The zero value lets everything go well; it is safe for concurrent use.
type Faults struct {
	lock   sync.Mutex
	calls  map[string]int
	faults map[string]func(call int) Fault
}

// Fail lets calls of a procedure ([Any] for all) fail from now on: fault gets the number of the call, from 1. nil ends it.
func (f *Faults) Fail(procedure string, fault func(call int) Fault) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.calls = map[string]int{}
	if f.faults == nil {
		f.faults = map[string]func(int) Fault{}
	}
	f.faults[procedure] = fault
}

// Calls returns how often each procedure was called since the last Fail.
func (f *Faults) Calls() map[string]int {
	f.lock.Lock()
	defer f.lock.Unlock()
	return maps.Clone(f.calls)
}

// around lets calls of a handler go wrong.
func (f *Faults) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fault := f.next(path.Base(r.URL.Path))
		body, err := io.ReadAll(r.Body)
		if err != nil || fault.Unreachable {
			panic(http.ErrAbortHandler)
		}
		if fault.Before != nil {
			fault.Before()
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

// next counts a call and tells what is to happen to it.
func (f *Faults) next(procedure string) Fault {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[procedure]++
	for _, name := range []string{procedure, Any} {
		if fault := f.faults[name]; fault != nil {
			return fault(f.calls[procedure])
		}
	}
	return Fault{}
}
