// Package load calls a gateway at a steady rate with the keys of many sellers and counts the responses, so that a test can
// restart the services underneath and tell whether a call failed.
//
// Every key stays within the published limits, so each response must be 200; anything else is a failure. A read that failed is
// not retried. A process call is retried with the same Idempotency-Key until it succeeds. Successful process calls are
// recorded, so that the database can be queried afterwards whether each had its effect exactly once.
package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sellerapi.dev/pkg/certificate"
)

// Options configure the calls.
type Options struct {
	// URL is the address of the gateway.
	URL string
	// Rate is the total number of calls per second.
	Rate int
	// Keys are the keys to call with, in turn. Rate / len(Keys) must stay below one call a second.
	Keys []Key
	// Paths are called in turn.
	Paths []string
	// Intake places the orders for process calls, which are every tenth call. Without its URL there are only reads.
	Intake Intake
	// Dial opens the connections to an https URL; nil means the default.
	Dial certificate.Dial
}

// Counts are the results of the calls since Load.Take was last called.
type Counts struct {
	OK     int `json:"ok"`
	Failed int `json:"failed"`
	// Codes are the failures by status; "none" is for calls without a response.
	Codes map[string]int `json:"codes,omitempty"`
	// Failures describes the first keptFailures failures, each with its time.
	Failures []string `json:"failures,omitempty"`
	// LongestGapMS is the longest time without a successful response, in milliseconds.
	LongestGapMS int64 `json:"longest_gap_ms"`
	// SlowestMS is the duration of the slowest successful call, in milliseconds.
	SlowestMS int64 `json:"slowest_ms"`
}

const keptFailures = 20

// Load makes calls and counts their results.
type Load struct {
	options Options
	client  *http.Client
	orders  chan order

	mu           sync.Mutex
	counts       Counts
	last         time.Time
	failed       time.Time
	open         map[string]bool
	acknowledged []string
}

// New returns a Load that calls nothing until Run.
func New(options Options) *Load {
	return &Load{
		options: options, client: newHTTPClient(options.Dial), orders: make(chan order, batch), last: time.Now(), failed: time.Now(),
		open: map[string]bool{},
	}
}

// DialTimeout limits connecting and the TLS handshake. It is shorter than the timeout of a call, so that the error of an
// unreachable service names its address. A call that times out leaves its dial behind: without a limit of their own, the dials
// of an outage would gather for minutes and take all memory.
const DialTimeout = 5 * time.Second

// newHTTPClient returns a client that keeps more idle connections than the default of two, for concurrent calls.
func newHTTPClient(dial certificate.Dial) *http.Client {
	plain := net.Dialer{Timeout: DialTimeout}
	transport := &http.Transport{
		MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, DialContext: plain.DialContext,
		DialTLSContext: dial,
	}
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

// processEvery makes every tenth call a process call.
const processEvery = 10

// Run makes calls until ctx is done and then waits for those in flight.
func (l *Load) Run(ctx context.Context) {
	ticks := time.NewTicker(time.Second / time.Duration(l.options.Rate))
	defer ticks.Stop()
	var calls sync.WaitGroup
	defer calls.Wait()
	if l.options.Intake.URL != "" {
		calls.Go(func() { l.options.Intake.stock(ctx, l.options.Keys, l.orders) })
	}
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			calls.Go(func() { l.next(ctx, n) })
		}
	}
}

// next makes the nth call: a process call when one is due and an order is available, else a read.
func (l *Load) next(ctx context.Context, n int) {
	if n%processEvery == 0 {
		select {
		case o := <-l.orders:
			l.process(ctx, n/processEvery, o)
			return
		default:
		}
	}
	path := l.options.Paths[n%len(l.options.Paths)]
	began := time.Now()
	err := l.do(context.WithoutCancel(ctx), call{
		method: http.MethodGet, path: path,
		key: l.options.Keys[n%len(l.options.Keys)].Text,
	})
	l.count(path, began, err)
}

// call is a request of a seller; with an idempotency key it is a process call.
type call struct{ method, path, body, key, idempotencyKey string }

type answered struct {
	status int
	body   string
}

func (a answered) Error() string { return fmt.Sprintf("%d %s", a.status, a.body) }

func (l *Load) do(ctx context.Context, made call) error {
	request, err := http.NewRequestWithContext(ctx, made.method, l.options.URL+made.path, strings.NewReader(made.body))
	if err != nil {
		return err
	}
	request.Header.Set("X-Api-Key", made.key)
	if made.idempotencyKey != "" {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", made.idempotencyKey)
	}
	answer, err := l.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return answered{answer.StatusCode, strings.TrimSpace(string(body))}
	}
	return nil
}

// code returns the status of a failure, or "none" when there was no response.
func code(err error) string {
	var a answered
	if errors.As(err, &a) {
		return strconv.Itoa(a.status)
	}
	return "none"
}

func (l *Load) count(path string, began time.Time, err error) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.failed = now
		l.counts.fail(code(err), fmt.Sprintf("%s %s %v", now.UTC().Format("15:04:05.000"), path, err))
		return
	}
	l.counts.OK++
	l.counts.SlowestMS = max(l.counts.SlowestMS, now.Sub(began).Milliseconds())
	l.counts.LongestGapMS = max(l.counts.LongestGapMS, now.Sub(l.last).Milliseconds())
	l.last = now
}

func (c *Counts) fail(code, text string) {
	c.Failed++
	if c.Codes == nil {
		c.Codes = map[string]int{}
	}
	c.Codes[code]++
	if len(c.Failures) < keptFailures {
		c.Failures = append(c.Failures, text)
	}
}

// Quiet returns the time since a call last failed, or since New when none has.
func (l *Load) Quiet() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.failed)
}

// Take returns the counts since it was last called. A gap that has not ended yet counts up to now.
func (l *Load) Take() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.counts
	counts.LongestGapMS = max(counts.LongestGapMS, time.Since(l.last).Milliseconds())
	l.counts = Counts{}
	return counts
}
