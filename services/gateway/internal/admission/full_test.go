package admission_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// brim fills a server completely and reduces its limit further, so that expired or freed memory makes no room.
func brim(t *testing.T, server *redistest.Server) {
	t.Helper()
	redistest.Fill(t, server)
	require.NoError(t, server.Client.ConfigSet(t.Context(), "maxmemory", "1mb").Err())
	require.ErrorContains(t, server.Client.Set(t.Context(), "one more", "x", 0).Err(), "OOM")
}

// A Redis without memory for new idempotency keys still counts calls, and knows its existing keys.
func TestRedisFull_limitsAndKnownKeys(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, admission.Scripts()...)
	admitter, call := start(t, server.Client)
	held, answeredOnce, expired := newRequest(), newRequest(), newRequest()
	owner := begin(t, admitter, call, held)
	for request, ending := range map[idempotency.Request]idempotency.Ending{
		answeredOnce: answered(time.Hour), expired: {Outcome: inbox.Outcome{Expired: true}},
	} {
		_, err := admitter.Finish(t.Context(), call, begin(t, admitter, call, request), request, ending)
		require.NoError(t, err)
	}
	brim(t, server)

	charged := begin(t, admitter, call, answeredOnce)
	require.Equal(t, idempotency.Answered, charged.Begun.Outcome)
	require.Equal(t, 4, charged.Usage.Calls, "calls are counted")
	other := idempotency.Request{Digest: answeredOnce.Digest, Fingerprint: held.Fingerprint}
	require.Equal(t, idempotency.Reused, begin(t, admitter, call, other).Begun.Outcome)
	require.Equal(t, idempotency.Busy, begin(t, admitter, call, held).Begun.Outcome)
	require.Equal(t, idempotency.Expired, begin(t, admitter, call, expired).Begun.Outcome)
	ended, err := admitter.Finish(t.Context(), call, owner, held, answered(time.Hour))
	require.NoError(t, err)
	require.True(t, ended)
	require.Equal(t, idempotency.Answered, begin(t, admitter, call, held).Begun.Outcome, "a call in progress completes")

	require.NoError(t, admitter.PutKey(t.Context(), changed(call.Key, 2, nil), time.Time{}))
	call.Key.Version = 2
	call.Reserve = limits.Rows / limits.Read
	for range limits.Read {
		read, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, read.Verdict)
		admitter.Settle(call, &read, 1)
	}
	read, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, admission.Refused, read.Verdict, "reads are admitted up to their limit")
}

// A key that cannot be stored is not begun and costs nothing; it can be begun as soon as there is memory.
func TestRedisFull_newKeyRefused(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, admission.Scripts()...)
	admitter, call := start(t, server.Client)
	brim(t, server)
	request := newRequest()
	for range 10 {
		_, err := admitter.Begin(t.Context(), processCall(call), request)
		require.ErrorIs(t, err, apierr.RateLimitUnavailable)
	}
	admitter.Drain()
	names, err := server.Client.Keys(t.Context(), "*:i:*").Result()
	require.NoError(t, err)
	require.Empty(t, names, "no idempotency key is stored")
	require.NoError(t, server.Client.ConfigSet(t.Context(), "maxmemory", "0").Err())
	decision := begin(t, admitter, call, request)
	require.Equal(t, idempotency.New, decision.Begun.Outcome)
	require.Equal(t, 1, decision.Usage.Calls, "the refused ones were not charged")
}
