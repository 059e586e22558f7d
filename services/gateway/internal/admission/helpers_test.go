package admission

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// background returns the context of commands that must also run inside a property, which has no context of its own.
func background() context.Context { return context.Background() }

func retryAfterOf(t require.TestingT, decision Decision) int {
	require.Equal(t, Refused, decision.Verdict)
	return apierr.From(decision.Usage.Refusal()).RetryAfterSeconds()
}

func (r *rig) dump(t *testing.T) map[string]string {
	t.Helper()
	held := map[string]string{}
	names, err := r.Client.Keys(t.Context(), namesOf(r.call.Key.SellerID).state(r.call.Key.ID)[:idChars+2]+"*").Result()
	require.NoError(t, err)
	for _, name := range names {
		held[name] = r.Client.Get(t.Context(), name).Val()
	}
	return held
}
