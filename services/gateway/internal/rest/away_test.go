package rest_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// away returns a gateway with its own Redis and the short timeout of production, and the number of requests that reached the
// service.
func away(t *testing.T, limits ratelimit.Config) (b *fixture, arrived *atomic.Int64) {
	t.Helper()
	limits.Timeout = 0 // the default
	arrived = new(atomic.Int64)
	b = begin(t, setting{limits: filled(limits), redis: redistest.Own(t, admission.Scripts()...)},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			arrived.Add(1)
			rows(w, r)
		}))
	return b, arrived
}

func unavailable(t *testing.T, got answer) {
	t.Helper()
	refused(t, got, http.StatusServiceUnavailable, "RATE_LIMIT_UNAVAILABLE")
	require.Equal(t, "1", got.header.Get("Retry-After"))
}

// eventually sends a call until the response is 200.
func (b *fixture) eventually(t *testing.T, sent call) answer {
	t.Helper()
	var got answer
	require.Eventually(t, func() bool {
		got = b.send(t, sent)
		return got.status == http.StatusOK
	}, waitFor, 20*tick)
	return got
}

// An invalid key is refused as such with and without Redis; a key that may have been revoked is not admitted.
func TestRedisGone_goodAndBadKeys(t *testing.T) {
	t.Parallel()
	b, arrived := away(t, plenty)
	_, text := b.key(t)
	require.NoError(t, b.redis.Process.Kill())
	refused(t, b.send(t, reading("nobody", "/open/v1/orders")), http.StatusUnauthorized, "INVALID_API_KEY")
	refused(t, b.send(t, reading("", "/open/v1/orders")), http.StatusUnauthorized, "API_KEY_REQUIRED")
	unavailable(t, b.send(t, reading(text, "/open/v1/orders")))
	refused(t, b.send(t, reading(text, "/open/v1/none")), http.StatusNotFound, "")
	require.Zero(t, arrived.Load())
}
