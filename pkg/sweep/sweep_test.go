package sweep_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errAway = errors.New("away")

func items(n int, do func(context.Context) error) []sweep.Item {
	list := make([]sweep.Item, n)
	for i := range list {
		list[i] = sweep.Item{Key: strconv.Itoa(i), Do: do}
	}
	return list
}

func finding(list ...sweep.Item) sweep.Sweep {
	return sweep.Sweep{
		Name: "test", Interval: time.Minute,
		Find: func(_ context.Context, limit int) ([]sweep.Item, error) {
			return append([]sweep.Item{}, list[:min(limit, len(list))]...), nil
		},
	}
}

func runs(tel *telemetry.Telemetry, outcome string) float64 {
	return testutil.ToFloat64(tel.Counter(telemetry.JobRuns).WithLabelValues("test", outcome))
}

// A dependency that is down is down for all items, and is not called five hundred times.
func TestOnce_stopsAfterAFewFailures(t *testing.T) {
	t.Parallel()
	var tried atomic.Int32
	s := sweep.New(finding(items(400, func(context.Context) error { tried.Add(1); return errAway })...), telemetrytest.Discard(t))
	more, err := s.Once(t.Context())
	require.ErrorIs(t, err, errAway)
	require.False(t, more)
	require.GreaterOrEqual(t, tried.Load(), int32(5))
	require.Less(t, tried.Load(), int32(10))
}

// A failing item does not block others, wherever it is in the batch; a panic fails only its item.
func TestOnce_failuresOfItemsOfTheirOwn(t *testing.T) {
	t.Parallel()
	var done atomic.Int32
	tel := telemetrytest.Discard(t)
	list := items(20, func(context.Context) error { done.Add(1); return nil })
	list[0].Do = func(context.Context) error { return errAway }
	list[1].Do = func(context.Context) error { panic("a mistake in the program") }
	_, err := sweep.New(finding(list...), tel).Once(t.Context())
	require.ErrorContains(t, err, "0: away")
	require.ErrorContains(t, err, "1: panic: a mistake in the program")
	require.Equal(t, int32(18), done.Load())
	require.Equal(t, []float64{18, 1, 1}, []float64{runs(tel, "done"), runs(tel, "retry"), runs(tel, "panic")})
}

// When more items fail than a sweep tries at once, they do not delay for long an item that would succeed.
func TestOnce_manyFailuresHideNothing(t *testing.T) {
	t.Parallel()
	done := false
	list := items(40, func(context.Context) error { return errAway })
	list = append(list, sweep.Item{Key: "healthy", Do: func(context.Context) error { done = true; return nil }})
	s := sweep.New(finding(list...), telemetrytest.Discard(t))
	for try := 0; !done; try++ {
		require.Less(t, try, 1000)
		_, _ = s.Once(t.Context())
	}
}

// The loop continues whatever fails, and runs at least once per interval.
func TestKeep_goesOnAfterEveryFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		ctx, cancel := context.WithCancel(t.Context())
		s := finding()
		s.Find = func(context.Context, int) ([]sweep.Item, error) {
			looks++
			switch looks {
			case 1:
				return nil, errAway
			case 2:
				panic("a mistake in the program")
			case 3:
				return items(1, func(context.Context) error { panic("another one") }), nil
			default:
				cancel()
				return nil, nil
			}
		}
		begun := time.Now()
		sweep.New(s, telemetrytest.Discard(t)).Keep(ctx)
		require.Equal(t, 4, looks)
		require.GreaterOrEqual(t, time.Since(begun), 3*s.Interval/2)
		require.LessOrEqual(t, time.Since(begun), 3*s.Interval)
	})
}

