package requestlog

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
)

type fixture struct {
	*Log
	tel     *telemetry.Telemetry
	entries []Entry
	err     error
}

func setup(tb testing.TB) *fixture {
	tb.Helper()
	b := &fixture{tel: telemetrytest.Discard(tb)}
	var err error
	b.Log, err = New(func(_ context.Context, entries []Entry) error {
		if b.err == nil {
			b.entries = append(b.entries, entries...)
		}
		return b.err
	}, b.tel)
	require.NoError(tb, err)
	return b
}

func (b *fixture) calls(seller uuid.UUID, number int) {
	for range number {
		b.add(answered{facts: web.Facts{Seller: seller, Began: time.Now(), Status: http.StatusOK}})
	}
}

// requireCounted requires that every call is written, waits, or is counted as dropped.
func (b *fixture) requireCounted(t *testing.T, calls, full, crowded, lost int) {
	t.Helper()
	counter := b.tel.Counter(telemetry.RequestLogCalls)
	for outcome, want := range map[string]int{"full": full, "crowded": crowded, "lost": lost, "written": len(b.entries)} {
		require.InDelta(t, want, testutil.ToFloat64(counter.WithLabelValues(outcome)), 0, outcome)
	}
	require.Equal(t, calls, len(b.entries)+b.queued()+full+crowded+lost)
}

// A full queue drops further calls and counts them. Those of one seller cannot fill it.
func TestLog_full(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.calls(uuid.New(), maxOfSeller+7)
	b.requireCounted(t, maxOfSeller+7, 0, 7, 0)
	for range maxQueued / maxOfSeller {
		b.calls(uuid.New(), maxOfSeller)
	}
	b.requireCounted(t, maxQueued+maxOfSeller+7, maxOfSeller, 7, 0)
	require.NoError(t, b.Flush(t.Context()))
	b.requireCounted(t, maxQueued+maxOfSeller+7, maxOfSeller, 7, 0)
	require.Len(t, b.entries, maxQueued)
	require.Empty(t, b.sellers)
}

// While the database is away calls stay queued, in their order; the same entries are tried again.
func TestLog_databaseAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.err = apierr.Unavailable.Because(errors.New("away"))
	b.calls(uuid.New(), 3)
	require.ErrorIs(t, b.Flush(t.Context()), apierr.Unavailable)
	ids := []uuid.UUID{b.batch[0].ID, b.batch[1].ID, b.batch[2].ID}
	b.calls(uuid.New(), 2)
	require.ErrorIs(t, b.Flush(t.Context()), apierr.Unavailable)
	b.requireCounted(t, 5, 0, 0, 0)
	b.err = nil
	require.NoError(t, b.Flush(t.Context()))
	b.requireCounted(t, 5, 0, 0, 0)
	require.Equal(t, []uuid.UUID{b.entries[0].ID, b.entries[1].ID, b.entries[2].ID}, ids)
}

// A queued call has some hundred bytes, however long the request was: a seller could fill the memory of the gateway otherwise.
// The test is not parallel, because it measures the memory of the process.
func TestLog_memory(t *testing.T) { //nolint:paralleltest // see above
	b := setup(t)
	seller, long := uuid.New(), strings.Repeat("x", 30<<10)
	before := heap()
	for range maxOfSeller {
		request := httptest.NewRequest(http.MethodGet, "/open/v1/orders/O-20260301-0001?"+strings.Clone(long), nil)
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request, c.Params = request, gin.Params{{Key: telemetry.OrderNo, Value: request.RequestURI[len("/open/v1/orders/"):][:15]}}
		request.RemoteAddr = "192.0.2.1:1234"
		b.Answered(c, &web.Facts{
			Seller: seller, Began: time.Now(), Status: http.StatusUnprocessableEntity,
			Numbers: telemetry.Number(telemetry.OrderNo, c.Params[0].Value),
			Failure: apierr.ValidationError.With(map[string]any{"field": request.URL.RawQuery}),
		})
	}
	require.Less(t, heap()-before, int64(maxOfSeller*2<<10))
	require.NoError(t, b.Flush(t.Context()))
	require.Len(t, b.entries, maxOfSeller)
	require.Equal(t, "O-20260301-0001", b.entries[0].Record)
	require.Equal(t, "VALIDATION_ERROR", b.entries[0].Code)
}

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc) //nolint:gosec // far fewer
}

// Entries that the database refuses for good are counted and do not stop the others.
func TestLog_refusedForGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.err = apierr.Internal.Because(errors.New("no such table"))
	b.calls(uuid.New(), 3)
	require.NoError(t, b.Flush(t.Context()))
	b.requireCounted(t, 3, 0, 0, 3)
}

// Keep writes once a second, and at its end what is left. What cannot be written then is counted.
func TestLog_stop(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]int{"written": 0, "away": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := setup(t)
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() { b.Keep(ctx); close(ended) }()
				b.calls(uuid.New(), 3)
				<-time.After(interval + time.Millisecond)
				synctest.Wait()
				require.Len(t, b.entries, 3)
				b.calls(uuid.New(), 4)
				if lost > 0 {
					b.err = apierr.Unavailable
				}
				cancel()
				<-ended
				require.Len(t, b.entries, 7-lost)
				require.InDelta(t, lost, testutil.ToFloat64(b.tel.Counter(telemetry.RequestLogCalls).WithLabelValues("lost")), 0)
			})
		})
	}
}

// What a call costs on its path, and what it costs beside it.
func BenchmarkAnswered(b *testing.B) {
	one := setup(b)
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/open/v1/orders?limit=100&updated_at_gte=2026-01-01T00:00:00Z", nil)
	c.Request.Header.Set("User-Agent", "sellerapi-python/1.0 (Python 3.13)")
	facts := &web.Facts{
		Seller: uuid.New(), KeyID: uuid.New(), Began: time.Now(), Status: http.StatusOK, RequestID: uuid.NewString(),
		Operation: "list_orders", Rows: 100, Took: time.Millisecond,
	}
	b.Run("path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			one.Answered(c, facts)
			if len(one.queue) >= maxOfSeller {
				one.queue, one.sellers = one.queue[:0], map[uuid.UUID]int{}
			}
		}
	})
	b.Run("entry", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = (&answered{facts: *facts, query: c.Request.URL.RawQuery, userAgent: c.Request.UserAgent(), client: "192.0.2.1"}).entry()
		}
	})
}
