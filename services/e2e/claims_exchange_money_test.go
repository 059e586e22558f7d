package e2e

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// exchangeCosts are exchanges of two pieces of 12,900 won: the reason, which decides who is at fault, the price of a new piece, the
// discount on the old pieces, and the expected results. The seller charges 2,500 for one way unless the name says otherwise.
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
