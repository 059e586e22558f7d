package cli

import (
	"context"
	"time"
)

// MachineClock is the clock of this machine.
type MachineClock struct{}

// Now implements sellerapi.Clock.
func (MachineClock) Now() time.Time { return time.Now() }

// Wait implements sellerapi.Clock.
func (MachineClock) Wait(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
