package e2e

import (
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

func requireFail(t *testing.T, s *stacktest.Stack, concerned func(operation) bool, status int, code string) []stacktest.Answer {
	t.Helper()
	key := s.Seller(t).Key
	answers := make([]stacktest.Answer, 0, len(operations))
	for _, call := range callsOf(concerned, key, uuid.NewString()) {
		answer := s.Once(t, call)
		stacktest.RequireFailure(t, answer, status, code)
		answers = append(answers, answer)
	}
	return answers
}

// A database that has lost its tables is an unexpected fault; clients see the error envelope but not the cause.
func TestEveryOperation_500UnforeseenFault(t *testing.T) {
	t.Parallel()
	s := stacktest.Own(t, func(*stack.Config) {})
	for _, schema := range []string{"orders", "claims", "qna"} {
		// it may collide with a sweep, which goes on when refused
		stacktest.Await(t, "the tables of "+schema+" are dropped", func() bool {
			_, err := s.SQL(t).Exec(t.Context(), "drop schema if exists "+schema+" cascade")
			return err == nil
		})
	}
	for _, answer := range requireFail(t, s, operation.forwarded, http.StatusInternalServerError, "") {
		require.Equal(t, "An unexpected error occurred.", answer.Meta.Message)
		require.Len(t, answer.Meta.ErrorData, 2, "only the request ID and the page")
	}
}

// A service that rejects the gateway's signature sends a response that must not reach a client.
func TestEveryOperation_502RefusedSignature(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t).Through(t, func(config *gateway.Config) {
		config.SigningKey, config.TrustedKeys = trusttest.Key(trust.Gateway), trusttest.Keys()
	})
	requireFail(t, s, operation.forwarded, http.StatusBadGateway, "")
}

// A call to an unreachable service was not processed, so the same request may be retried soon.
func TestEveryOperation_503ServiceAway(t *testing.T) {
	t.Parallel()
	const unreachable = "http://127.0.0.1:1" // a privileged port that nothing listens on
	s := stacktest.Use(t).Through(t, func(config *gateway.Config) {
		config.Upstream.Upstreams = service.Upstreams{"orders": unreachable, "claims": unreachable} // qna has no address
	})
	for _, answer := range requireFail(t, s, operation.forwarded, http.StatusServiceUnavailable, "") {
		require.Regexp(t, `^[1-6]$`, answer.Header.Get("Retry-After")) // it grows with the outage
	}
}

// No client waits indefinitely.
func TestEveryOperation_504SlowService(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t).Through(t, func(config *gateway.Config) { config.Upstream.Timeout = time.Nanosecond })
	requireFail(t, s, operation.forwarded, http.StatusGatewayTimeout, "")
}

// When limits cannot be checked nothing is processed, and the response says so.
func TestEveryOperation_503WithoutRedis(t *testing.T) {
	t.Parallel()
	redis, err := launch.PooledRedis(t.Context())
	require.NoError(t, err)
	s := stacktest.Use(t).Through(t, func(config *gateway.Config) {
		config.Redis.URL, config.Limits.Timeout = secret.New(redis.URL), 0
	})
	require.NoError(t, redis.Stop())
	for _, answer := range requireFail(t, s, operation.any, http.StatusServiceUnavailable, "RATE_LIMIT_UNAVAILABLE") {
		require.Equal(t, "1", answer.Header.Get("Retry-After"))
	}
}

// listen opens a port that accepts connections and never responds.
func listen(t *testing.T) net.Listener {
	t.Helper()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, port.Close()) })
	return port
}

func ownRedis(t *testing.T) func(*gateway.Config) {
	t.Helper()
	redis, err := launch.PooledRedis(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, redis.Stop()) })
	return func(config *gateway.Config) { config.Redis.URL = secret.New(redis.URL) }
}
