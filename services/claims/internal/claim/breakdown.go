package claim

// Breakdown lists the components of a refund, in the order's currency:
//
//	goods + shipping − fee − price difference = refund = money + points
//
// Only PriceDifference can be negative.
type Breakdown struct {
	// Goods is the amount paid for the returned goods; 0 for an exchange, whose goods are replaced.
	Goods int64
	// Shipping is the part of the order's shipping that is refunded.
	Shipping int64
	// Fee is the part of the fee that is deducted from this refund; a part prepaid as a shortfall is not. What an exchange
	// deducted, the return that replaces it gives back.
	Fee int64
	// PriceDifference is that of an exchange, negative; for a return that replaced an exchange, the amount that the exchange had
	// refunded.
	PriceDifference int64
	// Points and Money are the parts of the refund by means of payment.
	Points, Money int64
}

// Breakdown returns the components of the refund; nil until the refund is fixed.
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

// ChargedFee returns the customer's share of the shipping; nil for a claim that ended without charging any: without effect, or as
// an exchange that became a return, which gives back what the exchange charged.
func (c *Claim) ChargedFee() *int64 {
	if endsWithoutEffect(c.Status) || c.Status == ConvertedToReturn {
		return nil
	}
	fee := c.Money.Fee
	return &fee
}
