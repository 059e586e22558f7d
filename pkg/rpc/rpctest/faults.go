package rpctest

import (
	"maps"
	"net/http"
	"path"
	"sync"
)

// Any matches every procedure.
const Any = ""

// Once returns a fault of the first call only.
func Once(fault Fault) func(int) Fault {
	return func(call int) Fault {
		if call == 1 {
			return fault
		}
		return Fault{}
	}
}

// Always returns a fault of every call.
func Always(fault Fault) func(int) Fault { return func(int) Fault { return fault } }

// Faults injects faults into the calls of procedures. The zero value injects none; it is safe for concurrent use.
type Faults struct {
	lock   sync.Mutex
	calls  map[string]int
	faults map[string]func(call int) Fault
}

// Fail makes calls of a procedure ([Any] for all) fail from now on: fault gets the number of the call, from 1. nil ends it.
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

// Around injects the faults into the calls of a handler.
func (f *Faults) Around(next http.Handler) http.Handler {
	return Around(next, func(r *http.Request, _ []byte) Fault { return f.next(path.Base(r.URL.Path)) })
}

// next counts a call and returns its fault.
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
