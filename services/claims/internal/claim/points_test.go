package claim_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/services/claims/internal/claim"
)

func requireBreakdown(t require.TestingT, c *claim.Claim) {
	b := c.Breakdown()
	if c.Money.Refund == nil {
		require.Nil(t, b)
		return
	}
	require.Equal(t, *c.Money.Refund, b.Goods+b.Shipping-b.Fee-b.PriceDifference)
	require.Equal(t, *c.Money.Refund, b.Money+b.Points)
	for _, amount := range []int64{b.Goods, b.Shipping, b.Fee, b.Points, b.Money} {
		require.GreaterOrEqual(t, amount, int64(0), b)
	}
	require.LessOrEqual(t, b.Fee, c.Money.Fee)
}

// Amounts paid with points are refunded in points, and the fee is deducted from the money first.
func TestRefunds_inMoneyAndPoints(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		what                         string
		kind                         claim.Type
		reason                       claim.Reason
		shippingPaid, shippingPoints int64
		paid, points, newUnit        int64
		money, inPoint, replacing    int64
	}{
		{"4,000 of 10,000", claim.Cancel, claim.Other, 0, 0, 10000, 4000, 0, 6000, 4000, 0},
		{"all of it", claim.Cancel, claim.Other, 0, 0, 10000, 10000, 0, 0, 10000, 0},
		{"shipping too", claim.Cancel, claim.Other, 3000, 1000, 10000, 10000, 0, 2000, 11000, 0},
		{"the fee from money", claim.Return, claim.Other, 3000, 0, 10000, 4000, 0, 3000, 4000, 0},
		{"and then from points", claim.Return, claim.Other, 0, 0, 10000, 7000, 0, 0, 4000, 0},
		{"by the seller's fault", claim.Return, claim.Defective, 0, 0, 10000, 7000, 0, 3000, 7000, 0},
		{"cheaper goods", claim.Exchange, claim.Defective, 0, 0, 10000, 4000, 7500, 1500, 1000, 3000},
		{"cheaper, rounded down", claim.Exchange, claim.Defective, 0, 0, 10000, 3333, 9999, 1, 0, 3333},
		{"cheaper, less a fee from money", claim.Exchange, claim.Other, 0, 0, 10000, 1000, 2000, 1200, 800, 200},
		{"cheaper, less a fee from both", claim.Exchange, claim.Other, 0, 0, 10000, 5000, 2000, 0, 2000, 1000},
		{"cheaper by less than the fee", claim.Exchange, claim.Other, 0, 0, 10000, 5000, 8000, 0, 0, 4000},
		{"the same", claim.Exchange, claim.Defective, 0, 0, 10000, 5000, 0, 0, 0, 5000},
		{"dearer goods", claim.Exchange, claim.Defective, 0, 0, 10000, 5000, 12000, 0, 0, 5000},
	} {
		w, h := wanted(row.kind, row.reason), held()
		w.Items[0].ExchangeUnitPrice = row.newUnit
		h.ShippingPaid, h.ShippingPoints, h.SellerQuantity = row.shippingPaid, row.shippingPoints, 1
		h.Lines[0].Quantity, h.Lines[0].UnitPrice, h.Lines[0].Paid, h.Lines[0].Points = 1, row.paid, row.paid, row.points
		opened, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
		require.NoError(t, err, row.what)
		change := fixed(t, opened.Next, claim.Undone{})
		requireBreakdown(t, &change.Next)
		if row.kind == claim.Exchange {
			require.Equal(t, []int64{row.replacing}, opened.Next.ReplacingPoints(), row.what)
			require.Equal(t, opened.Next.ReplacingPoints(), change.Next.ReplacingPoints(), row.what)
		}
		if row.money+row.inPoint == 0 {
			require.Empty(t, change.Refunds, row.what)
			continue
		}
		require.Equal(t, row.money+row.inPoint, *change.Next.Money.Refund, row.what)
		require.Equal(t, []int64{row.money, row.inPoint}, []int64{change.Refunds[0].Amount, change.Refunds[0].Points}, row.what)
		requirePayouts(t, change.Refunds[0])
	}
}

// requirePayouts checks that money and points are reported separately, and neither is reported if it is zero.
func requirePayouts(t *testing.T, r claim.Refund) {
	t.Helper()
	sent, ok := r.Sending(now)
	require.True(t, ok)
	_, entries, _ := sent.RecordResult(claim.Succeed, "", 0, now)
	var want []claim.LedgerEntry
	if r.Amount > 0 {
		want = append(want, claim.LedgerEntry{Kind: claim.RefundPayout, Amount: r.Amount, Reference: r.ID.String()})
	}
	if r.Points > 0 {
		want = append(want, claim.LedgerEntry{Kind: claim.PointsPayout, Amount: r.Points, Reference: r.ID.String()})
	}
	require.Equal(t, want, entries)
}

