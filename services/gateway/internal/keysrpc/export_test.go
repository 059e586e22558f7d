package keysrpc

import (
	"context"
	"time"
)

// RefusalWindow is for tests that go beyond it.
const RefusalWindow = refusalWindow

// SetClock replaces the clock of windows.
func (r *Refusals) SetClock(now func() time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = now
}

// Settle writes what is due, as Keep does now and then.
func (r *Refusals) Settle(ctx context.Context) { r.settle(ctx, r.ended) }

// Wanted is the action of a procedure, "" for one without.
func Wanted(procedure string) string { return string(wanted[procedure]) }

// Windows is how many windows are kept.
func (r *Refusals) Windows() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.windows)
}
