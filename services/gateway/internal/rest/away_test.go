package rest_test

import (
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// generous is a time within which a loaded machine does what should take 150 ms.
const generous = 30 * time.Second

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

func TestRedisSilent_503Soon(t *testing.T) {
	t.Parallel()
	b, arrived := away(t, plenty)
	_, text := b.key(t)
	read, write := reading(text, "/open/v1/orders?rows=1"), posting(text, "key", prepare("O-1")+"?rows=1", "{}")
	b.eventually(t, read)
	before := arrived.Load()
	require.NoError(t, syscall.Kill(b.redis.Process.PID(), syscall.SIGSTOP))
	quickest := generous
	for i := range 20 {
		sent := read
		if i%2 == 1 {
			sent = write
		}
		began := time.Now()
		unavailable(t, b.send(t, sent))
		took := time.Since(began)
		require.Less(t, took, generous)
		quickest = min(quickest, took)
	}
	require.Less(t, quickest, 140*time.Millisecond, "the breaker never opened")
	require.Equal(t, before, arrived.Load())
	require.NoError(t, syscall.Kill(b.redis.Process.PID(), syscall.SIGCONT))
	b.eventually(t, read)
	b.eventually(t, write) // an abandoned call has left no key locked
}

// Commands that Redis finds in its sockets when it continues belong to calls that got a 503 long before.
func TestRedisSilent_abandonedCallsNotCharged(t *testing.T) {
	t.Parallel()
	b, _ := away(t, ratelimit.Config{})
	_, text := b.key(t)
	read := reading(text, "/open/v1/orders?rows=1")
	before := leftIn(b.eventually(t, read)).remaining
	require.Equal(t, "59", before)
	require.NoError(t, syscall.Kill(b.redis.Process.PID(), syscall.SIGSTOP))
	for range 10 {
		unavailable(t, b.send(t, read))
	}
	silent := time.Now() // and until no probe of the breaker is in progress
	require.Eventually(t, func() bool { return time.Since(silent) > 3*filled(ratelimit.Config{}).Timeout }, waitFor, tick)
	require.NoError(t, syscall.Kill(b.redis.Process.PID(), syscall.SIGCONT))
	require.Equal(t, "58", leftIn(b.eventually(t, read)).remaining)
}

func TestRedisGone_503ThenRecovers(t *testing.T) {
	t.Parallel()
	b, arrived := away(t, plenty)
	_, text := b.key(t)
	read := reading(text, "/open/v1/orders?rows=1")
	b.eventually(t, read)
	before := arrived.Load()
	require.NoError(t, b.redis.Process.Kill())
	for range 10 {
		began := time.Now()
		unavailable(t, b.send(t, read))
		require.Less(t, time.Since(began), generous)
	}
	require.Equal(t, before, arrived.Load())
	require.NoError(t, b.redis.Process.Restart(t.Context()))
	b.eventually(t, read) // an empty Redis has neither state nor scripts
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

// The scripts are sent again to a Redis that has forgotten them.
func TestRedis_forgottenScriptsAreSentAgain(t *testing.T) {
	t.Parallel()
	b, _ := away(t, plenty)
	_, text := b.key(t)
	for range 3 {
		require.NoError(t, b.redis.Client.ScriptFlush(t.Context()).Err())
		b.eventually(t, reading(text, "/open/v1/orders?limit=100&rows=7"))
		b.eventually(t, posting(text, uuid.NewString(), prepare("O-1")+"?rows=1", "{}"))
	}
}
