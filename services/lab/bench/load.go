package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/services/lab/wire"
)

// stream returns the next request of a worker, or nil when there is none left.
type stream func(worker int, random *rand.Rand) []byte

func from(requests [][]byte) stream {
	return func(_ int, random *rand.Rand) []byte { return requests[random.IntN(len(requests))] }
}

func each(lists [][][]byte) stream {
	next := make([]int, len(lists)) // each element is used by its worker only
	return func(worker int, _ *rand.Rand) []byte {
		if next[worker] == len(lists[worker]) {
			return nil
		}
		next[worker]++
		return lists[worker][next[worker]-1]
	}
}

// closedLoop runs connections that each send a request when the previous one was answered, until the time has passed or the
// worker's stream ends. It returns how long each request took, sorted. A server that becomes slower receives fewer requests, so
// its latencies look better than they are.
func closedLoop(
	ctx context.Context, address string, connections int, duration time.Duration, requests stream,
) ([]time.Duration, error) {
	until := time.Now().Add(duration)
	results := make([][]time.Duration, connections)
	group, ctx := errgroup.WithContext(ctx)
	for worker := range connections {
		group.Go(func() error {
			l, err := wire.Dial(ctx, address)
			if err != nil {
				return err
			}
			defer func() { _ = l.Close() }()
			random := rand.New(rand.NewPCG(rand.Uint64(), uint64(worker))) //nolint:gosec // no secret
			for time.Now().Before(until) && ctx.Err() == nil {
				request := requests(worker, random)
				if request == nil {
					return nil
				}
				began := time.Now()
				if err := l.OK(request); err != nil {
					return err
				}
				results[worker] = append(results[worker], time.Since(began))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := slices.Sorted(slices.Values(slices.Concat(results...)))
	if len(all) == 0 {
		return nil, errors.New("no response in time")
	}
	return all, nil
}

// loop measures requests that are drawn from a list, after a warm-up.
func (b *benchmark) loop(ctx context.Context, m meter, address string, requests stream) (sample, error) {
	if b.Warm > 0 {
		if _, err := closedLoop(ctx, address, b.Concurrency, b.Warm, requests); err != nil {
			return sample{}, err
		}
	}
	return m.measured(func() ([]time.Duration, error) {
		return closedLoop(ctx, address, b.Concurrency, b.Time, requests)
	})
}

// pause waits for the duration.
func pause(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
