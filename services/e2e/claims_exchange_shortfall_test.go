package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

const shortfall = 4000

// dearer requests an exchange for goods that cost 4,000 won more, and returns the claim that waits for the payment.
func (d *session) dearer(t *testing.T, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	order := d.delivered(t, goods(2, 12900, 1000))
	options = append(options, stacktest.For("네이비 / L", 14900))
	return d.claimOn(t, order, stacktest.Exchange, options...)
}

func (d *session) paid(t *testing.T) stacktest.Claim {
	t.Helper()
	claim := d.dearer(t)
	require.Equal(t, "requested", d.PayShortfall(t, claim.ClaimNo, shortfall))
	return d.client.Claim(t, claim.ClaimNo)
}

// tryPayment reports a payment to claims, which may refuse it.
func (d *session) tryPayment(t *testing.T, claimNo, paymentID string, amount int64) error {
	t.Helper()
	_, err := stacktest.Try(t, d.Claims.RecordShortfallPayment, &claimsv1.RecordShortfallPaymentRequest{
		ClaimNo: claimNo, PaymentId: paymentID, Amount: amount,
	})
	return err
}

// Until the customer has paid, the seller can do nothing, and the line is held. The payment counts once, and only in
// full.
func TestExchange_dearerWaitsForPayment(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.dearer(t)
	require.Equal(t, "payment_pending", claim.Status)
	require.Empty(t, claim.AvailableActions)
	require.EqualValues(t, shortfall, *claim.PriceDifference)
	require.NotNil(t, claim.PaymentDueAt)
	require.True(t, d.order(t, claim.OrderNo).Items[0].HasActiveClaim)
	for _, step := range exchangeWay {
		d.requireUnresolved(t, claim.ClaimNo, step.action, requestBody(step.action))
	}
	d.requireUnresolved(t, claim.ClaimNo, "reject", rejection())
	for _, amount := range []int64{1, shortfall - 1, shortfall + 1} {
		requireRefusal(t, d.tryPayment(t, claim.ClaimNo, "pay-"+claim.ClaimNo, amount), "VALIDATION_ERROR")
	}
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	for range 2 {
		require.Equal(t, "requested", d.PayShortfall(t, claim.ClaimNo, shortfall))
	}
	requireRefusal(t, d.tryPayment(t, claim.ClaimNo, "another", shortfall), "IDEMPOTENCY_UNRESOLVED")
	now := d.client.Claim(t, claim.ClaimNo)
	require.Greater(t, now.UpdatedAt, claim.UpdatedAt)
	claim.AvailableActions = availableActions(t, claim.Type, "requested")
	claim.Status, claim.PaymentDueAt, claim.UpdatedAt = "requested", nil, now.UpdatedAt
	require.Equal(t, claim, now)
	now = d.advance(t, now, "completed")
	require.Nil(t, now.RefundAmount, "an exchange that took money has no refund")
	require.Empty(t, d.Payments.Asked(claim.ClaimNo))
	requireLedger(t, d, claim.ClaimNo, "shortfall_payment 4000")
}

// What was prepaid is refunded in full, once, however the exchange ends without effect.
func TestExchange_prepaymentRefundedWithoutEffect(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, ending := range endings {
		claim := d.advance(t, d.paid(t), ending.from)
		require.Equal(t, ending.status, ending.end(t, d, claim.ClaimNo), "%+v", ending)
		d.requireReturned(t, claim.ClaimNo)
		require.Nil(t, d.client.Claim(t, claim.ClaimNo).RefundAmount, "nothing of the purchase is refunded")
	}
}

func (d *session) requireReturned(t *testing.T, claimNo string) {
	t.Helper()
	stacktest.Await(t, "what was prepaid for "+claimNo+" goes back", func() bool { return len(d.Payments.Asked(claimNo)) > 0 })
	asked := d.Payments.Asked(claimNo)
	require.Len(t, asked, 1)
	require.Equal(t, []any{"shortfall_return", int64(shortfall)}, []any{asked[0].Kind, asked[0].Amount})
	requireLedger(t, d, claimNo, "shortfall_payment 4000", "refund_payout 4000")
}
