package claim

import "math/bits"

// Money is what a claim costs and gives back, in the order's currency.
type Money struct {
	// Goods is what was paid for the claimed quantities, Fee the return or exchange fee that the customer bears,
	// Difference what the exchanged goods cost more (negative: less).
	Goods, Fee, Difference int64
	// Points is the part of Goods that was paid with points, WayOut the part of Fee that is for the way out of a free shipment.
	Points, WayOut int64
	// ShippingPaid is what the customer paid for shipping this seller's part of the order, SellerQuantity how many pieces
	// that part had when it was bought (0: not known, then shipping is never refunded).
	ShippingPaid, SellerQuantity int64
	// ShippingPoints is the part of ShippingPaid that was paid with points.
	ShippingPoints int64
	// AlreadyRefunded is what the exchange that this return came from has given back, AlreadyPoints the part of it in points.
	AlreadyRefunded, AlreadyPoints int64
	// Shortfall is what the customer has to pay before the claim is requested; ShortfallPaid what was paid, under the
	// payment system's id ShortfallPaymentID.
	Shortfall, ShortfallPaid int64
	ShortfallPaymentID       string
	// Shipping is the part of ShippingPaid that goes back with this claim, and Refund the whole refund; nil until it is
	// fixed, and forever when an exchange owes nothing. RefundPoints is the part of it that is given in points.
	Shipping     int64
	Refund       *int64
	RefundPoints int64
}

// Policy is what a seller charges.
type Policy struct {
	// FeeOneWay is the shipping fee of one way.
	FeeOneWay int64
	// WayOutCharged is set when another return of the same seller's part bears the way out, see [Money.WayOut].
	WayOutCharged bool
}

// DefaultPolicy holds for sellers that set nothing.
func DefaultPolicy() Policy { return Policy{FeeOneWay: 3000} }

// MaxAmount is the most that a line can cost, and so what an exchange can make of it: the orders service takes no more. Sums
// over all lines of a claim stay far below what overflows.
const MaxAmount = 1_000_000_000_000

// Undone is how many pieces of a seller's part of an order other claims have undone so far, those whose refund is fixed:
// by cancels, and by cancels and returns together. SellerFault is set when one of these claims was the seller's fault.
type Undone struct {
	Canceled, Total int64
	SellerFault     bool
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
// return, and the way out as well when that was free, once for a seller's part; both ways for an exchange. wayOut is what of it
// is for such a way out.
func fee(kind Type, fault Fault, policy Policy, shippingPaid int64) (all, wayOut int64) {
	switch {
	case fault == SellerFault || kind == Cancel:
		return 0, 0
	case kind == Exchange:
		return 2 * policy.FeeOneWay, 0
	case shippingPaid > 0 || policy.WayOutCharged:
		return policy.FeeOneWay, 0
	default:
		return 2 * policy.FeeOneWay, policy.FeeOneWay
	}
}

// quote computes what a new claim costs. known is what is known of the shipping.
func quote(kind Type, fault Fault, items []Item, known Money, policy Policy) Money {
	m := Money{ShippingPaid: known.ShippingPaid, ShippingPoints: known.ShippingPoints, SellerQuantity: known.SellerQuantity}
	m.Fee, m.WayOut = fee(kind, fault, policy, m.ShippingPaid)
	for _, item := range items {
		m.Goods += item.Goods
		m.Points += item.Points
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

// fix computes the refund; points is what is given back of points before anything is taken off. The customer's shipping payment
// goes back with the claim that undoes the last piece of the seller's part: when the seller is at fault for one of the claims that
// did, or when every piece was canceled and so nothing was shipped. So it makes no difference which of them comes last, nor for
// what is money and what points: fees are taken off the goods.
func (m Money) fix(kind Type, fault Fault, quantity, points int64, undone Undone) Money {
	net := m.net(kind)
	if kind == Exchange {
		if net > 0 {
			m.Refund = &net
			m.RefundPoints = inPoints(net, points)
		}
		return m
	}
	m.RefundPoints = inPoints(max(0, net), points)
	whole := m.SellerQuantity > 0 && undone.Total+quantity == m.SellerQuantity
	canceled := kind == Cancel && undone.Canceled+quantity == m.SellerQuantity
	if whole && (fault == SellerFault || undone.SellerFault || canceled) {
		m.Shipping = m.ShippingPaid
		m.RefundPoints += m.ShippingPoints
	}
	refund := max(0, net) + m.Shipping
	m.Refund = &refund
	return m
}

// owed reports whether there is anything to pay out.
func (m Money) owed() bool { return m.Refund != nil && *m.Refund > 0 }
