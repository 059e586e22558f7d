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

// stream gives each worker its next request; nil when there is none left.
type stream func(worker int, random *rand.Rand) []byte

// from gives requests drawn from a list.
func from(requests [][]byte) stream {
	return func(_ int, random *rand.Rand) []byte { return requests[random.IntN(len(requests))] }
}

// each gives the requests of a worker's list once, in order.
func each(lists [][][]byte) stream {
	next := make([]int, len(lists)) // each is its worker's own
	return func(worker int, _ *rand.Rand) []byte {
		if next[worker] == len(lists[worker]) {
			return nil
		}
		next[worker]++
		return lists[worker][next[worker]-1]
	}
}

// closedLoop has connections that send a request when the last was answered, until the time is over or a worker's stream ends. It returns
// how long each took. A server that gets slower is asked less, so its latencies flatter it; see openLoop.
func closedLoop(ctx context.Context, gateway string, connections int, duration time.Duration, requests stream) ([]time.Duration, error) {
	until := time.Now().Add(duration)
	return side(ctx, gateway, connections, func(ctx context.Context, l *link, worker int, random *rand.Rand) ([]time.Duration, error) {
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

// openLoop sends requests at a fixed rate, whether or not those before were answered, and counts how long each took from when it was to be
// sent: a request that had to wait for a free connection, because the server was slow, took that long as well.
func openLoop(
	ctx context.Context, gateway string, connections int, perSecond float64, duration time.Duration, requests stream,
) ([]time.Duration, error) {
	var next atomic.Int64
	began, total := time.Now(), int64(perSecond*duration.Seconds())
	return side(ctx, gateway, connections, func(ctx context.Context, l *link, worker int, random *rand.Rand) ([]time.Duration, error) {
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

// pause waits; for what is due at a time, however late it is.
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

// side runs workers side by side, each on a connection of its own and with its own source of chance, and gathers what they return.
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
		return nil, errors.New("not one answer in time")
	}
	slices.Sort(all)
	return all, nil
}
