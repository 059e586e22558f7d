package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// A Redis without memory is not unreachable: known keys continue to work, and only a new operation is asked to retry.
func TestRedisFull_replaysGoOn(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty, redis: redistest.Own(t, admission.Scripts()...)}, inbox.Config{}, nil)
	_, text := b.key(t)
	first := b.post(t, text, "key", prepare(ownertest.Success), "{}")
	effectIn(t, first)
	require.NoError(t, b.redis.Client.ConfigSet(t.Context(), "maxmemory", "1mb").Err())
	require.ErrorContains(t, b.redis.Client.Set(t.Context(), "one more", "x", 0).Err(), "OOM")

	for range 10 {
		replayed(t, first, b.post(t, text, "key", prepare(ownertest.Success), "{}"))
		refused(t, b.post(t, text, "key", prepare("other"), "{}"), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
		unavailable(t, b.post(t, text, "new", prepare(ownertest.Success), "{}"))
	}
	_, another := b.key(t) // one that is new to Redis
	replayed(t, first, b.post(t, another, "key", prepare(ownertest.Success), "{}"))
	require.Equal(t, 1, o.effects(t))
	require.InDelta(t, 10, b.total(telemetry.LimitDecisions, "process", "full"), 0)
	require.Zero(t, b.total(telemetry.LimitDecisions, "process", "unavailable"), "Redis counts as full, not as unavailable")
	require.NoError(t, b.redis.Client.ConfigSet(t.Context(), "maxmemory", "0").Err())
	effectIn(t, b.post(t, text, "new", prepare(ownertest.Success), "{}"))
}
