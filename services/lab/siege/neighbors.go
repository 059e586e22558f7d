package siege

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
)

// neighborPause is the time between two calls of a neighbor. Every fifth is a process call, so that both kinds stay below
// its limits.
const neighborPause = 1200 * time.Millisecond

type seen struct {
	mu       sync.Mutex
	took     []time.Duration
	statuses map[int]int
}

func (s *seen) add(status int, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took = append(s.took, took)
	s.statuses[status]++
}

// neighbors compares the answers to other sellers while one key does all that its limits allow with those without the attack,
// in turns.
func (s *siege) neighbors(ctx context.Context) ([]report.Goal, error) {
	bodies := worstBodies(4*mib - kib)
	var quiet, loud []*seen
	for range s.Rounds {
		control, err := s.watch(ctx)
		if err != nil {
			return nil, err
		}
		attacked, err := s.attacked(ctx, bodies)
		if err != nil {
			return nil, err
		}
		s.say("other sellers' responses by status: %v, and %v during the attack", control.statuses, attacked.statuses)
		quiet, loud = append(quiet, control), append(loud, attacked)
	}
	return []report.Goal{
		figure("failures of other sellers", "calls", sum(quiet, failures), sum(loud, failures), 0),
		barless(latency("median", 0.5, quiet, loud)),
		latency("p99", 0.99, quiet, loud),
	}, nil
}

func (s *siege) attacked(ctx context.Context, bodies [][]byte) (*seen, error) {
	attack, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.worst(attack, bodies) }()
	loud, err := s.watch(ctx)
	stop()
	return loud, errors.Join(err, <-ended)
}

func latency(name string, part float64, quiet, loud []*seen) report.Goal {
	of := func(rounds []*seen) float64 {
		figures := make([]float64, 0, len(rounds))
		for _, round := range rounds {
			figures = append(figures, millis(quantile(round.took, part)))
		}
		return median(figures)
	}
	return times("latency of other sellers, "+name, "ms", of(quiet), of(loud), 2)
}

func sum(rounds []*seen, figure func(*seen) float64) (total float64) {
	for _, round := range rounds {
		total += figure(round)
	}
	return total
}

func failures(s *seen) (n float64) {
	for status, count := range s.statuses {
		if status != http.StatusOK && status != http.StatusNotFound {
			n += float64(count)
		}
	}
	return n
}

func (s *siege) watch(ctx context.Context) (*seen, error) {
	what := &seen{statuses: map[int]int{}}
	group, ctx := errgroup.WithContext(ctx)
	for i, key := range s.keys.neighbors {
		group.Go(func() error {
			if !pause(ctx, neighborPause/time.Duration(len(s.keys.neighbors))*time.Duration(i)) { // the neighbors start one after another
				return ctx.Err()
			}
			l, err := wire.Dial(ctx, s.address)
			if err != nil {
				return err
			}
			defer func() { _ = l.Close() }()
			for n := range int(s.Time / neighborPause) {
				began := time.Now()
				got, err := l.Do(neighborCall(key, n).Bytes())
				if err != nil {
					return err
				}
				what.add(got.Status, time.Since(began))
				if !pause(ctx, neighborPause-time.Since(began)) {
					return ctx.Err()
				}
			}
			return nil
		})
	}
	return what, group.Wait()
}

func neighborCall(key string, n int) wire.Request {
	if n%5 == 0 {
		return wire.Request{Method: http.MethodPost, Target: single, Key: key, Announced: len(small), Body: []byte(small)}
	}
	return wire.Request{Method: http.MethodGet, Target: "/open/v1/orders", Key: key}
}

// pause waits for d. It reports false when the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// worst makes all calls that one key may make in a minute, as fast as they are accepted: the costliest bodies, as many at once
// as a key may have, the largest pages, and idle open connections. It ends with the context, or when all calls have been made.
func (s *siege) worst(ctx context.Context, bodies [][]byte) error {
	var idle []*wire.Link
	defer func() {
		for _, l := range idle {
			_ = l.Close()
		}
	}()
	for range s.Connections / 5 {
		l, err := wire.Dial(ctx, s.address)
		if err != nil {
			return err
		}
		idle = append(idle, l)
	}
	group, ctx := errgroup.WithContext(ctx)
	posts, reads := make(chan []byte, processCalls), make(chan struct{}, readCalls)
	for n := range processCalls {
		posts <- bodies[n%len(bodies)]
	}
	for range readCalls {
		reads <- struct{}{}
	}
	close(posts)
	close(reads)
	began := time.Now()
	sent, read := &seen{statuses: map[int]int{}}, &seen{statuses: map[int]int{}}
	for range bodiesOfKey {
		group.Go(func() error { return s.send(ctx, posts, sent) })
		group.Go(func() error { return s.read(ctx, reads, read) })
	}
	err := group.Wait()
	s.say("after %s: responses to the attacker's bodies by status: %v, to its pages: %v", time.Since(began).Round(time.Millisecond),
		sent.statuses, read.statuses)
	return err
}

// send makes process calls whose bodies are read completely and refused by the service.
func (s *siege) send(ctx context.Context, bodies <-chan []byte, own *seen) error {
	for body := range bodies {
		c := wire.Request{Method: http.MethodPost, Target: batch, Key: s.keys.worst, Announced: len(body), Body: body}
		if over, err := s.note(ctx, c, own); over || err != nil {
			return err
		}
	}
	return nil
}

func (s *siege) read(ctx context.Context, calls <-chan struct{}, own *seen) error {
	for range calls {
		if over, err := s.note(ctx, wire.Request{Method: http.MethodGet, Target: list, Key: s.keys.worst}, own); over || err != nil {
			return err
		}
	}
	return nil
}

// note makes a call and records its answer, unless the attack is over. The attacker may be refused for any reason.
func (s *siege) note(ctx context.Context, c wire.Request, own *seen) (over bool, err error) {
	select {
	case <-ctx.Done():
		return true, nil
	default:
	}
	began := time.Now()
	got, err := wire.Once(ctx, s.address, c.Bytes())
	if err == nil {
		own.add(got.Status, time.Since(began))
	}
	return false, err
}
