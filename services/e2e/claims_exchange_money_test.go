package e2e

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// exchangeCosts are exchanges of two pieces of 12,900 won: the reason, which decides who is at fault, the price of a new piece,
// the discount on the old pieces, and the expected results. The seller charges 2,500 for one way unless the name says
// otherwise.
var exchangeCosts = []struct {
	name, reason                    string
	price, discount                 int64
	difference, fee, shortfall, pay int64
}{
	{"the same price, the seller's fault", "wrong_delivery", 12900, 1000, 0, 0, 0, 0},
	{"no price given: the same price", "defective", 0, 1000, 0, 0, 0, 0},
	{"dearer, the seller's fault", "defective", 14900, 1000, 4000, 0, 4000, 0},
	{"cheaper, the seller's fault", "delayed_by_seller", 10900, 1000, -4000, 0, 0, 4000},
	{"the same price, the buyer's fault", "change_of_mind", 12900, 1000, 0, 5000, 5000, 0},
	{"dearer, the buyer's fault", "etc", 14900, 1000, 4000, 5000, 9000, 0},
	{"cheaper by less than the fee", "change_of_mind", 11900, 1000, -2000, 5000, 3000, 0},
	{"cheaper by exactly the fee", "change_of_mind", 10400, 1000, -5000, 5000, 0, 0},
	{"cheaper by more than the fee", "change_of_mind", 8900, 1000, -8000, 5000, 0, 3000},
	{"refund limited to the amount paid", "out_of_stock", 1000, 20000, -5800, 0, 0, 5800},
	{"refund limited to the amount paid, with a fee", "change_of_mind", 1000, 20000, -5800, 5000, 0, 800},
}

// The cost and the refund of an exchange are shown from the request on, fixed when the inspection passes, and paid once: a
// difference is refunded in parallel with the reshipment, a shortfall is paid before anything begins.
func TestExchangeCost_byFaultAndPrice(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	d.SetSellerPolicy(t, d.seller.ID, 2500)
	for _, row := range exchangeCosts {
		order := d.delivered(t, goods(2, 12900, row.discount))
		request := stacktest.NewClaim(stacktest.Exchange, order, stacktest.Because(row.reason), stacktest.For("네이비 / L", row.price))
		status, shortfall := d.RequestClaim(t, request)
		require.Equal(t, row.shortfall, shortfall, row.name)
		if shortfall > 0 {
			require.Equal(t, "payment_pending", status, row.name)
			require.Equal(t, "requested", d.PayShortfall(t, request.GetClaimNo(), shortfall), row.name)
		}
		claim := d.client.Claim(t, request.GetClaimNo())
		amounts := func() []int64 { return []int64{*claim.PriceDifference, *claim.ClaimShippingFee} }
		require.Equal(t, []int64{row.difference, row.fee}, amounts(), row.name)
		require.Equal(t, map[bool]string{true: "buyer", false: "seller"}[row.fee > 0], claim.Fault, row.name)
		require.Nil(t, d.advance(t, claim, "collected").RefundAmount, "%s: not fixed before the inspection", row.name)
		claim = d.acted(t, claim.ClaimNo, "inspect", requestBody("inspect"))
		require.Equal(t, "reshipping", claim.Status, row.name)
		requirePaidOut(t, d, row.pay, claim)
		fresh := line(t, d.order(t, claim.OrderNo), "02")
		require.Equal(t, 2*12900-row.discount+row.difference, fresh.LinePaidAmount, "%s: after price difference", row.name)
		require.Equal(t, fresh.LinePaidAmount, fresh.LineAmount-fresh.DiscountAmount, row.name)
		claim = d.acted(t, claim.ClaimNo, "reship", requestBody("reship"))
		require.Equal(t, "completed", claim.Status, row.name)
		requirePaidOut(t, d, row.pay, claim)
		require.Equal(t, []int64{row.difference, row.fee}, amounts(), "%s: fixed for good", row.name)
	}
}

// requirePaidOut checks that a claim pays out this amount and shows it, or that it pays nothing and shows no refund.
func requirePaidOut(t *testing.T, d *session, amount int64, claim stacktest.Claim) {
	t.Helper()
	asked := d.Payments.Asked(claim.ClaimNo)
	if amount == 0 {
		require.Nil(t, claim.RefundAmount)
		require.Empty(t, asked)
		return
	}
	require.Equal(t, amount, *claim.RefundAmount)
	require.Len(t, asked, 1, "once")
	require.Equal(t, stacktest.Payout{
		RefundID: asked[0].RefundID, ClaimNo: claim.ClaimNo, OrderNo: claim.OrderNo, SellerID: d.seller.ID, Kind: "refund",
		Amount: claim.RefundBreakdown.Money, Points: claim.RefundBreakdown.Points,
	}, asked[0])
	require.Equal(t, amount, asked[0].Total())
}

// requireLedger checks the movements of money of a claim, in their order, money before points of the same time. The last movement
// may have been requested only just now, so it waits for it.
func requireLedger(t *testing.T, d *session, claimNo string, entries ...string) {
	t.Helper()
	database, got := d.SQL(t), []string(nil)
	stacktest.Await(t, "the money of "+claimNo+" has moved", func() bool {
		got = selected(t, database, `select kind || ' ' || amount from claims.ledger join claims.claims using (seller_id, claim_id)
			where claim_no = $1 order by moved_at, kind desc`, claimNo)
		return len(got) >= len(entries)
	})
	require.Equal(t, entries, got)
}

func selected(t *testing.T, database *pgx.Conn, statement, argument string) []string {
	t.Helper()
	rows, err := database.Query(t.Context(), statement, argument)
	require.NoError(t, err)
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return texts
}

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
