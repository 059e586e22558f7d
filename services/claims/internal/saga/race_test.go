package saga_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines/linestest"
)

// Two calls at the same moment: the first ends the claim, and its hold with it, while the second asks whether the lines are
// held. The second is told about the claim as it is now, not that it cannot be approved, which would be kept for a day.
func TestAnActionThatIsOvertakenIsDecidedByTheClaimAsItIsNow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	overtaken := func(kind claim.Type, first call) (claim.Claim, error) {
		c, ended := b.open(t, kind), make(chan error, 1)
		b.orders.Fail("Check", linestest.Once(linestest.Fault{Before: func() {
			_, err := b.act(t, c, first.action, first.values)
			ended <- err
		}}))
		answer, err := b.act(t, c, claim.Approve, claim.Values{})
		require.NoError(t, <-ended)
		return answer, err
	}
	for _, kind := range claim.Types() {
		_, err := overtaken(kind, call{claim.Reject, memo})
		require.ErrorIs(t, err, apierr.IdempotencyUnresolved, kind)
		require.Equal(t, claim.Rejected, apierr.From(err).Data["status"])
	}
	completed, err := overtaken(claim.Cancel, call{claim.Approve, claim.Values{}})
	require.NoError(t, err, "approved by the other call")
	require.Equal(t, claim.Completed, completed.Status)
}
