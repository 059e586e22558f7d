package claim

// Breakdown says what a refund consists of, in the order's currency:
//
//	goods + shipping − fee − price difference = refund = money + points
//
// Only PriceDifference can be negative.
type Breakdown struct {
	// Goods is what was paid for the goods that went back; 0 for an exchange, whose goods are replaced.
	Goods int64
	// Shipping is what of the order's shipping goes back.
	Shipping int64
	// Fee is what of the fee is taken off this refund; what was paid before, as a shortfall, is not.
	Fee int64
	// PriceDifference is that of an exchange, negative; for a return that took the place of an exchange, what the exchange had
	// refunded.
	PriceDifference int64
	// Points and Money are what the customer gets it in.
	Points, Money int64
}

// Breakdown returns what the refund consists of; nil as long as none is fixed.
func (c *Claim) Breakdown() *Breakdown {
	m := &c.Money
	if m.Refund == nil {
		return nil
	}
	b := &Breakdown{Shipping: m.Shipping, Points: m.RefundPoints, Money: *m.Refund - m.RefundPoints}
	if c.Type == Exchange {
		b.Fee, b.PriceDifference = m.Fee, m.Difference
		return b
	}
	b.Goods, b.PriceDifference = m.Goods, m.AlreadyRefunded
	b.Fee = min(m.Fee, m.Goods-m.AlreadyRefunded)
	return b
}

// ChargedFee is what the customer bears of the shipping; nil for a claim that ended without effect, which charged nothing.
func (c *Claim) ChargedFee() *int64 {
	if endsWithoutEffect(c.Status) {
		return nil
	}
	fee := c.Money.Fee
	return &fee
}
