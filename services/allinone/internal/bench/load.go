package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// sample is one side measured once.
type sample struct {
	// perSecond is the throughput.
	perSecond float64
	// cpu is the CPU time of gateway and orders for one request.
	cpu time.Duration
	// median and p99 are latencies.
	median, p99 time.Duration
}

// load sends the case's request again and again for the given time.
func (b *benchmark) load(ctx context.Context, w *world, c benchCase, duration time.Duration) (sample, error) {
	before, err := w.child.cpu()
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	until := began.Add(duration)
	latencies := make([][]time.Duration, b.Concurrency)
	group, ctx := errgroup.WithContext(ctx)
	for worker := range b.Concurrency {
		group.Go(func() (err error) {
			latencies[worker], err = repeat(ctx, w.env.GatewayURL, c.request(w.keys[worker%len(w.keys)]), until)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return sample{}, err
	}
	took := time.Since(began)
	after, err := w.child.cpu()
	if err != nil {
		return sample{}, err
	}
	all := slices.Concat(latencies...)
	slices.Sort(all)
	return sample{
		perSecond: float64(len(all)) / took.Seconds(), cpu: (after - before) / time.Duration(len(all)),
		median: all[len(all)/2], p99: all[len(all)*99/100],
	}, nil
}

// request is the case's request as it goes over the wire.
func (c benchCase) request(key string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\nX-Api-Key: %s\r\n\r\n", c.path(), key)
}

// repeat sends the request over one connection until the time is over and returns how long each took.
func repeat(ctx context.Context, address string, request []byte, until time.Time) ([]time.Duration, error) {
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
	for begun := time.Now(); begun.Before(until) && ctx.Err() == nil; begun = time.Now() {
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := readAnswer(answers); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(begun))
	}
	if len(latencies) == 0 {
		return nil, fmt.Errorf("not one answer in time: %w", context.Cause(ctx))
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

// rows is how many orders the case's page has: a page that is not full is cheaper.
func (w *world) rows(ctx context.Context, c benchCase) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.env.GatewayURL+c.path(), nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("X-Api-Key", w.keys[0])
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data struct {
			List []json.RawMessage `json:"list"`
		} `json:"data"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return len(answer.Data.List), err
}
