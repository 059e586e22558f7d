package redis_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A server that evicts keys is not ready, and the check names its policy.
func TestCheck_evictingServer(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	check := redis.Check(server.Client, telemetrytest.Discard(t))
	require.NoError(t, check(t.Context()))
	for _, policy := range []string{"allkeys-lru", "volatile-ttl"} {
		require.NoError(t, server.Client.ConfigSet(t.Context(), "maxmemory-policy", policy).Err())
		err := check(t.Context())
		require.ErrorContains(t, err, "its maxmemory-policy is "+policy+" and must be noeviction")
		var evicts *redis.EvictionError
		require.ErrorAs(t, err, &evicts)
		require.Equal(t, "evicts", evicts.ProbeClass())
	}
}

// A server that refuses writes still responds to PING: every call of a seller would be refused while
// it looks healthy.
func TestCheck_fullServer(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	tel := telemetrytest.Discard(t)
	check := redis.Check(server.Client, tel)
	inUse := func() float64 { return testutil.ToFloat64(tel.Gauge(telemetry.RedisMemoryInUse).WithLabelValues()) }
	require.NoError(t, check(t.Context()))
	require.Zero(t, inUse(), "no maxmemory")
	redistest.Fill(t, server)
	keys := server.Client.DBSize(t.Context()).Val()
	var full *redis.FullError
	require.ErrorAs(t, check(t.Context()), &full)
	require.Equal(t, redis.ImpairmentFull, full.ProbeImpairment())
	require.InDelta(t, 1, inUse(), .05)
	require.Equal(t, keys, server.Client.DBSize(t.Context()).Val(), "the probe writes nothing")
	require.NoError(t, server.Client.FlushAll(t.Context()).Err())
	require.Eventually(t, func() bool { return check(t.Context()) == nil }, time.Minute, 10*time.Millisecond)
	require.Less(t, inUse(), .95)
}

// A server that is down is not ready, and is ready again after its restart.
func TestCheck_outageAndRecovery(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	check := redis.Check(server.Client, telemetrytest.Discard(t))
	require.NoError(t, check(t.Context()))
	require.NoError(t, server.Process.Kill())
	require.ErrorContains(t, check(t.Context()), "ping Redis")
	require.NoError(t, server.Process.Restart(t.Context()))
	require.Eventually(t, func() bool { return check(t.Context()) == nil }, time.Minute, 10*time.Millisecond)
}

// A server that never responds costs no more than the timeout.
func TestOpen_silentServerCostsTimeout(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts and never responds
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	server := redistest.Server{Config: redis.Config{
		URL:         secret.New("redis://" + silent.Addr().String()),
		ReadTimeout: 50 * time.Millisecond,
	}}
	began := time.Now()
	require.Error(t, server.Open(t, telemetrytest.Discard(t)).Ping(t.Context()).Err())
	require.Less(t, time.Since(began), 30*time.Second)
}

func TestHaltedServer_obeysCallerDeadline(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	server.Config.ReadTimeout = time.Minute
	client := server.Open(t, telemetrytest.Discard(t))
	require.NoError(t, client.Ping(t.Context()).Err())
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGSTOP))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	require.Error(t, client.Ping(ctx).Err())
	require.Less(t, time.Since(began), 30*time.Second)
}

func TestCommands_notResentAfterLostAnswer(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	server.Config.ReadTimeout = 200 * time.Millisecond
	client := server.Open(t, telemetrytest.Discard(t))
	const slow = "redis.call('incr', KEYS[1]); local t = redis.call('time'); local e = t[1] * 1000 + t[2] / 1000 + 600; " +
		"repeat t = redis.call('time') until t[1] * 1000 + t[2] / 1000 > e"
	require.Error(t, client.Eval(t.Context(), slow, []string{"n"}).Err())
	require.Equal(t, "1", server.Client.Get(t.Context(), "n").Val())
}

func TestCommands_tracedWithoutArguments(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	tel, spans := telemetrytest.Recording(t)
	script := redis.NewScript("count_call", "return redis.call('incr', KEYS[1])")
	client := server.Open(t, tel, script)
	ctx, parent := tel.Tracer("test").Start(t.Context(), "request")
	require.NoError(t, client.Set(ctx, "k", "personal datum", 0).Err())
	require.ErrorIs(t, client.Get(ctx, "nothing").Err(), goredis.Nil)
	require.NoError(t, script.Run(ctx, client, []string{"n"}).Err())
	require.NoError(t, client.Ping(ctx).Err())
	parent.End()

	ended := spans.Ended()
	names := make([]string, 0, len(ended))
	for _, span := range ended {
		names = append(names, span.Name())
		require.NotContains(t, fmt.Sprint(span.Attributes()), "personal datum")
	}
	require.Equal(t, []string{"set", "get", "count_call", "request"}, names, "no spans of probes and connections")
	measured := values(t, tel, telemetry.RedisCommandDuration)
	for _, want := range []string{"set ok", "get ok", "count_call ok", "ping ok"} {
		require.InDelta(t, 1, measured[want], 0, want)
	}
}

func TestThePoolIsMeasured(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	tel := telemetrytest.Discard(t)
	client := server.Open(t, tel)
	require.NoError(t, client.Ping(t.Context()).Err())
	require.Equal(t, map[string]float64{"in_use": 0, "idle": 1, "max": 64}, values(t, tel, telemetry.RedisPoolConnections))
	_, err := redis.Open(t.Context(), server.Config, tel)
	require.Error(t, err, "two clients cannot be told apart in one instance's metrics")
}

// values returns the values of a metric by their labels: for a gauge its value, for a histogram the
// number of observations.
func values(t *testing.T, tel *telemetry.Telemetry, metric telemetry.Metric) map[string]float64 {
	t.Helper()
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		if family.GetName() != metric.Name {
			continue
		}
		for _, m := range family.GetMetric() {
			key := make([]string, len(metric.Labels))
			for _, label := range m.GetLabel() {
				key[slices.Index(metric.Labels, label.GetName())] = label.GetValue()
			}
			found[strings.Join(key, " ")] = m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return found
}
