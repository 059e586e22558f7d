package claim_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/services/claims/internal/claim"
)

// purchase is one seller's part of an order as the orders service keeps it: lines that are claimed piece by piece, where the
// remaining line takes the rest of every amount.
type purchase struct {
	lines                  []claim.Line
	shippingPaid, quantity int64
	undone                 claim.Undone
	// What the customer paid and got back, without shipping, and how much of shipping was refunded.
	paid, refunded, shippingRefunded int64
	// The parts of shippingPaid, paid and refunded (with shipping) in points.
	shippingPoints, points, refundedPoints int64
	fees                                   int64
	// first is what was paid for each line at its first claim, givenBack what claims have refunded of it.
	first, givenBack map[uuid.UUID]int64
}

// note records the line amounts of a change and checks that no line refunded more than was paid.
func (p *purchase) note(t *rapid.T, change *claim.Change) {
	for _, line := range change.Claimed {
		if _, known := p.first[line.ItemID]; !known {
			p.first[line.ItemID] = line.Amount
		}
	}
	for _, line := range change.GivenBack {
		require.Positive(t, line.Amount)
		p.givenBack[line.ItemID] += line.Amount
		require.LessOrEqual(t, p.givenBack[line.ItemID], p.first[line.ItemID])
	}
}

func (p *purchase) held(line claim.Line) claim.Held {
	return claim.Held{
		Lines: []claim.Line{line}, ShippingPaid: p.shippingPaid, ShippingPoints: p.shippingPoints, SellerQuantity: p.quantity,
	}
}

func drawPurchase(t *rapid.T) *purchase {
	p := &purchase{
		shippingPaid: rapid.Int64Range(0, 5000).Draw(t, "shipping"), first: map[uuid.UUID]int64{},
		givenBack: map[uuid.UUID]int64{},
	}
	p.shippingPoints = rapid.Int64Range(0, p.shippingPaid).Draw(t, "shipping points")
	for range rapid.IntRange(1, 3).Draw(t, "lines") {
		delivered := now
		line := claim.Line{
			ItemID: uuid.New(), Quantity: rapid.Int64Range(1, 7).Draw(t, "quantity"),
			UnitPrice:   rapid.Int64Range(0, 90000).Draw(t, "unit"),
			DeliveredAt: &delivered,
		}
		line.Paid = rapid.Int64Range(0, line.UnitPrice*line.Quantity).Draw(t, "paid")
		line.Points = rapid.Int64Range(0, line.Paid).Draw(t, "points")
		p.lines = append(p.lines, line)
		p.paid += line.Paid
		p.points += line.Points
		p.quantity += line.Quantity
	}
	return p
}

