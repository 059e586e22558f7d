package admission

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// The message that a call was abandoned is sent on another connection, so it may overtake the call.
func TestAbandonedCall_doesNotBeginKey(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	full, err := r.admitter.Look(t.Context(), r.call)
	require.NoError(t, err)
	for name, before := range map[string]bool{"call before abandonment": true, "abandonment before call": false} {
		request := idempotency.Request{Digest: inbox.Digest(uuid.New()), Fingerprint: inbox.Fingerprint(uuid.New())}
		lost := Decision{ticket: newTicket(0)}
		begin := func(decision Decision) Decision {
			t.Helper()
			decided, err := r.admitter.admit(t.Context(), "begin", r.call, request, decision.ticket, 0)
			require.NoError(t, err)
			return decided
		}
		letGo := func() {
			r.admitter.letGo(t.Context(), r.call, lost, request)
			r.admitter.Drain()
		}
		charged := 0
		if before {
			require.Equal(t, idempotency.New, begin(lost).Begun.Outcome)
			charged++
		}
		letGo()
		require.Equal(t, late, begin(lost).Verdict, name)
		left, err := r.admitter.Look(t.Context(), r.call)
		require.NoError(t, err)
		require.Equal(t, full.Usage.Remaining()-charged, left.Usage.Remaining(), name)

		next := Decision{ticket: newTicket(0)}
		require.Equal(t, idempotency.New, begin(next).Begun.Outcome, "the key is free immediately")
		letGo()
		require.Equal(t, idempotency.Busy, begin(lost).Begun.Outcome, "the next call owns the key")
		r.fresh(t)
	}
}
