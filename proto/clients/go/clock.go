package sellerapi

import (
	"context"
	"time"
)

// Clock is what a Client knows of time.
type Clock interface {
	// Now is the present.
	Now() time.Time
	// Wait returns nil after this long, or the context's error as soon as it ends. A wait of zero or less is over at once.
	Wait(ctx context.Context, wait time.Duration) error
}

// SystemClock is the clock of this machine, which a Client has unless WithClock gives it another.
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
