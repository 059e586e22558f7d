package gateway_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway"
)

const (
	waitFor = time.Minute
	tick    = 50 * time.Millisecond
)

func becomes(t *testing.T, address, key string, want int) (body string) {
	t.Helper()
	require.Eventually(t, func() bool {
		status, text := get(t, address, key)
		body = string(text)
		return status == want
	}, waitFor, tick)
	return body
}

func evict(t *testing.T, server *redistest.Server, policy string) {
	t.Helper()
	require.NoError(t, server.Client.ConfigSet(t.Context(), "maxmemory-policy", policy).Err())
}

func mayDrop(policy string) string {
	return "the Redis server may drop keys: its maxmemory-policy is " + policy + " and must be noeviction"
}

// A Redis that evicts keys would forget that a call was counted or that an operation is in progress.
func TestRun_evictingRedisAtStart(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	evict(t, server, "allkeys-lru")
	settings := config(t)
	settings.Redis = server.Config
	require.EqualError(t, gateway.Run(t.Context(), settings), "start gateway: "+mayDrop("allkeys-lru"))
}

// A Redis that was unavailable at the start may turn out to evict keys. Only the log can tell the operator what to change.
func TestReadyz_503EvictingRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	evict(t, server, "allkeys-lru")
	settings, logs := config(t), &telemetrytest.Lines{}
	settings.Redis, settings.Service.Telemetry.Logs = server.Config, logs
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGSTOP))
	ready := "http://" + start(t, settings)["ops"] + "/readyz"
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGCONT))
	const evicts = `"name":"redis_at_start","ok":false,"error":"evicts"`
	require.Eventually(t, func() bool {
		return strings.Contains(becomes(t, ready, "", http.StatusServiceUnavailable),
			evicts)
	}, waitFor, tick)
	logged(t, logs, `"check":"redis_at_start","class":"evicts","error":"`+mayDrop("allkeys-lru")+`"`)
	evict(t, server, "volatile-ttl")
	logged(t, logs, `"check":"redis_at_start","class":"evicts","error":"`+mayDrop("volatile-ttl")+`"`)
	evict(t, server, "noeviction")
	becomes(t, ready, "", http.StatusOK)
	logged(t, logs, `"msg":"dependency recovered"`, `"check":"redis_at_start"`)
}

func TestRun_missingDependencyLogHasNoSecrets(t *testing.T) {
	t.Parallel()
	settings, logs := config(t), &telemetrytest.Lines{}
	settings.Redis.URL = secret.New("redis://user:canary@127.0.0.1:1/0")
	settings.Postgres.URL = secret.New("postgres://user:canary@127.0.0.1:1/orders")
	settings.Service.Telemetry.Logs = logs
	start(t, settings)
	for _, check := range []string{"redis_at_start", "postgres_at_start", "redis", "postgres"} {
		logged(t, logs, `"msg":"dependency missing"`, `"check":"`+check+`","class":"refused"`)
	}
	require.NotContains(t, logs.String(), "canary")
}

func logged(t *testing.T, logs *telemetrytest.Lines, parts ...string) {
	t.Helper()
	require.Eventually(t, func() bool {
		for line := range strings.Lines(logs.String()) {
			if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) }) {
				return true
			}
		}
		return false
	}, waitFor, tick, "%v", parts)
}

// Redis without memory and PostgreSQL without writes respond to every probe; the operator must see why calls are refused.
func TestReadyz200ImpairedDependencies(t *testing.T) {
	t.Parallel()
	server, settings := redistest.Own(t), config(t)
	settings.Redis, settings.Postgres = server.Config, postgres.Config{URL: pgtest.Database(t)}
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	redistest.Fill(t, server)
	admin, err := pgx.Connect(t.Context(), settings.Postgres.URL.Reveal())
	require.NoError(t, err)
	_, err = admin.Exec(t.Context(),
		"alter database "+pgx.Identifier{admin.Config().Database}.Sanitize()+" set default_transaction_read_only = on")
	require.NoError(t, errors.Join(err, admin.Close(t.Context())))
	ops := "http://" + start(t, settings)["ops"]
	body := becomes(t, ops+"/readyz", "", http.StatusOK)
	require.Contains(t, body, `{"name":"postgres","ok":true,"optional":true,"impaired":"read_only"}`)
	require.Contains(t, body, `{"name":"redis","ok":true,"optional":true,"impaired":"full"}`)
	metrics := becomes(t, ops+"/metrics", "", http.StatusOK)
	require.Contains(t, metrics, `dependency_impaired{check="postgres",impairment="read_only"} 1`)
	require.Contains(t, metrics, `dependency_impaired{check="redis",impairment="full"} 1`)
}

