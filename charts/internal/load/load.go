// Package load calls a gateway at a steady rate with the keys of many sellers and counts what is answered, so that a test
// can restart the services underneath and say whether anybody noticed.
//
// Every key keeps within the published limits, so each answer must be 200; anything else is a failure. A read that failed is not
// made again. A process call is, with its own Idempotency-Key, until it succeeds; what has succeeded is remembered, so that the
// database can be asked afterwards whether each had its effect, and once.
package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sellerapi.dev/pkg/certificate"
)

// Options say how to call.
type Options struct {
	// URL is the address of the gateway.
	URL string
	// Rate is how many calls a second there are in all.
	Rate int
	// Keys are the keys to call with, in turn. Rate / len(Keys) must stay below one a second.
	Keys []Key
	// Paths are called in turn.
	Paths []string
	// Intake places the orders for process calls, each tenth call; there are none without its URL.
	Intake Intake
	// Dial opens the connections of an https URL; nil where there is none.
	Dial certificate.Dial
}

// Counts are the answers since someone last asked.
type Counts struct {
	OK     int `json:"ok"`
	Failed int `json:"failed"`
	// Codes are the failures by status; "none" is for calls without an answer.
	Codes map[string]int `json:"codes,omitempty"`
	// Failures are the first few, each with its time.
	Failures []string `json:"failures,omitempty"`
	// LongestGapMS is the longest time without a good answer.
	LongestGapMS int64 `json:"longest_gap_ms"`
	// SlowestMS is the slowest good answer.
	SlowestMS int64 `json:"slowest_ms"`
}

// keptFailures bounds Counts.Failures.
const keptFailures = 20

// Load is calls under way.
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

// New prepares calls.
func New(options Options) *Load {
	return &Load{
		options: options, client: newHTTPClient(options.Dial), orders: make(chan order, batch), last: time.Now(), failed: time.Now(), open: map[string]bool{},
	}
}

// newHTTPClient keeps more idle connections than the standard one's two, for calls side by side.
func newHTTPClient(dial certificate.Dial) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, DialTLSContext: dial}
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

// processEvery is how many calls there are for each process call.
const processEvery = 10

// Run calls until ctx ends and then waits for the calls under way.
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

// next makes the nth call: a process call when it is the turn of one and an order is at hand, else a read.
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
	err := l.do(context.WithoutCancel(ctx), call{method: http.MethodGet, path: path, key: l.options.Keys[n%len(l.options.Keys)].Text})
	l.count(path, began, err)
}

// call is a request of a seller; an idempotency key makes it a process call.
type call struct{ method, path, body, key, idempotencyKey string }

// answered is a failure with an answer.
type answered struct {
	status int
	body   string
}

func (a answered) Error() string { return fmt.Sprintf("%d %s", a.status, a.body) }

// do makes one call.
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

// code is the status of a failure, or none.
func code(err error) string {
	var a answered
	if errors.As(err, &a) {
		return strconv.Itoa(a.status)
	}
	return "none"
}

// count takes in one answer.
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

// fail takes in one failure.
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

// Quiet is the time since a call failed last, or since the calls began.
func (l *Load) Quiet() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.failed)
}

// Take returns the counts since it was last called. A gap that is still open counts as long as it is now.
func (l *Load) Take() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.counts
	counts.LongestGapMS = max(counts.LongestGapMS, time.Since(l.last).Milliseconds())
	l.counts = Counts{}
	return counts
}
