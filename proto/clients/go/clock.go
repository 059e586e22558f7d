package sellerapi

import (
	"context"
	"time"
)

// Clock is a Client's source of time.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// Wait returns nil after this duration, or the context's error as soon as it ends. A duration of zero or less returns
	// at once.
	Wait(ctx context.Context, wait time.Duration) error
}

// SystemClock is the clock of this machine, which a Client uses unless WithClock sets another one.
type SystemClock struct{}

// Now implements Clock.
func (SystemClock) Now() time.Time { return time.Now() }

// Wait implements Clock.
func (SystemClock) Wait(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
