package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
)

// A seller's fee is that of the currency of the order, and of the day of the request.
func TestPolicy_appliesToLaterClaims(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	policy, err := b.store.Policy(t.Context(), seller, claim.Won)
	require.NoError(t, err)
	require.Equal(t, claim.DefaultPolicy(claim.Won), policy)
	byBuyer := func() claim.Claim {
		w := wanted(seller, claim.Return)
		w.Reason = claim.ChangeOfMind
		return b.open(t, w)
	}
	before := byBuyer()
	for _, fee := range []int64{2500, 0} {
		require.NoError(t, b.store.SetPolicy(t.Context(), seller, claim.Won, claim.Policy{FeeOneWay: fee}))
		require.Equal(t, fee, byBuyer().Money.Fee)
	}
	require.Equal(t, int64(3000), b.get(t, before).Money.Fee)
	require.Equal(t, int64(3000), before.Money.Fee)
}

// Without a fee of the seller for a currency there is none, except for won; a fee in one currency leaves the others alone.
func TestPolicy_ofTheOrdersCurrency(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	fees := func() map[string]int64 {
		charged := map[string]int64{}
		for _, currency := range []string{"KRW", "USD", "JPY"} {
			w := wanted(seller, claim.Return)
			w.Reason = claim.ChangeOfMind
			step, err := b.store.PlanOpening(t.Context(), w)
			require.NoError(t, err)
			c, err := b.store.Open(t.Context(), step, currency, func(policy claim.Policy, now time.Time) (claim.Change, error) {
				return claim.Open(w, heldFor(w, now), policy, claim.DefaultPeriods(), now)
			})
			require.NoError(t, err)
			charged[currency] = c.Money.Fee
		}
		return charged
	}
	require.Equal(t, map[string]int64{"KRW": 3000, "USD": 0, "JPY": 0}, fees())
	require.NoError(t, b.store.SetPolicy(t.Context(), seller, "USD", claim.Policy{FeeOneWay: 450}))
	require.Equal(t, map[string]int64{"KRW": 3000, "USD": 450, "JPY": 0}, fees())
	require.NoError(t, b.store.SetPolicy(t.Context(), seller, "KRW", claim.Policy{}))
	require.NoError(t, b.store.SetPolicy(t.Context(), seller, "USD", claim.Policy{FeeOneWay: 500}))
	require.Equal(t, map[string]int64{"KRW": 0, "USD": 500, "JPY": 0}, fees())
}

// The return in the place of an exchange charges the fee that the exchange was quoted, whatever the seller charges by then.
func TestPolicy_ofAConversion(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	require.NoError(t, b.store.SetPolicy(t.Context(), seller, claim.Won, claim.Policy{FeeOneWay: 2500}))
	w := wanted(seller, claim.Exchange)
	w.Reason = claim.ChangeOfMind
	c := b.open(t, w)
	require.Equal(t, int64(5000), c.Money.Fee)
	c = b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.PayShortfall("P-1", c.Money.Shortfall, now)
	})
	require.NoError(t, b.store.SetPolicy(t.Context(), seller, claim.Won, claim.Policy{FeeOneWay: 9000}))
	returned, err := b.convert(t, c, "R-1")
	require.NoError(t, err)
	require.Equal(t, int64(2500), b.get(t, returned).Money.Fee)
}
