package claim

import "math/bits"

// Money is what a claim costs and gives back, in the order's currency.
type Money struct {
	// Goods is what was paid for the claimed quantities, Fee the return or exchange fee that the customer bears,
	// Difference what the exchanged goods cost more (negative: less).
	Goods, Fee, Difference int64
	// ShippingPaid is what the customer paid for shipping this seller's part of the order, SellerQuantity how many pieces
	// that part had when it was bought (0: not known, then shipping is never refunded).
	ShippingPaid, SellerQuantity int64
	// AlreadyRefunded is what the exchange that this return came from has given back.
	AlreadyRefunded int64
	// Shortfall is what the customer has to pay before the claim is requested; ShortfallPaid what was paid, under the
	// payment system's id ShortfallPaymentID.
	Shortfall, ShortfallPaid int64
	ShortfallPaymentID       string
	// Shipping is the part of ShippingPaid that goes back with this claim, and Refund the whole refund; nil until it is
	// fixed, and forever when an exchange owes nothing.
	Shipping int64
	Refund   *int64
}

// Policy is what a seller charges.
type Policy struct {
	// FeeOneWay is the shipping fee of one way.
	FeeOneWay int64
}

// DefaultPolicy holds for sellers that set nothing.
func DefaultPolicy() Policy { return Policy{FeeOneWay: 3000} }

// MaxAmount is the most that a line can cost, and so what an exchange can make of it: the orders service takes no more. Sums
// over all lines of a claim stay far below what overflows.
const MaxAmount = 1_000_000_000_000

// Undone is how many pieces of a seller's part of an order other claims have undone so far, those whose refund is fixed:
// by cancels, and by cancels and returns together.
type Undone struct {
	Canceled, Total int64
}

// proportion is the share of an amount that belongs to some of the pieces, rounded down. The rest stays with the others,
// so the shares of a line that is claimed piece by piece add up to the amount exactly. Amounts are not negative and
// 0 < pieces ≤ all.
func proportion(amount, pieces, all int64) int64 {
	high, low := bits.Mul64(uint64(amount), uint64(pieces))
	share, _ := bits.Div64(high, low, uint64(all))
	return int64(share)
}

// exceeds reports whether so many pieces cost more than a line can. Neither number is negative.
func exceeds(price, pieces int64) bool {
	high, low := bits.Mul64(uint64(price), uint64(pieces))
	return high > 0 || low > MaxAmount
}

// difference is what the exchanged pieces cost more than the old ones by their unit prices; no new price means the same
// one. It never takes back more than was paid for the old ones.
func difference(oldUnit, newUnit, pieces, goods int64) int64 {
	if newUnit == 0 {
		return 0
	}
	return max((newUnit-oldUnit)*pieces, -goods)
}

// fee is what the customer bears of the shipping: nothing by the seller's fault or for a cancel; the way back for a
// return, and the way out as well when that was free; both ways for an exchange.
func fee(kind Type, fault Fault, policy Policy, shippingPaid int64) int64 {
	switch {
	case fault == SellerFault || kind == Cancel:
		return 0
	case kind == Return && shippingPaid > 0:
		return policy.FeeOneWay
	default:
		return 2 * policy.FeeOneWay
	}
}

// quote computes what a new claim costs.
func quote(kind Type, fault Fault, items []Item, shippingPaid, sellerQuantity int64, policy Policy) Money {
	m := Money{ShippingPaid: shippingPaid, SellerQuantity: sellerQuantity, Fee: fee(kind, fault, policy, shippingPaid)}
	for _, item := range items {
		m.Goods += item.Goods
		m.Difference += item.Difference
	}
	m.Shortfall = max(0, -m.net(kind))
	return m
}

// net is what the customer gets for the goods; negative when it is the customer who owes.
func (m Money) net(kind Type) int64 {
	if kind == Exchange {
		return -m.Difference - m.Fee
	}
	return m.Goods - m.Fee - m.AlreadyRefunded
}

// fix computes the refund. The customer's shipping payment goes back with the claim that undoes the last piece of the
// seller's part: when the seller is at fault, or when every piece was canceled and so nothing was shipped.
func (m Money) fix(kind Type, fault Fault, quantity int64, undone Undone) Money {
	net := m.net(kind)
	if kind == Exchange {
		if net > 0 {
			m.Refund = &net
		}
		return m
	}
	whole := m.SellerQuantity > 0 && undone.Total+quantity == m.SellerQuantity
	canceled := kind == Cancel && undone.Canceled+quantity == m.SellerQuantity
	if whole && (fault == SellerFault || canceled) {
		m.Shipping = m.ShippingPaid
	}
	refund := max(0, net) + m.Shipping
	m.Refund = &refund
	return m
}

// owed reports whether there is anything to pay out.
func (m Money) owed() bool { return m.Refund != nil && *m.Refund > 0 }
