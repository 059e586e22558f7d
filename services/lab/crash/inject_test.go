package crash

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
)

// injecting lets only one system at a time hold calls, which keeps the time that they are held short.
var injecting sync.Mutex

// inject applies a fault to all trials that have it and requires that recovery is fast.
func (s *system) inject(f *fault, all []*trial) {
	s.t.Helper()
	trials := slices.DeleteFunc(slices.Clone(all), func(tr *trial) bool { return tr.fault != f })
	s.fail(f, trials)
	began := time.Now()
	s.requireRecovery(trials)
	s.t.Logf("%s: nothing is left to do after %s", f.name, time.Since(began))
}

// requireRecovery checks that every pending step is done within recovery, although no client has retried.
func (s *system) requireRecovery(trials []*trial) {
	s.t.Helper()
	numbers := make([]string, 0, 2*len(trials))
	for _, tr := range trials {
		numbers = append(numbers, tr.no, tr.successor)
	}
	const pending = "select coalesce(string_agg(claim_no || ' ' || name, ', '), '') from claims.steps where claim_no = any ($1)"
	var steps string
	within(s.t, recovery, func() bool {
		steps = one[string](s.t, s, pending, numbers)
		return steps == ""
	}, func() string {
		return fmt.Sprintf("pending steps are done within %s after the last fault, but not these: %s", recovery, steps)
	})
}

// fail lets the clients of trials request their actions, holds each at its call until all are held, and lets the fault
// happen. It returns when every client has a response or a broken connection and the services run again.
func (s *system) fail(f *fault, trials []*trial) {
	s.t.Helper()
	injecting.Lock()
	defer injecting.Unlock()
	open, breakpoints := make(chan struct{}), make([]*breakpoint, len(trials))
	for i, tr := range trials {
		breakpoints[i] = &breakpoint{call: tr.call, fault: f, open: open, reached: make(chan struct{})}
		s.proxy.arm(breakpoints[i], tr.no, tr.successor)
	}
	var asked sync.WaitGroup
	for _, tr := range trials {
		asked.Go(func() { s.ask(tr, s.base) })
	}
	s.awaitBreakpoints(breakpoints, trials)
	if f.repeated {
		s.askAgain(trials)
	}
	s.kill(f.dies...)
	close(open)
	asked.Wait()
	if slices.Equal(f.dies, onlyOrders) {
		s.awaitFailedTries(trials)
	}
	s.start(f.dies...)
}

// awaitFailedTries waits until claims has tried, and failed, to carry on every claim that needs orders while orders is
// down.
func (s *system) awaitFailedTries(trials []*trial) {
	s.t.Helper()
	s.proxy.forget()
	for _, tr := range trials {
		const waits = "select exists (select claim_no from claims.steps where claim_no in ($1, $2))"
		eventually(s.t, func() bool {
			return len(s.proxy.calls(tr.no, tr.successor)) > 0 || !one[bool](s.t, s, waits, tr.no, tr.successor)
		}, func() string { return tr.name() + " is not carried on" })
	}
}

// awaitBreakpoints waits until every trial is held at its call.
func (s *system) awaitBreakpoints(breakpoints []*breakpoint, trials []*trial) {
	s.t.Helper()
	late := time.After(timeout)
	for i, held := range breakpoints {
		select {
		case <-held.reached:
		case <-late:
			require.FailNow(s.t, "does not come to its call", "%s: %v", trials[i].name(), trials[i].heard)
		}
	}
}

// askAgain lets every client retry once, past the proxy.
func (s *system) askAgain(trials []*trial) {
	var asked sync.WaitGroup
	for _, tr := range trials {
		asked.Go(func() { s.ask(tr, "http://"+s.processes[claimsService].Address(tr.listener())) })
	}
	asked.Wait()
}

// listener returns the listener of claims that accepts the action of a trial.
func (tr *trial) listener() string {
	if tr.isSellers() {
		return "public"
	}
	return "rpc"
}

// retryUntilSuccess lets every client that has no success retry until it has one.
func (s *system) retryUntilSuccess(trials []*trial) {
	s.t.Helper()
	for _, tr := range trials {
		eventually(s.t, func() bool {
			if !tr.succeeded() {
				s.ask(tr, s.base)
			}
			return tr.succeeded()
		}, func() string { return fmt.Sprintf("%s has no success: %v", tr.name(), tr.heard) })
	}
}

// settle retries for every client until it has a success, waits until nothing is left to do, and lets all ask once
// more.
func (s *system) settle(trials []*trial) {
	s.t.Helper()
	s.retryUntilSuccess(trials)
	s.awaitIdle(s.t)
	for _, tr := range trials {
		s.ask(tr, s.base)
	}
}

func (tr *trial) succeeded() bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, heard := range tr.heard {
		if heard.status == http.StatusOK {
			return true
		}
	}
	return false
}
