package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// sample is one side measured once.
type sample struct {
	// took is the time from the first request to the last answer; pgbench does not tell.
	took time.Duration
	// perSecond is the throughput.
	perSecond float64
	// cpu is the CPU time of gateway and orders for one request.
	cpu time.Duration
	// median and p99 are latencies.
	median, p99 time.Duration
}

// measured runs calls, which returns how long each took, and sums them up.
func (w *world) measured(calls func() ([]time.Duration, error)) (sample, error) {
	before, err := w.child.CPU()
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	latencies, err := calls()
	if err != nil {
		return sample{}, err
	}
	took := time.Since(began)
	after, err := w.child.CPU()
	if err != nil {
		return sample{}, err
	}
	slices.Sort(latencies)
	return sample{
		took: took, perSecond: float64(len(latencies)) / took.Seconds(), cpu: (after - before) / time.Duration(len(latencies)),
		median: latencies[len(latencies)/2], p99: latencies[len(latencies)*99/100],
	}, nil
}

// load sends the case's request again and again for the given time.
func (b *benchmark) load(ctx context.Context, w *world, c benchCase, duration time.Duration) (sample, error) {
	return w.measured(func() ([]time.Duration, error) {
		until := time.Now().Add(duration)
		return side(ctx, w, b.Concurrency, func(worker int) (request []byte, more bool) {
			return c.request(w.keys[worker%len(w.keys)]), time.Now().Before(until)
		})
	})
}

// send sends each of the requests once, on so many connections.
func (b *benchmark) send(ctx context.Context, w *world, requests [][]byte, connections int) (sample, error) {
	var next atomic.Int64
	return w.measured(func() ([]time.Duration, error) {
		return side(ctx, w, connections, func(int) (request []byte, more bool) {
			n := int(next.Add(1)) - 1
			if n >= len(requests) {
				return nil, false
			}
			return requests[n], true
		})
	})
}

// side opens so many connections to the gateway and sends requests over them side by side. next gives each
// connection its next one. It returns how long each took.
func side(ctx context.Context, w *world, connections int, next func(worker int) ([]byte, bool)) ([]time.Duration, error) {
	latencies := make([][]time.Duration, connections)
	group, ctx := errgroup.WithContext(ctx)
	for worker := range connections {
		group.Go(func() (err error) {
			latencies[worker], err = converse(ctx, w.env.GatewayURL, func() ([]byte, bool) { return next(worker) })
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(latencies...)
	if len(all) == 0 {
		return nil, errors.New("not one answer in time")
	}
	return all, nil
}

// request is the case's request as it goes over the wire.
func (c benchCase) request(key string) []byte { return get(c.path(), key) }

// get is a read as it goes over the wire.
func get(target, key string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\nX-Api-Key: %s\r\n\r\n", target, key)
}

// converse sends requests over one connection, each when the last was answered, and returns how long each took.
func converse(ctx context.Context, address string, next func() ([]byte, bool)) ([]time.Duration, error) {
	gateway, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", gateway.Host)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	answers := bufio.NewReaderSize(conn, 64<<10)
	var latencies []time.Duration
	for request, more := next(); more && ctx.Err() == nil; request, more = next() {
		begun := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := readAnswer(answers); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(begun))
	}
	return latencies, nil
}

// readAnswer takes one answer off the wire; anything but 200 ends the measurement.
func readAnswer(answers *bufio.Reader) error {
	response, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return fmt.Errorf("the gateway answers %d: %s", response.StatusCode, body)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
