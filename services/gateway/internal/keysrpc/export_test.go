package keysrpc

import (
	"context"
	"time"
)

// RefusalWindow exports refusalWindow for tests.
const RefusalWindow = refusalWindow

// SetClock replaces the clock of windows.
func (r *Refusals) SetClock(now func() time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = now
}

// Settle writes the due entries, as Keep does periodically.
func (r *Refusals) Settle(ctx context.Context) { r.settle(ctx, r.ended) }

// Wanted returns the action of a procedure, "" for one without.
func Wanted(procedure string) string { return string(wanted[procedure]) }

// Windows returns the number of windows.
func (r *Refusals) Windows() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.windows)
}