// All replicas lose Redis at the same time; an ingress without replicas would send responses of its own.
func TestReadyz_200RedisAway(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	settings := config(t)
	settings.Redis = server.Config
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	addresses := start(t, settings)
	ready := "http://" + addresses["ops"] + "/readyz"
	becomes(t, ready, "", http.StatusOK)
	_, text := issue(t, console(t, settings, addresses))
	require.NoError(t, server.Process.Kill())
	require.Eventually(t, func() bool {
		status, body := get(t, ready, "")
		require.Equal(t, http.StatusOK, status)
		return strings.Contains(string(body), `"name":"redis","ok":false`)
	}, waitFor, tick)
	require.Contains(t, becomes(t, "http://"+addresses["public"]+"/open/v1/orders", text, http.StatusServiceUnavailable),
		"RATE_LIMIT_UNAVAILABLE")
	require.NoError(t, server.Process.Restart(t.Context()))
	require.Eventually(t, func() bool { // only the service is missing now
		_, body := get(t, "http://"+addresses["public"]+"/open/v1/orders", text)
		return strings.Contains(string(body), `"error_code":null`)
	}, waitFor, tick)
}

func issue(t *testing.T, keys gatewayv1connect.KeysClient) (*gatewayv1.Key, string) {
	t.Helper()
	seller := uuid.NewString()
	_, err := keys.RegisterSeller(t.Context(), &gatewayv1.RegisterSellerRequest{SellerId: seller, Name: "S", Actor: "kim"})
	require.NoError(t, err)
	issued, err := keys.IssueKey(t.Context(), &gatewayv1.IssueKeyRequest{
		SellerId: seller, Scopes: []string{"orders:read", "orders:write", "claims:read", "claims:write"}, Actor: "kim",
		RequestId: uuid.NewString(),
	})
	require.NoError(t, err)
	return issued.GetKey(), issued.GetText()
}

// The caller of a revocation is told that it is not certain yet, and it becomes certain without intervention.
func TestRevocation_certainOnceRedisIsBack(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	settings := config(t)
	settings.Redis, settings.RPC.Timeout = server.Config, 10*time.Second
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	one, other := start(t, settings), start(t, settings)
	keys := console(t, settings, one)
	key, text := issue(t, keys)
	page := func(a service.Addresses) string { return "http://" + a["public"] + "/open/v1/orders" }
	for _, a := range []service.Addresses{one, other} {
		becomes(t, page(a), text, http.StatusServiceUnavailable) // orders has no address
	}
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGSTOP))
	_, err := keys.RevokeKey(t.Context(), &gatewayv1.RevokeKeyRequest{
		SellerId: key.GetSellerId(), KeyId: key.GetKeyId(), Actor: "kim",
	})
	require.Contains(t, []connect.Code{connect.CodeUnavailable, connect.CodeDeadlineExceeded}, connect.CodeOf(err))
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGCONT))
	for _, a := range []service.Addresses{one, other} {
		require.Contains(t, becomes(t, page(a), text, http.StatusUnauthorized), "INVALID_API_KEY")
	}
}

// A setting that gives the services no time is refused at the start.
func TestRun_noTimeForServices(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.Upstream.Timeout = -1
	require.ErrorContains(t, gateway.Run(t.Context(), settings), "UPSTREAM_TIMEOUT")
}
