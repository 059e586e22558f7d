package crash

import (
	"slices"
	"testing"

	"sellerapi.dev/pkg/rpc/rpctest"
)

// fault is what happens at a call. The call is held first: before it is executed, or between its execution and its response.
type fault struct {
	// name is short, because it is a part of the names of tests.
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
	"none": {
		{name: "request lost", lost: true},
		{name: "reply lost", after: true, lost: true},
		{name: "twice", after: true, twice: true},
		{name: "retried", after: true, repeated: true},
	},
	"claims": {
		{name: "before", dies: onlyClaims},
		{name: "after", after: true, dies: onlyClaims},
		{name: "retried", after: true, repeated: true, dies: onlyClaims},
	},
	"orders": {{name: "before", dies: onlyOrders}, {name: "after", after: true, dies: onlyOrders}},
	"both":   {{name: "before", dies: both}, {name: "after", after: true, dies: both}},
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
// order agree at every glance, also while a process is dead and restarts, and claim, order and money agree in the end. A case is
// named by the services that crash, the action, the call and the fault.
func TestFaults(t *testing.T) {
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
