package admission

import (
	"context"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// pipelined is a client whose scripts are sent in the library's own pipelines.
type pipelined struct {
	goredis.UniversalClient

	pipeline *goredis.AutoPipeliner
}

// EvalSha implements goredis.Scripter.
func (p pipelined) EvalSha(ctx context.Context, digest string, keys []string, args ...any) *goredis.Cmd {
	return p.pipeline.EvalSha(ctx, digest, keys, args...)
}

// BenchmarkCharge compares the batcher with the library's own pipelining, and with a command for each call, as a cluster gets it.
//
//	go test ./internal/admission -run '^$' -bench Charge -benchtime 1s -count 3
func BenchmarkCharge(b *testing.B) {
	const wide = 5000
	server := redistest.Own(b, Scripts()...)
	limits := ratelimit.Config{Window: time.Second, Read: wide, Process: wide, Rows: wide * ratelimit.MaxRows, Timeout: longTimeout}
	client, ok := server.Client.(*goredis.Client)
	require.True(b, ok)
	pipeline, err := client.AutoPipeline()
	require.NoError(b, err)
	for _, callers := range []int{1, 8, 64} {
		for _, side := range []struct {
			name string
			with func(*guard)
		}{
			{"batcher", func(*guard) {}},
			{"autopipeline", func(g *guard) { g.batcher, g.client = nil, pipelined{server.Client, pipeline} }},
			{"alone", func(g *guard) { g.batcher = nil }},
		} {
			b.Run("callers="+strconv.Itoa(callers)+"/"+side.name, func(b *testing.B) {
				admitter := New(server.Client, limits, idempotency.Config{})
				side.with(admitter.guard)
				charge(b, server, admitter, callers)
			})
		}
	}
}

func processorTime(b *testing.B, server *redistest.Server) time.Duration {
	b.Helper()
	gateway, err := launch.CPU(os.Getpid())
	require.NoError(b, err)
	redis, err := launch.CPU(server.Process.PID())
	require.NoError(b, err)
	return gateway + redis
}

// charge charges this many calls, with many keys, by this many concurrent callers, and reports their CPU time.
func charge(b *testing.B, server *redistest.Server, admitter *Admitter, callers int) {
	b.Helper()
	const keys = 1500
	calls := make([]Call, keys)
	for i := range calls {
		calls[i] = Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: operation.Read, Reserve: 50}
		require.NoError(b, admitter.PutKey(b.Context(), calls[i].Key, time.Time{}))
	}
	before := processorTime(b, server)
	b.ResetTimer()
	var charged atomic.Int64
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for n := int(charged.Add(1)); n <= b.N; n = int(charged.Add(1)) {
				decision, err := admitter.Charge(b.Context(), calls[n%keys])
				if err != nil || decision.Verdict != Admitted {
					b.Errorf("%s: %v", decision.Verdict, err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64((processorTime(b, server)-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// BenchmarkRefused reports the CPU time of calls that a full window refuses, which add nothing to the memory of the key.
func BenchmarkRefused(b *testing.B) {
	server := redistest.Own(b, Scripts()...)
	admitter := New(server.Client, ratelimit.Config{Window: time.Hour}, idempotency.Config{})
	call := Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: operation.Read, Reserve: 50}
	require.NoError(b, admitter.PutKey(b.Context(), call.Key, time.Time{}))
	verdict := Admitted
	charge := func() {
		decision, err := admitter.Charge(b.Context(), call)
		require.NoError(b, err)
		verdict = decision.Verdict
	}
	for verdict == Admitted {
		charge()
	}
	window := namesOf(call.Key.SellerID).window(call.Key.ID, call.Class)
	before, cpu := server.Client.MemoryUsage(b.Context(), window).Val(), processorTime(b, server)
	for b.Loop() {
		charge()
	}
	require.Equal(b, before, server.Client.MemoryUsage(b.Context(), window).Val())
	require.Equal(b, Refused, verdict)
	b.ReportMetric(float64((processorTime(b, server)-cpu).Nanoseconds())/float64(b.N), "cpu-ns/op")
}
