package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/telemetry"
)

// unnamed is the label and span name of statements without a name. Their text
// must not become a label, because its cardinality may be unbounded.
const unnamed = "unnamed"

// bounds are the transaction control statements, which pgx sends without a
// name. They are measured separately because a slow commit indicates a slow disk.
var bounds = []string{"begin", "commit", "rollback", "savepoint", "release"}

// QueryName returns the name in the leading "-- name: X" comment of a statement,
// the first word of what begins or ends a transaction, or "unnamed".
func QueryName(sql string) string {
	rest, ok := strings.CutPrefix(sql, namePrefix)
	if !ok {
		return boundName(sql)
	}
	line, _, _ := strings.Cut(rest, "\n")
	return cmp.Or(strings.TrimSpace(line), unnamed)
}

// boundName is QueryName for statements without the comment.
func boundName(sql string) string {
	word, _, _ := strings.Cut(sql, " ")
	if slices.Contains(bounds, word) {
		return word
	}
	return unnamed
}

// Arguments are never recorded, because they can be personal data.
func newTracer(tel *telemetry.Telemetry, limit time.Duration) pgx.QueryTracer {
	spans := otelpgx.NewTracer(
		otelpgx.WithTracerProvider(tel.TracerProvider),
		otelpgx.WithMeterProvider(tel.MeterProvider),
		otelpgx.WithSpanNameFunc(QueryName),
		otelpgx.WithDisableConnectionDetailsInAttributes(),
	)
	return multitracer.New(spans, &stopwatch{durations: tel.Histogram(telemetry.DBQueryDuration), limit: limit})
}

// stopwatch measures statements; a batch is measured as a whole. It also sets
// a deadline for each. The server's statement_timeout has no effect when the
// server hangs or the network drops packets: without the deadline a caller
// without one would then block its connection forever.
type stopwatch struct {
	durations *prometheus.HistogramVec
	limit     time.Duration
}

type started struct{}

type measurement struct {
	name   string
	start  time.Time
	cancel context.CancelFunc
}

// TraceQueryStart implements pgx.QueryTracer.
func (s *stopwatch) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return s.begin(ctx, QueryName(data.SQL))
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *stopwatch) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	s.end(ctx, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer.
func (s *stopwatch) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	return s.begin(ctx, batchName(data.Batch))
}

// batchName returns the name under which a batch is measured: the commit at its end, the statement that Scoped or Page sends
// after setting the seller, else that of a batch.
func batchName(batch *pgx.Batch) string {
	sent := batch.QueuedQueries
	if len(sent) > 0 && sent[len(sent)-1].SQL == commit {
		return commit
	}
	for n, query := range sent {
		switch {
		case query.SQL == own.SQL("SetSeller"), query.SQL == own.SQL("SellerClock") && n < len(sent)-1:
		case n < len(sent)-1 && boundName(query.SQL) == "begin":
		case n > 0 && n == len(sent)-1:
			return QueryName(query.SQL)
		default:
			return "batch"
		}
	}
	return "batch"
}

// TraceBatchQuery implements pgx.BatchTracer.
func (s *stopwatch) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (s *stopwatch) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	s.end(ctx, data.Err)
}

func (s *stopwatch) begin(ctx context.Context, name string) context.Context {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	return context.WithValue(ctx, started{}, measurement{name: name, start: time.Now(), cancel: cancel})
}

func (s *stopwatch) end(ctx context.Context, err error) {
	m, ok := ctx.Value(started{}).(measurement)
	if !ok {
		return
	}
	m.cancel()
	outcome := "ok"
	if err != nil {
		outcome = "error"
	}
	s.durations.WithLabelValues(m.name, outcome).Observe(time.Since(m.start).Seconds())
}

// observePool registers metrics of the pool that are read at each scrape.
func observePool(tel *telemetry.Telemetry, pool *pgxpool.Pool) error {
	return tel.Observe(func(emit telemetry.Emit) {
		stat := pool.Stat()
		emit(telemetry.DBPoolConnections, float64(stat.AcquiredConns()), "in_use")
		emit(telemetry.DBPoolConnections, float64(stat.IdleConns()), "idle")
		emit(telemetry.DBPoolConnections, float64(stat.ConstructingConns()), "opening")
		emit(telemetry.DBPoolConnections, float64(stat.MaxConns()), "max")
		emit(telemetry.DBPoolAcquires, float64(stat.AcquireCount()))
		emit(telemetry.DBPoolAcquireWaits, float64(stat.EmptyAcquireCount()))
		emit(telemetry.DBPoolAcquireCancels, float64(stat.CanceledAcquireCount()))
		emit(telemetry.DBPoolAcquireSeconds, stat.AcquireDuration().Seconds())
	}, telemetry.DBPoolConnections, telemetry.DBPoolAcquires, telemetry.DBPoolAcquireWaits,
		telemetry.DBPoolAcquireCancels, telemetry.DBPoolAcquireSeconds)
}
