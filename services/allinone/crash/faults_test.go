package crash

import (
	"slices"
	"testing"

	"sellerapi.dev/pkg/rpc/rpctest"
)

// fault is what happens at a call. The call is held first: before it is executed, or between its execution and its response.
type fault struct {
	name string
	// after holds the call after its execution instead of before it.
	after bool
	// repeated lets the client retry while the call is held.
	repeated bool
	// lost drops the call's response without a crash, twice executes the call twice.
	lost, twice bool
	// dies are the services that are killed while the call is held. A call fails when the process that made it or the one that was
	// called dies.
	dies []string
}

var (
	onlyClaims = []string{claimsService}
	onlyOrders = []string{ordersService}
	both       = []string{ordersService, claimsService}
)

// faults are all faults that are injected at every call of every action, by which services die. Each list runs on a system of its
// own.
var faults = map[string][]fault{
	"no crash": {
		{name: "the request is lost", lost: true},
		{name: "the response is lost", after: true, lost: true},
		{name: "the call is executed twice", after: true, twice: true},
		{name: "the client retries meanwhile", after: true, repeated: true},
	},
	"claims crashes": {
		{name: "before the call", dies: onlyClaims},
		{name: "before the response", after: true, dies: onlyClaims},
		{name: "before the response, after a retry of the client", after: true, repeated: true, dies: onlyClaims},
	},
	"orders crashes": {{name: "before the call", dies: onlyOrders}, {name: "before the response", after: true, dies: onlyOrders}},
	"both crash":     {{name: "before the call", dies: both}, {name: "before the response", after: true, dies: both}},
}

// of returns the fault to apply to a call of a service. stop holds the call.
func (f *fault) of(called string, stop func()) rpctest.Fault {
	broken := f.lost || slices.Contains(f.dies, claimsService) || slices.Contains(f.dies, called)
	if f.after {
		return rpctest.Fault{Twice: f.twice, After: stop, Drop: broken}
	}
	return rpctest.Fault{Before: stop, Unreachable: broken}
}

// Whichever fault occurs at whichever call of whichever action: the client gets one answer, everything happens once, claim and
// order agree at every glance, also while a process is dead and restarts, and claim, order and money agree in the end.
func TestClaim_faultAtEveryCall(t *testing.T) {
	t.Parallel()
	database := migrated(t)
	for name, list := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSystem(t, database(t))
			var trials []*trial
			for i := range list {
				trials = append(trials, everyCall(&list[i])...)
			}
			s.prepare(trials)
			seen := s.watch(trials)
			for i := range list {
				s.inject(&list[i], trials)
			}
			s.settle(trials)
			seen.end()
			s.requireEnd(t, trials)
		})
	}
}
