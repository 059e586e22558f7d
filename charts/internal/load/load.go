// Package load calls a gateway at a steady rate with the keys of many sellers and counts what is answered, so that a test
// can restart the services underneath and say whether anybody noticed.
//
// Every key keeps within the published limits, so each answer must be 200; anything else is a failure, and nothing is
// tried again.
package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
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
	Keys []string
	// Paths are called in turn.
	Paths []string
	// Dial opens the connections of an https URL; nil where there is none.
	Dial certificate.Dial
}

// Counts are the answers since someone last asked.
type Counts struct {
	OK     int `json:"ok"`
	Failed int `json:"failed"`
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

	mu     sync.Mutex
	counts Counts
	last   time.Time
}

// New prepares calls.
func New(options Options) *Load {
	return &Load{options: options, client: newHTTPClient(options.Dial), last: time.Now()}
}

// newHTTPClient keeps more idle connections than the standard one's two, for calls side by side.
func newHTTPClient(dial certificate.Dial) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, DialTLSContext: dial}
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

// Run calls until ctx ends and then waits for the calls under way.
func (l *Load) Run(ctx context.Context) {
	ticks := time.NewTicker(time.Second / time.Duration(l.options.Rate))
	defer ticks.Stop()
	var calls sync.WaitGroup
	defer calls.Wait()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			calls.Go(func() { l.call(context.WithoutCancel(ctx), n) })
		}
	}
}

// call makes one call and counts it.
func (l *Load) call(ctx context.Context, n int) {
	path := l.options.Paths[n%len(l.options.Paths)]
	began := time.Now()
	err := l.get(ctx, path, l.options.Keys[n%len(l.options.Keys)])
	l.count(path, began, err)
}

// get makes one call.
func (l *Load) get(ctx context.Context, path, key string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.options.URL+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("X-Api-Key", key)
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
		return fmt.Errorf("%d %s", answer.StatusCode, strings.TrimSpace(string(body)))
	}
	return nil
}

// count takes in one answer.
func (l *Load) count(path string, began time.Time, err error) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.counts.Failed++
		if len(l.counts.Failures) < keptFailures {
			l.counts.Failures = append(l.counts.Failures, fmt.Sprintf("%s %s %v", now.UTC().Format("15:04:05.000"), path, err))
		}
		return
	}
	l.counts.OK++
	l.counts.SlowestMS = max(l.counts.SlowestMS, now.Sub(began).Milliseconds())
	l.counts.LongestGapMS = max(l.counts.LongestGapMS, now.Sub(l.last).Milliseconds())
	l.last = now
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