type purse struct{ money, points int64 }

// drawExchange draws an exchange of several lines, and returns how its goods were paid.
func drawExchange(t *rapid.T) (claim.Claim, purse) {
	var h claim.Held
	w := claim.Wanted{No: "C-1", Type: claim.Exchange, Reason: rapid.SampledFrom(claim.Reasons()).Draw(t, "reason")}
	for range rapid.IntRange(1, 4).Draw(t, "lines") {
		line := drawHeld(t)
		if rapid.Bool().Draw(t, "small") {
			line.Quantity, line.Paid = rapid.Int64Range(1, 5).Draw(t, "few"), rapid.Int64Range(0, 40_000).Draw(t, "little")
			line.UnitPrice = (line.Paid + rapid.Int64Range(0, 1000).Draw(t, "off")) / line.Quantity
		}
		line.Points = rapid.Int64Range(0, line.Paid).Draw(t, "points")
		h.Lines = append(h.Lines, line)
		w.Items = append(w.Items, claim.WantedItem{
			ItemID: line.ItemID, ExchangeOptionName: "other", Quantity: rapid.Int64Range(1, line.Quantity).Draw(t, "pieces"),
			ExchangeUnitPrice: rapid.Int64Range(0, min(line.UnitPrice*3/2, claim.MaxAmount/line.Quantity)).Draw(t, "price"),
		})
	}
	opened, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
	require.NoError(t, err)
	c := opened.Next
	c.Status, c.Money.ShortfallPaid = claim.Collected, c.Money.Shortfall
	return c, purse{c.Money.Goods - c.Money.Points, c.Money.Points}
}

// Refunds of an exchange, and the payment of its new lines, are of the same kind as the original payment; fees are deducted from
// either kind, and only the customer's additional payment increases the total.
func TestExchange_keepsMoneyAndPointsApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, had := drawExchange(t)
		done := conclude(t, c, claim.Undone{}).Next
		requireBreakdown(t, &done)
		var refund purse
		if b := done.Breakdown(); b != nil {
			refund = purse{b.Money, b.Points}
		}
		var lines purse
		for i, points := range done.ReplacingPoints() {
			paid := done.Items[i].Goods + done.Items[i].Difference
			require.GreaterOrEqual(t, points, int64(0))
			require.LessOrEqual(t, points, paid, "no line has more points than its price")
			lines = purse{lines.money + paid - points, lines.points + points}
		}
		require.LessOrEqual(t, refund.points+lines.points, had.points)
		require.LessOrEqual(t, refund.money+lines.money, had.money+c.Money.Shortfall)
		fee := had.money + had.points + c.Money.Shortfall - refund.money - refund.points - lines.money - lines.points
		require.Equal(t, c.Money.Fee, fee, "the difference is the fee")
		if refund.money > 0 {
			require.Equal(t, had.points, refund.points+lines.points, "the fee is paid with money first")
		}
	})
}

// A return that replaces an exchange, before or after the exchange was refunded: together they refund what was paid for the
// goods, less the return's fee, in the same kind, and for no line more than was paid for it.
func TestConvert_refundsTheRemainder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, had := drawExchange(t)
		given := map[uuid.UUID]int64{}
		count := func(change claim.Change) {
			for _, line := range change.GivenBack {
				given[line.ItemID] += line.Amount
			}
		}
		var first purse
		if rapid.Bool().Draw(t, "passed") {
			change := conclude(t, c, claim.Undone{})
			count(change)
			c = change.Next
			if b := c.Breakdown(); b != nil {
				first = purse{b.Money, b.Points}
			}
		}
		conversion := c.RegisterConversion("C-2", "kim", now).Change.Next
		change := conversion.Convert(claim.DefaultPolicy(claim.Won), around, now).New
		if change.Next.Status != claim.RefundProcessing {
			change = conclude(t, change.Next, claim.Undone{})
		}
		count(change)
		requireBreakdown(t, &change.Next)
		b := change.Next.Breakdown()
		require.Equal(t, b.Fee, *change.Next.ChargedFee(), "no payment was awaited, so the fee is what is deducted")
		require.LessOrEqual(t, change.Next.Money.WayOut, b.Fee)
		require.LessOrEqual(t, first.money+b.Money, had.money)
		require.LessOrEqual(t, first.points+b.Points, had.points)
		require.Equal(t, had.money+had.points-b.Fee, first.money+first.points+b.Money+b.Points)
		require.Equal(t, first.money+first.points, b.PriceDifference)
		for i := range change.Next.Items {
			item := &change.Next.Items[i]
			require.Equal(t, item.Goods, given[item.ItemID])
		}
	})
}

