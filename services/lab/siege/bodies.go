package siege

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
)

const (
	// crowd is how many keys fill the memory for bodies; each sends bodiesOfKey bodies at once, as many as a key may have
	// in flight.
	crowd, bodiesOfKey = 5, 4
	// watched is how long memory is sampled after an attack has begun, once every glance.
	watched, glance = 2 * time.Second, 20 * time.Millisecond
	// atRest is the time after which an idle system has returned the memory that it does not need.
	atRest = 3 * time.Second
	// allowed is the time after which a body has to have a minimum speed.
	allowed = 2 * time.Second
	// drip is the pause between the bytes of a body that is sent too slowly.
	drip = 100 * time.Millisecond
)

// silence measures how long it takes until a call whose body never arrives is answered.
func (s *siege) silence(ctx context.Context) ([]report.Goal, error) {
	unsent := wire.Request{Method: http.MethodPost, Target: single, Announced: 100, Key: "vpk_test_unknown"}
	empty := unsent
	empty.Announced = 0
	var took [2][]float64
	for range s.Calls {
		for i, c := range []wire.Request{empty, unsent} {
			began := time.Now()
			if err := wire.Expect(ctx, s.address, c.Bytes(), http.StatusUnauthorized); err != nil {
				return nil, err
			}
			took[i] = append(took[i], millis(time.Since(began)))
		}
	}
	slow, err := s.slow(ctx)
	return []report.Goal{
		times("401 for a body that never comes", "ms", median(took[0]), median(took[1]), 3),
		times("408 for a body of 10 B/s, of the time that every body has", "s", allowed.Seconds(), slow.Seconds(), 2),
	}, err
}

// slow sends an admitted body byte by byte until the call is answered, and returns how long that took.
func (s *siege) slow(ctx context.Context) (time.Duration, error) {
	l, err := wire.Dial(ctx, s.address)
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	began := time.Now()
	announced := wire.Request{Method: http.MethodPost, Target: batch, Key: s.keys.bystander, Announced: mib}
	if _, err := l.Write(announced.Bytes()); err != nil {
		return 0, err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		tick := time.NewTicker(drip)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				_, _ = l.Write([]byte(" ")) // writing to a connection that is closed fails: the call has been answered
			}
		}
	}()
	got, err := l.Answer()
	if err == nil && got.Status != http.StatusRequestTimeout {
		err = fmt.Errorf("a slow body got the status %d", got.Status)
	}
	return time.Since(began), err
}

// unfinished measures the memory that unfinished bodies cost, beside that of as many idle connections, in turns. All figures are
// relative to the memory at the beginning, so what the system keeps of earlier rounds counts.
func (s *siege) unfinished(ctx context.Context) ([]report.Goal, error) {
	part := bytes.Repeat([]byte(" "), 64*kib)
	whole := bytes.Repeat([]byte(" "), 4*mib-1)
	var figures [3][]float64
	if !pause(ctx, atRest) {
		return nil, ctx.Err()
	}
	before, err := s.system.Memory()
	if err != nil {
		return nil, err
	}
	for _, key := range s.keys.greedy {
		for i, a := range []struct {
			connections int
			call        wire.Request
		}{
			{s.Connections, wire.Request{Method: http.MethodGet, Target: "/", Key: key}},
			{s.Connections, wire.Request{Method: http.MethodPost, Target: batch, Key: key, Announced: 4 * mib, Body: part}},
			{s.Connections / 10, wire.Request{
				Method: http.MethodPost, Target: batch, Key: s.keys.revoked, Announced: 4 * mib, Body: whole,
			}},
		} {
			added, err := s.memory(ctx, before, a.connections, a.call)
			if err != nil {
				return nil, err
			}
			figures[i] = append(figures[i], added)
		}
	}
	idle, greedy, revoked := median(figures[0]), median(figures[1]), median(figures[2])
	return []report.Goal{
		figure(fmt.Sprintf("%d unfinished bodies of one key", s.Connections), "MiB", idle, greedy, 32),
		figure(fmt.Sprintf("%d unfinished bodies of a revoked key", s.Connections/10), "MiB", idle, revoked, 32),
	}, nil
}

