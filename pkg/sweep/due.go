package sweep

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// Due does once what is due for a seller at now, and returns how many of the items are not due any more. An item that failed,
// or that cannot be done yet, still is, and does not count: who calls Due until it returns 0 has done what can be done.
// The error names what failed. A sweep without FindOf has nothing to do for a single seller.
func (s *Sweeper) Due(ctx context.Context, seller uuid.UUID, now time.Time) (done int, err error) {
	if s.FindOf == nil {
		return 0, nil
	}
	due := func(ctx context.Context, limit int) ([]Item, error) { return s.FindOf(ctx, seller, now, limit) }
	before, err := find(ctx, due)
	if err != nil || len(before) == 0 {
		return 0, err
	}
	failed := errors.Join(s.do(ctx, before)...)
	after, err := find(ctx, due)
	if err != nil {
		return 0, err
	}
	still := map[string]bool{}
	for _, item := range after {
		still[item.Key] = true
	}
	for _, item := range before {
		if !still[item.Key] {
			done++
		}
	}
	return done, failed
}
