package siege

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
)

const (
	// single is an operation with a small body, batch the operation whose body may be large; the order does not exist.
	single = "/open/v1/orders/SIEGE/preparation"
	batch  = "/open/v1/orders/batch/shipment"
	// small is a body for single that is read completely.
	small = `{"item_ids":["x"]}`
	list  = "/open/v1/orders?limit=100"
	// processCalls and readCalls are how many calls of each kind a key may make in a minute.
	processCalls, readCalls = 30, 60
	// atOnce is how many refused calls are made concurrently: a process that sleeps between two calls spends more CPU time on each.
	atOnce   = 16
	kib, mib = 1 << 10, 1 << 20
)

// announcement is the body of a refused call. What it costs to receive megabytes that a client sends although it is refused
// is printed
// without a bar: the client decides to send them, and their size is limited.
type announcement struct {
	what    string
	bytes   int
	sent    bool
	barless bool
}

var announcements = []announcement{
	{"100 B announced", 100, false, false},
	{"64 KiB announced", 64 * kib, false, false},
	{"4 MiB announced", 4 * mib, false, false},
	{"100 B sent", 100, true, false},
	{"64 KiB sent", 64 * kib, true, false},
	{"4 MiB sent", 4 * mib, true, true},
}

type refusal struct {
	status int
	// why distinguishes refusals with the same status.
	why    string
	key    string
	before func(context.Context) error
	// background is the CPU time that the idle system uses per second.
	background time.Duration
}

func (s *siege) background(ctx context.Context) (time.Duration, error) {
	before, err := s.system.CPU()
	if err != nil {
		return 0, err
	}
	if !pause(ctx, watched) {
		return 0, ctx.Err()
	}
	after, err := s.system.CPU()
	return (after - before) / (watched / time.Second), err
}

// refusals compares refused calls that announce a body with the same calls without one, round by round.
func (s *siege) refusals(ctx context.Context) ([]report.Goal, error) {
	background, err := s.background(ctx)
	if err != nil {
		return nil, err
	}
	var goals []report.Goal
	for _, r := range []refusal{
		{status: http.StatusUnauthorized, key: "vpk_test_unknown"},
		{status: http.StatusUnauthorized, why: " (revoked)", key: s.keys.revoked},
		{status: http.StatusForbidden, key: s.keys.narrow},
		{status: http.StatusTooManyRequests, key: s.keys.limited, before: s.exhaust},
	} {
		r.background = background
		measured, err := s.refused(ctx, r)
		if err != nil {
			return nil, err
		}
		goals = append(goals, measured...)
	}
	return goals, nil
}

func (s *siege) refused(ctx context.Context, r refusal) ([]report.Goal, error) {
	control := make([]time.Duration, 0, s.Rounds)
	attack := make([][]time.Duration, len(announcements))
	for range s.Rounds {
		if r.before != nil {
			if err := r.before(ctx); err != nil {
				return nil, err
			}
		}
		cost, err := s.cost(ctx, r, announcement{})
		if err != nil {
			return nil, err
		}
		control = append(control, cost)
		for i, a := range announcements {
			if cost, err = s.cost(ctx, r, a); err != nil {
				return nil, err
			}
			attack[i] = append(attack[i], cost)
		}
	}
	goals := make([]report.Goal, 0, len(announcements))
	for i, a := range announcements {
		what := fmt.Sprintf("refused with %d%s, %s", r.status, r.why, a.what)
		goal := times(what, "µs CPU", micros(median(control)), micros(median(attack[i])), 1.5)
		if a.barless {
			goal = barless(goal)
		}
		goals = append(goals, goal)
	}
	return goals, nil
}

// cost returns the CPU time of one refused call. Each call has a connection of its own, in the control as well: a client that
// does not send the body it has announced cannot use the connection for anything else.
func (s *siege) cost(ctx context.Context, r refusal, a announcement) (time.Duration, error) {
	c := wire.Request{Method: http.MethodPost, Target: batch, Key: r.key, Announced: a.bytes}
	if a.sent {
		c.Body = bytes.Repeat([]byte(" "), a.bytes)
	}
	began := time.Now()
	before, err := s.system.CPU()
	if err != nil {
		return 0, err
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for range s.Calls {
		group.Go(func() error { return wire.Expect(inner, s.address, c.Bytes(), r.status) })
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	after, err := s.system.CPU()
	alone := time.Duration(time.Since(began).Seconds() * float64(r.background))
	return (after - before - alone) / time.Duration(s.Calls), err
}

func (s *siege) exhaust(ctx context.Context) error {
	for range processCalls {
		got, err := wire.Once(ctx, s.address, wire.Request{
			Method: http.MethodPost, Target: single, Key: s.keys.limited, Announced: len(small), Body: []byte(small),
		}.Bytes())
		if err != nil || got.Status == http.StatusTooManyRequests {
			return err
		}
	}
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