// A backlog is processed without pauses, unless it fails.
func TestKeep_fullBatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		found  int
		err    error
		pauses bool
	}{
		"full": {500, nil, false}, "partial batch": {499, nil, true}, "full batch with errors": {500, errAway, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			looks := 0
			ctx, cancel := context.WithCancel(t.Context())
			s := finding(items(c.found, func(context.Context) error { return c.err })...)
			find := s.Find
			s.Find = func(ctx context.Context, limit int) ([]sweep.Item, error) {
				if looks++; looks == 10 {
					cancel()
				}
				return find(ctx, limit)
			}
			begun := time.Now()
			sweep.New(s, telemetrytest.Discard(t)).Keep(ctx)
			require.Equal(t, c.pauses, time.Since(begun) > 0, name)
		})
	}
}

// A batch is full when its rows are many, not its items.
func TestOnce_rowsTogether(t *testing.T) {
	t.Parallel()
	list := items(3, func(context.Context) error { return nil })
	list[0].Rows, list[1].Rows = 400, 98
	for rows, wanted := range map[int]bool{0: false, 1: false, 2: true} {
		list[2].Rows = rows
		more, err := sweep.New(finding(list...), telemetrytest.Discard(t)).Once(t.Context())
		require.NoError(t, err)
		require.Equal(t, wanted, more, rows)
	}
}

// A dependency that hangs costs an item its timeout and no more.
func TestOnce_anItemThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		begun := time.Now()
		_, err := sweep.New(finding(items(3, hang)...), telemetrytest.Discard(t)).Once(t.Context())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Second, time.Since(begun))
	})
}

// When the service stops, running items are finished, none is started, and one that hangs is given up at its timeout.
func TestKeep_end(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes, ends time.Duration
	}{"finished": {2 * time.Second, 2 * time.Second}, "cancelled": {time.Hour, 3 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var begun, finished atomic.Int32
			s := finding(items(100, func(ctx context.Context) error {
				begun.Add(1)
				select {
				case <-ctx.Done():
				case <-time.After(c.takes):
					finished.Add(1)
				}
				return ctx.Err()
			})...)
			ended := make(chan struct{})
			go func() { defer close(ended); sweep.New(s, telemetrytest.Discard(t)).Keep(ctx) }()
			synctest.Wait()
			cancel()
			from := time.Now()
			<-ended
			require.Equal(t, c.ends, time.Since(from), name)
			require.Equal(t, int32(4), begun.Load(), name)
			require.Equal(t, c.takes < c.ends+1, finished.Load() == 4, name)
		})
	}
}

// Later work for a request belongs to the trace of the request, and its span names the row.
func TestOnce_trace(t *testing.T) {
	t.Parallel()
	tel, spans := telemetrytest.Recording(t)
	ctx, request := tel.TracerProvider.Tracer("test").Start(t.Context(), "request")
	item := sweep.Item{
		Key: "a", About: telemetry.Number(telemetry.ClaimNo, "C-1"), Traceparent: telemetry.Traceparent(ctx),
		Do: func(ctx context.Context) error {
			require.Equal(t, request.SpanContext().TraceID(), trace.SpanContextFromContext(ctx).TraceID())
			return nil
		},
	}
	request.End()
	_, err := sweep.New(finding(item), tel).Once(t.Context())
	require.NoError(t, err)
	job := spans.Ended()[1]
	require.Equal(t, "job test", job.Name())
	require.Equal(t, trace.SpanKindConsumer, job.SpanKind())
	require.Contains(t, job.Attributes(), attribute.String("claim_no", "C-1"))
	require.Equal(t, request.SpanContext().SpanID(), job.Parent().SpanID())
}

func TestEach(t *testing.T) {
	t.Parallel()
	find := sweep.Each(func(_ context.Context, limit int) ([]int, error) { return []int{limit}, errAway }, func(n int) sweep.Item {
		return sweep.Item{Key: strconv.Itoa(n)}
	})
	found, err := find(t.Context(), 7)
	require.ErrorIs(t, err, errAway)
	require.Equal(t, []sweep.Item{{Key: "7"}}, found)
}
