package admission

import (
	"context"
	"net/netip"
	"time"
)

// CountRefused counts a call without a valid key in the window of its address, up to most calls, and returns 0; beyond that it
// counts nothing and returns the remaining wait.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer, or has no memory for another window.
func (a *Admitter) CountRefused(ctx context.Context, address netip.Prefix, most int) (time.Duration, error) {
	packed := argument{}.uint32(most).word(milliseconds(a.limits.Window)).raw(newTicket(0).nonce)
	answer, err := a.guard.run(ctx, a.scripts.refused, []string{addressName(address)}, packed)
	if err != nil {
		return 0, err
	}
	r := reply{rest: answer}
	wait := time.Duration(r.uint64()) * time.Microsecond
	if r.broken {
		return 0, errReply
	}
	return wait, nil
}

// Window is the length of every window.
func (a *Admitter) Window() time.Duration { return a.limits.Window }

func addressName(address netip.Prefix) string { return "{" + address.String() + "}:a" }
