package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
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
// worker's stream ends. It returns how long each request took. A server that becomes slower receives fewer requests, so its
// latencies look better than they are; see openLoop.
func closedLoop(ctx context.Context, gateway string, connections int, duration time.Duration,
	requests stream,
) ([]time.Duration, error) {
	until := time.Now().Add(duration)
	return side(ctx, gateway, connections, func(ctx context.Context, l *link, worker int,
		random *rand.Rand,
	) ([]time.Duration, error) {
		var took []time.Duration
		for time.Now().Before(until) && ctx.Err() == nil {
			request := requests(worker, random)
			if request == nil {
				break
			}
			began := time.Now()
			if err := l.do(request); err != nil {
				return nil, err
			}
			took = append(took, time.Since(began))
		}
		return took, nil
	})
}

// openLoop sends requests at a fixed rate, whether or not earlier ones were answered, and measures each from the time at
// which it was due: the time that a request waited for a free connection, because the server was slow, is included.
func openLoop(
	ctx context.Context, gateway string, connections int, perSecond float64, duration time.Duration, requests stream,
) ([]time.Duration, error) {
	var next atomic.Int64
	began, total := time.Now(), int64(perSecond*duration.Seconds())
	return side(ctx, gateway, connections, func(ctx context.Context, l *link, worker int,
		random *rand.Rand,
	) ([]time.Duration, error) {
		var took []time.Duration
		for ctx.Err() == nil {
			turn := next.Add(1) - 1
			request := requests(worker, random)
			if turn >= total || request == nil {
				break
			}
			due := began.Add(time.Duration(float64(turn) / perSecond * float64(time.Second)))
			if err := pause(ctx, time.Until(due)); err != nil {
				return nil, err
			}
			if err := l.do(request); err != nil {
				return nil, err
			}
			took = append(took, time.Since(due))
		}
		return took, nil
	})
}

// pause waits for the duration. It returns at once when the duration is not positive, as for a request that is already due.
func pause(ctx context.Context, duration time.Duration) error {
	if duration <= 0 {
		return nil
	}
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// side runs workers concurrently, each on a connection and with a random source of its own, and returns their sorted results.
func side(
	ctx context.Context, gateway string, connections int,
	work func(ctx context.Context, l *link, worker int, random *rand.Rand) ([]time.Duration, error),
) ([]time.Duration, error) {
	results := make([][]time.Duration, connections)
	group, ctx := errgroup.WithContext(ctx)
	for worker := range connections {
		group.Go(func() error {
			l, err := dial(ctx, gateway)
			if err != nil {
				return err
			}
			defer func() { _ = l.Close() }()
			results[worker], err = work(ctx, l, worker, rand.New(rand.NewPCG(rand.Uint64(), uint64(worker)))) //nolint:gosec // no secret
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(results...)
	if len(all) == 0 {
		return nil, errors.New("no response in time")
	}
	slices.Sort(all)
	return all, nil
}