func (p *purchase) claimSome(t *rapid.T) {
	i := rapid.IntRange(0, len(p.lines)-1).Draw(t, "line")
	line := &p.lines[i]
	kind := rapid.SampledFrom(claim.Types()).Draw(t, "type")
	pieces := rapid.Int64Range(1, line.Quantity).Draw(t, "pieces")
	w := claim.Wanted{
		No: uuid.NewString(), Type: kind, Reason: rapid.SampledFrom(claim.Reasons()).Draw(t, "reason"),
		Items: []claim.WantedItem{{
			ItemID: line.ItemID, Quantity: pieces,
			ExchangeOptionName: "other", ExchangeUnitPrice: rapid.Int64Range(0, 120000).Draw(t, "new unit"),
		}},
	}
	opened, err := claim.Open(w, p.held(*line), claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
	require.NoError(t, err)
	p.note(t, &opened)
	c := opened.Next
	p.paid += c.Money.Shortfall
	c.Status, c.Money.ShortfallPaid = claim.Requested, c.Money.Shortfall
	if kind == claim.Exchange && rapid.Bool().Draw(t, "convert") {
		c = p.convert(t, c)
	}
	if c.Status != claim.RefundProcessing {
		change := conclude(t, c, p.undone)
		p.count(t, &change)
		c = change.Next
	}
	p.fees += *c.ChargedFee()
	p.settle(line, c, pieces)
}

// convert replaces an exchange by a return at some stage, and returns the return.
func (p *purchase) convert(t *rapid.T, c claim.Claim) claim.Claim {
	c.Status = rapid.SampledFrom([]claim.Status{
		claim.Requested, claim.Approved, claim.Collecting, claim.Collected, claim.Inspecting, claim.Reshipping,
	}).Draw(t, "stage")
	if c.Status == claim.Reshipping {
		passed := conclude(t, c, p.undone)
		p.count(t, &passed)
		c = passed.Next
	}
	registered := c.RegisterConversion("R-1", "kim", now).Change.Next
	policy := claim.Policy{FeeOneWay: c.FeeOneWay(), WayOutCharged: rapid.Bool().Draw(t, "way out charged")}
	conversion := registered.Convert(policy, claim.Surroundings{Periods: around.Periods, Undone: p.undone}, now)
	require.Equal(t, claim.Execute, conversion.Verdict)
	p.count(t, &conversion.Old)
	p.count(t, &conversion.New)
	require.Nil(t, conversion.Old.Next.ChargedFee())
	return conversion.New.Next
}

func (p *purchase) count(t *rapid.T, change *claim.Change) {
	requireBreakdown(t, &change.Next)
	p.note(t, change)
	for _, refund := range change.Refunds {
		p.refunded += refund.Amount + refund.Points
		p.refundedPoints += refund.Points
		if refund.Kind == claim.MainRefund {
			p.refunded -= change.Next.Money.Shipping
			p.shippingRefunded += change.Next.Money.Shipping
		}
	}
}

func conclude(t *rapid.T, c claim.Claim, undone claim.Undone) claim.Change {
	action, values := claim.Inspect, pass
	if c.Type == claim.Cancel {
		action, values = claim.Approve, claim.Values{}
	} else {
		c.Status = claim.Collected
	}
	with := claim.Surroundings{Undone: undone}
	d := claim.Decide(&c, claim.Command{Action: action, Values: values, Actor: seller}, now)
	d = d.Change.Next.Confirm(*d.Change.Next.Performed.Pending(), nil, with, now)
	require.Equal(t, claim.Execute, d.Verdict)
	return d.Change
}

// settle splits the line as the orders service does.
func (p *purchase) settle(line *claim.Line, c claim.Claim, pieces int64) {
	line.Quantity -= pieces
	line.Paid -= c.Money.Goods
	line.Points -= c.Money.Points
	switch c.Type {
	case claim.Exchange:
		p.lines = append(p.lines, newLine(*line, &c))
	case claim.Cancel:
		p.undone.Canceled += pieces
		p.undone.Total += pieces
	case claim.Return:
		p.undone.Total += pieces
	}
	p.undone.SellerFault = p.undone.SellerFault || c.Type != claim.Exchange && c.Fault() == claim.SellerFault
	p.lines = slices.DeleteFunc(p.lines, func(l claim.Line) bool { return l.Quantity == 0 })
}

// However a purchase is split by claims, no customer gets back more than was paid, the pieces add up to the last won, and
// shipping is refunded at most once.
func TestRefunds_conserveMoney(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPurchase(t)
		for range rapid.IntRange(1, 12).Draw(t, "claims") {
			if len(p.lines) == 0 {
				break
			}
			p.claimSome(t)
			var left, points int64
			for _, line := range p.lines {
				require.GreaterOrEqual(t, line.Paid, int64(0))
				require.GreaterOrEqual(t, line.Points, int64(0))
				require.LessOrEqual(t, line.Points, line.Paid)
				left += line.Paid
				points += line.Points
			}
			require.LessOrEqual(t, p.refundedPoints+points, p.points+p.shippingPoints, "no money becomes points")
			require.LessOrEqual(t, p.refunded+p.shippingRefunded-p.refundedPoints+left-points,
				p.paid+p.shippingPaid-p.points-p.shippingPoints,
				"no points become money")
			require.Equal(t, p.paid, p.refunded+left+p.fees, "what was paid is refunded, kept as a line, or shown as a fee")
			require.LessOrEqual(t, p.shippingRefunded, p.shippingPaid)
		}
	})
}

// If the reason is the seller's fault, a customer who returns everything gets everything back, in however many claims.
func TestRefunds_everythingReturned(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPurchase(t)
		kind := rapid.SampledFrom([]claim.Type{claim.Cancel, claim.Return}).Draw(t, "type")
		for len(p.lines) > 0 {
			line := &p.lines[rapid.IntRange(0, len(p.lines)-1).Draw(t, "line")]
			pieces := rapid.Int64Range(1, line.Quantity).Draw(t, "pieces")
			opened, err := claim.Open(claim.Wanted{
				No: uuid.NewString(), Type: kind, Reason: claim.Defective, Items: []claim.WantedItem{{ItemID: line.ItemID, Quantity: pieces}},
			}, p.held(*line), claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
			require.NoError(t, err)
			p.note(t, &opened)
			change := conclude(t, opened.Next, p.undone)
			p.note(t, &change)
			p.refunded += *change.Next.Money.Refund
			p.refundedPoints += change.Next.Money.RefundPoints
			p.settle(line, change.Next, pieces)
		}
		require.Equal(t, p.paid+p.shippingPaid, p.refunded)
		require.Equal(t, p.points+p.shippingPoints, p.refundedPoints, "points are refunded as points")
		for id, paid := range p.first {
			require.Equal(t, paid, p.givenBack[id])
		}
	})
}
