package requestlog

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

const (
	// maxQueued is how many calls wait to be written at most, some 300 bytes each: ten seconds of two thousand calls a second.
	maxQueued = 20_000
	// maxOfSeller is how many of them may be of one seller. Its limits admit fewer in a minute.
	maxOfSeller = 1000
	// maxBatch is how many calls are written in one transaction.
	maxBatch = 2000
	// maxRefusal is the longest body of a refusal in the queue, in bytes. Of a longer one error_code is derived at once, and so it
	// is where a failure may quote as much of the request.
	maxRefusal = 2 << 10
	// maxClient is the longest address.
	maxClient = 64
	interval  = time.Second
	// writeTimeout limits one transaction, and stopTimeout what is written when the service stops.
	writeTimeout, stopTimeout = 5 * time.Second, 3 * time.Second
	// pause is the time between attempts when the service stops.
	pause = 100 * time.Millisecond
)

// The outcomes of calls, as metric labels.
const (
	written = "written"
	full    = "full"
	crowded = "crowded"
	lost    = "lost"
)

// Write stores entries, all or none. It is repeated after apierr.Unavailable and apierr.UpstreamTimeout, and must store none of
// them twice; entries with any other error are dropped.
type Write func(ctx context.Context, entries []Entry) error

// Log queues calls and writes them. It is safe for concurrent use.
type Log struct {
	write    Write
	logger   *slog.Logger
	outcomes *prometheus.CounterVec

	mu      sync.Mutex
	queue   []answered
	sellers map[uuid.UUID]int // calls in the queue
	// batch was taken from the queue and is being written; only Keep changes it, with mu.
	batch []Entry
}

// New returns a log; Keep writes it.
func New(write Write, tel *telemetry.Telemetry) (*Log, error) {
	l := &Log{
		write: write, logger: tel.Logger, outcomes: tel.Counter(telemetry.RequestLogCalls), sellers: map[uuid.UUID]int{},
	}
	for _, outcome := range []string{written, full, crowded, lost} {
		l.outcomes.WithLabelValues(outcome) // so that every label is exported from the start
	}
	return l, tel.Observe(func(emit telemetry.Emit) { emit(telemetry.RequestLogQueued, float64(l.queued())) },
		telemetry.RequestLogQueued)
}

// Answered queues a call that was answered; it is [web.Options.Answered]. A call without a known key is not logged.
func (l *Log) Answered(c *gin.Context, facts *web.Facts) {
	if facts.Seller == uuid.Nil {
		return
	}
	call := answered{
		facts: *facts, query: copied(c.Request.URL.RawQuery, maxSent), userAgent: copied(c.Request.UserAgent(), maxUserAgent),
		client: copied(c.ClientIP(), maxClient), trace: trace.SpanContextFromContext(c.Request.Context()).TraceID(),
	}
	if numbers := facts.Numbers; len(numbers.Values) > 0 {
		call.facts.Numbers = telemetry.Number(numbers.Name, strings.Clone(numbers.Values[0]))
	}
	if len(c.Params) > 0 {
		path, _ := web.PathValue(c, c.Params[0].Key)
		call.path = strings.Clone(path)
	}
	if len(facts.Refusal) > maxRefusal || facts.Failure != nil && quotable(c.Request) > maxRefusal {
		call.refusal()
	}
	l.add(call)
}

// copied returns the beginning of a text that a client has sent, without the memory of the rest.
func copied(text string, most int) string { return strings.Clone(text[:min(len(text), most)]) }

// quotable is how many bytes of a request a failure of the gateway may quote.
func quotable(r *http.Request) int {
	return len(r.URL.Path) + len(r.URL.RawQuery) + len(r.Header.Get("Content-Type")) + len(r.Header.Get("Content-Encoding"))
}

func (l *Log) add(call answered) {
	seller := call.facts.Seller
	l.mu.Lock()
	outcome := ""
	switch {
	case len(l.queue)+len(l.batch) >= maxQueued:
		outcome = full
	case l.sellers[seller] >= maxOfSeller:
		outcome = crowded
	default:
		l.queue = append(l.queue, call)
		l.sellers[seller]++
	}
	l.mu.Unlock()
	if outcome != "" {
		l.outcomes.WithLabelValues(outcome).Inc()
	}
}

func (l *Log) queued() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue) + len(l.batch)
}

// Keep writes the queue once a second until ctx ends, and then what is left.
func (l *Log) Keep(ctx context.Context) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-ticker.C:
			if err := l.Flush(ctx); err != nil && ctx.Err() == nil {
				l.logger.LogAttrs(ctx, slog.LevelWarn, "calls could not be written to the request log; they are kept",
					slog.Int("queued", l.queued()), slog.Any("error", err))
			}
		}
	}
	l.stop(context.WithoutCancel(ctx))
}

// stop writes what is left, for as long as a stopping service has time.
func (l *Log) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	for ctx.Err() == nil && l.Flush(ctx) != nil {
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	if left := l.queued(); left > 0 {
		l.outcomes.WithLabelValues(lost).Add(float64(left))
		l.logger.LogAttrs(ctx, slog.LevelError, "calls are lost to the request log", slog.Int("calls", left))
	}
}

// Flush writes the queue. Errors: those after which the rest is kept.
func (l *Log) Flush(ctx context.Context) error {
	for l.take() {
		err := l.writeBatch(ctx)
		switch {
		case err == nil:
			l.outcomes.WithLabelValues(written).Add(float64(len(l.batch)))
		case ctx.Err() != nil || errors.Is(err, apierr.Unavailable) || errors.Is(err, apierr.UpstreamTimeout):
			return err
		default:
			l.outcomes.WithLabelValues(lost).Add(float64(len(l.batch)))
			l.logger.LogAttrs(ctx, slog.LevelError, "calls are lost to the request log", slog.Int("calls", len(l.batch)),
				slog.Any("error", err))
		}
		l.release()
	}
	return nil
}

func (l *Log) writeBatch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return l.write(ctx, l.batch)
}

// take makes the next batch, unless one is there that could not be written; false if there is none.
func (l *Log) take() bool {
	if len(l.batch) > 0 {
		return true
	}
	l.mu.Lock()
	calls := l.queue[:min(len(l.queue), maxBatch)]
	l.queue = l.queue[len(calls):]
	if len(l.queue) == 0 {
		l.queue = nil // so that the memory of a peak is freed
	}
	for _, call := range calls {
		if l.sellers[call.facts.Seller]--; l.sellers[call.facts.Seller] == 0 {
			delete(l.sellers, call.facts.Seller)
		}
	}
	l.mu.Unlock()
	batch := make([]Entry, len(calls))
	for i := range calls {
		batch[i] = calls[i].entry()
	}
	l.mu.Lock()
	l.batch = batch
	l.mu.Unlock()
	return len(batch) > 0
}

func (l *Log) release() {
	l.mu.Lock()
	l.batch = nil
	l.mu.Unlock()
}