// A part of an order is undone by up to four claims: in whatever order they finish, the customer gets the same money and points.
func TestRefunds_independentOfClaimOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		shipping := rapid.Int64Range(0, 5000).Draw(t, "shipping")
		known := claim.Held{ShippingPaid: shipping, ShippingPoints: rapid.Int64Range(0, shipping).Draw(t, "shipping points")}
		count := rapid.IntRange(1, 4).Draw(t, "claims")
		claims := make([]claim.Claim, 0, count)
		for range count {
			line := drawHeld(t)
			line.Points = rapid.Int64Range(0, line.Paid).Draw(t, "points")
			if rapid.Bool().Draw(t, "little") {
				line.Paid, line.Points = 4000, 2000
			}
			h := known
			h.Lines = []claim.Line{line}
			opened, err := claim.Open(claim.Wanted{
				No: uuid.NewString(), Type: rapid.SampledFrom([]claim.Type{claim.Cancel, claim.Return}).Draw(t, "type"),
				Reason: rapid.SampledFrom([]claim.Reason{claim.Other, claim.Other, claim.Defective}).Draw(t, "reason"),
				Items:  []claim.WantedItem{{ItemID: line.ItemID, Quantity: line.Quantity}},
			}, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
			require.NoError(t, err)
			claims = append(claims, opened.Next)
			known.SellerQuantity += line.Quantity
		}
		for i := range claims {
			claims[i].Status = claim.Requested
			claims[i].Money.SellerQuantity = known.SellerQuantity
		}
		want := concludeAll(t, claims)
		for _, order := range permutations(len(claims)) {
			shuffled := make([]claim.Claim, 0, len(claims))
			for _, i := range order {
				shuffled = append(shuffled, claims[i])
			}
			require.Equal(t, want, concludeAll(t, shuffled))
		}
	})
}

func concludeAll(t *rapid.T, claims []claim.Claim) purse {
	var undone claim.Undone
	var sum purse
	for _, c := range claims {
		done := conclude(t, c, undone).Next
		b := done.Breakdown()
		sum = purse{sum.money + b.Money, sum.points + b.Points}
		if undone.Total += c.Quantity(); c.Type == claim.Cancel {
			undone.Canceled += c.Quantity()
		}
		undone.SellerFault = undone.SellerFault || c.Fault() == claim.SellerFault
	}
	return sum
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			longer := append(append(append([]int{}, shorter[:at]...), n-1), shorter[at:]...)
			all = append(all, longer)
		}
	}
	return all
}

// The outbound shipping of a free shipment was paid once: of several returns of a part, one is charged for it.
func TestQuotes_wayOutOnce(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind        claim.Type
		reason      claim.Reason
		shipping    int64
		charged     bool
		fee, wayOut int64
	}{
		{claim.Return, claim.Other, 0, false, 6000, 3000},
		{claim.Return, claim.Other, 0, true, 3000, 0},
		{claim.Return, claim.Other, 3000, false, 3000, 0},
		{claim.Return, claim.Defective, 0, false, 0, 0},
		{claim.Exchange, claim.Other, 0, true, 6000, 0},
		{claim.Cancel, claim.Other, 0, false, 0, 0},
	} {
		h := held()
		h.ShippingPaid = row.shipping
		policy := claim.Policy{FeeOneWay: 3000, WayOutCharged: row.charged}
		change, err := claim.Open(wanted(row.kind, row.reason), h, policy, claim.DefaultPeriods(), now)
		require.NoError(t, err)
		require.Equal(t, []int64{row.fee, row.wayOut}, []int64{change.Next.Money.Fee, change.Next.Money.WayOut}, row)
	}
}

// A claim that ended without effect, or became a return, has charged nothing, whatever was quoted.
func TestChargedFee(t *testing.T) {
	t.Parallel()
	for _, status := range claim.Statuses() {
		c := in(t, claim.Return, status)
		c.Money.Fee = 3000
		switch status {
		case claim.Rejected, claim.Withdrawn, claim.Expired, claim.ConvertedToReturn:
			require.Nil(t, c.ChargedFee(), status)
		default:
			require.Equal(t, amount(3000), c.ChargedFee(), status)
		}
	}
}