// memory returns the peak of the system's memory above before, in MiB, while so many connections have sent a call and none
// completes it. It begins when the system has returned the memory of earlier attacks.
func (s *siege) memory(ctx context.Context, before int64, connections int, c wire.Request) (float64, error) {
	if !pause(ctx, atRest) {
		return 0, ctx.Err()
	}
	links := make([]*wire.Link, connections)
	defer func() {
		for _, l := range links {
			if l != nil {
				_ = l.Close()
			}
		}
	}()
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(64)
	peak := s.peak(ctx, before)
	for i := range links {
		group.Go(func() (err error) {
			if links[i], err = wire.Dial(inner, s.address); err != nil {
				return err
			}
			_, _ = links[i].Write(c.Bytes()) // a refused connection may be closed before all of it is written
			return nil
		})
	}
	failed := group.Wait()
	most, err := peak()
	return float64(most-before) / mib, errors.Join(failed, err)
}

// peak samples the memory of the system until the returned function has been called and the time for sampling has passed.
func (s *siege) peak(ctx context.Context, least int64) func() (int64, error) {
	type found struct {
		most int64
		err  error
	}
	end, result := make(chan struct{}), make(chan found, 1)
	go func() {
		most := least
		tick, last := time.NewTicker(glance), (<-chan time.Time)(nil)
		defer tick.Stop()
		for ending := end; ; {
			select {
			case <-ending:
				ending, last = nil, time.After(watched)
			case <-last:
				result <- found{most, nil}
				return
			case <-ctx.Done():
				result <- found{most, ctx.Err()}
				return
			case <-tick.C:
				now, err := s.system.Memory()
				if err != nil {
					result <- found{most, err}
					return
				}
				most = max(most, now)
			}
		}
	}()
	return func() (int64, error) {
		close(end)
		f := <-result
		return f.most, f.err
	}
}

func (s *siege) budget(ctx context.Context) ([]report.Goal, error) {
	links, err := s.fill(ctx)
	defer func() {
		for _, l := range links {
			_ = l.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	bystander := wire.Request{
		Method: http.MethodPost, Target: single, Key: s.keys.bystander, Announced: len(small), Body: []byte(small),
	}
	if err := wire.Expect(ctx, s.address, bystander.Bytes(), http.StatusNotFound); err != nil {
		return nil, err
	}
	read := wire.Request{Method: http.MethodGet, Target: list, Key: s.keys.bystander}
	if err := wire.Expect(ctx, s.address, read.Bytes(), http.StatusOK); err != nil {
		return nil, err
	}
	counts, err := statuses(links)
	if err != nil {
		return nil, err
	}
	held, refused := counts[http.StatusRequestTimeout], counts[http.StatusServiceUnavailable]
	if held+refused != len(links) || refused == 0 {
		return nil, fmt.Errorf("responses to bodies over the budget by status: %v", counts)
	}
	what := fmt.Sprintf("bodies of 4 MiB held of %d (%d refused with 503)", len(links), refused)
	return []report.Goal{report.Bar{Name: what, AtMost: 16}.Compare(float64(held))}, nil
}

// fill announces as many bodies as the keys of the crowd may have in flight, and sends none.
func (s *siege) fill(ctx context.Context) (links []*wire.Link, err error) {
	for _, key := range s.keys.crowd {
		for range bodiesOfKey {
			l, err := wire.Dial(ctx, s.address)
			if err != nil {
				return links, err
			}
			links = append(links, l)
			if _, err := l.Write(wire.Request{Method: http.MethodPost, Target: batch, Key: key, Announced: 4 * mib}.Bytes()); err != nil {
				return links, err
			}
		}
	}
	return links, nil
}

func statuses(links []*wire.Link) (map[int]int, error) {
	counts := map[int]int{}
	for _, l := range links {
		got, err := l.Answer()
		if err != nil {
			return nil, err
		}
		if got.Status == http.StatusServiceUnavailable && got.Header.Get("Retry-After") == "" {
			return nil, errors.New("a body over the budget was refused without Retry-After")
		}
		counts[got.Status]++
	}
	return counts, nil
}
