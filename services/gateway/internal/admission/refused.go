package admission

import (
	"context"
	"net/netip"
	"time"
)

// CountRefused counts a call without a valid key in the window of its address, up to maxCalls, and returns 0; beyond that it
// counts nothing and returns the remaining wait.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer, or has no memory for another window.
func (a *Admitter) CountRefused(ctx context.Context, address netip.Prefix, maxCalls int) (time.Duration, error) {
	answer, err := a.guard.run(ctx, a.scripts.refused, []string{addressName(address)}, maxCalls,
		a.limits.Window.Milliseconds(), newTicket(0).nonce)
	wait, _ := answer.(int64)
	return time.Duration(wait) * time.Microsecond, err
}

// Window is the length of every window.
func (a *Admitter) Window() time.Duration { return a.limits.Window }

func addressName(address netip.Prefix) string { return "{" + address.String() + "}:a" }
