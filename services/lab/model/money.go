package model

// Money is what a claim costs and refunds, in the order's currency.
type Money struct {
	Fee, Difference int64
	// WayOut says that the fee includes the outbound shipping of a free shipment.
	WayOut                   bool
	Shortfall, ShortfallPaid int64
	ShortfallPayment         int
	// Before is the refund of the exchange that the return replaced, BeforePoints the points in it.
	Before, BeforePoints int64
	// Fixed says that the refund is decided. Breakdown is nil when there is none.
	Fixed     bool
	Breakdown *Breakdown
}

// Breakdown is the composition of a refund: Goods + Shipping - Fee - Difference = Money + Points.
type Breakdown struct{ Goods, Shipping, Fee, Difference, Points, Money int64 }

// Refund returns the total refund.
func (b *Breakdown) Refund() int64 { return b.Money + b.Points }

func share(amount, pieces, all int64) int64 { return amount * pieces / all }

// allocate distributes used points over lines in proportion to what was paid for them. Shares are rounded down and the last
// line takes the remainder, but no line gets more than was paid for it; the excess goes to the lines before it. Points that
// are left pay the shipping.
func allocate(points, shippingPaid int64, paid []int64) (lines []int64, shipping int64) {
	var sum, given int64
	for _, amount := range paid {
		sum += amount
	}
	total := min(points, sum)
	lines = make([]int64, len(paid))
	for i := range paid {
		if sum > 0 && i < len(paid)-1 {
			lines[i] = share(total, paid[i], sum)
		}
		if i == len(paid)-1 {
			lines[i] = total - given
		}
		given += lines[i]
	}
	for i := len(paid) - 1; i > 0; i-- {
		excess := max(0, lines[i]-paid[i])
		lines[i] -= excess
		lines[i-1] += excess
	}
	return lines, min(points-total, shippingPaid)
}

// difference returns how much more the new pieces of an exchange cost than the old ones. It never refunds more than was
// paid for them.
func difference(oldUnit, newUnit, pieces, goods int64) int64 {
	if newUnit == 0 {
		return 0
	}
	return max((newUnit-oldUnit)*pieces, -goods)
}

func (m *Model) quote(c *Claim, o *Order, oneWay int64) {
	c.Money.Fee = 0
	if c.Fault() == "buyer" {
		switch {
		case c.Type == Exchange:
			c.Money.Fee = 2 * oneWay
		case c.Type == Return && o.Spec.ShippingPaid == 0 && !m.wayOutCharged(c):
			c.Money.Fee, c.Money.WayOut = 2*oneWay, oneWay > 0
		case c.Type == Return:
			c.Money.Fee = oneWay
		}
	}
	owed := c.goods() - c.Money.Fee
	if c.Type == Exchange {
		owed = -c.Money.Difference - c.Money.Fee
	}
	c.Money.Shortfall = max(0, -owed)
}

// wayOutCharged reports whether another return of the order is charged for the outbound shipping of the free shipment.
func (m *Model) wayOutCharged(c *Claim) bool {
	for _, other := range m.Claims {
		if other.No != c.No && other.Order == c.Order && other.Money.WayOut && !withoutEffect[other.Status] {
			return true
		}
	}
	return false
}

// fix decides the refund of a claim, once.
func (m *Model) fix(c *Claim) {
	c.Money.Fixed = true
	if c.Type == Exchange {
		c.Money.Breakdown = c.exchangeRefund()
		return
	}
	o := m.Orders[c.Order]
	var shipping, shippingPoints int64
	if m.givesShippingBack(c, o) {
		shipping, shippingPoints = o.Spec.ShippingPaid, o.ShippingPoints
	}
	goods, points := c.goods(), c.points()
	// A fee beyond the value of the goods was paid before.
	b := &Breakdown{Goods: goods, Shipping: shipping, Difference: c.Money.Before}
	b.Fee = min(c.Money.Fee, goods-c.Money.Before)
	// Fees are deducted from the goods, from their money first, so that it makes no difference which claim refunds the shipping.
	net := b.Goods - b.Fee - b.Difference
	b.Points = min(net, points-c.Money.BeforePoints) + shippingPoints
	b.Money = net + shipping - b.Points
	c.Money.Breakdown = b
}

// exchangeRefund returns what an exchange for cheaper goods refunds after its fee, or nil when that is nothing.
func (c *Claim) exchangeRefund() *Breakdown {
	points := c.pointsBack()
	refund := -c.Money.Difference - c.Money.Fee
	if refund <= 0 {
		return nil
	}
	b := &Breakdown{Fee: c.Money.Fee, Difference: c.Money.Difference, Points: min(points, refund)}
	b.Money = refund - b.Points
	return b
}

func (i *ClaimItem) pointsBack() int64 {
	if i.Difference >= 0 || i.Goods == 0 {
		return 0
	}
	return i.Points * -i.Difference / i.Goods
}

func (c *Claim) pointsBack() (sum int64) {
	for i := range c.Items {
		sum += c.Items[i].pointsBack()
	}
	return sum
}

// inheritedPoints returns the points of the exchange lines: those that are not refunded. Points that remain from cheaper
// goods pay the additional cost of dearer ones of the same claim.
func (c *Claim) inheritedPoints() []int64 {
	kept, points := c.pointsBack(), make([]int64, len(c.Items))
	if b := c.exchangeRefund(); b != nil {
		kept -= b.Points
	}
	for i := range c.Items {
		item := &c.Items[i]
		more := min(kept, max(0, item.Difference))
		points[i] = item.Points - item.pointsBack() + more
		kept -= more
	}
	return points
}

// givesShippingBack reports whether the claim is the one that undoes the last piece of the seller's part, provided that all
// of it was canceled or the seller was at fault for some of it.
func (m *Model) givesShippingBack(c *Claim, o *Order) bool {
	var undone int64
	canceled, fault := true, false
	for _, other := range m.Claims {
		if other.Order != c.Order || other.Type == Exchange || !other.Money.Fixed {
			continue
		}
		undone += other.quantity()
		canceled = canceled && other.Type == Cancel
		fault = fault || other.Fault() == "seller"
	}
	return undone == o.Bought && (canceled || fault)
}

// goods returns what was paid for the claimed quantities, points the part of it that was paid with points.
func (c *Claim) goods() (sum int64) {
	for _, item := range c.Items {
		sum += item.Goods
	}
	return sum
}

func (c *Claim) points() (sum int64) {
	for _, item := range c.Items {
		sum += item.Points
	}
	return sum
}

func (c *Claim) quantity() (sum int64) {
	for _, item := range c.Items {
		sum += item.Quantity
	}
	return sum
}
