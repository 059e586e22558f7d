package claim

import "math/bits"

// Money holds the costs and refunds of a claim, in the order's currency.
type Money struct {
	// Goods is the amount paid for the claimed quantities, Fee the return or exchange fee that the customer bears, Difference by how
	// much the replacement goods cost more (negative: less).
	Goods, Fee, Difference int64
	// Points is the part of Goods that was paid with points, WayOut the part of Fee that is for the outbound way of a free shipment.
	Points, WayOut int64
	// ShippingPaid is the amount that the customer paid for shipping this seller's part of the order, SellerQuantity the number of
	// pieces in that part at purchase (0: unknown, then shipping is never refunded).
	ShippingPaid, SellerQuantity int64
	// ShippingPoints is the part of ShippingPaid that was paid with points.
	ShippingPoints int64
	// AlreadyRefunded is the amount refunded by the exchange that this return replaced, AlreadyPoints the part of it in points.
	AlreadyRefunded, AlreadyPoints int64
	// Shortfall is what the customer has to pay before the claim is requested; ShortfallPaid is the amount paid, under the payment
	// system's id ShortfallPaymentID.
	Shortfall, ShortfallPaid int64
	ShortfallPaymentID       string
	// Shipping is the part of ShippingPaid that is refunded with this claim, and Refund the whole refund; nil until it is fixed, and
	// always nil for an exchange that owes nothing. RefundPoints is the part of it in points.
	Shipping     int64
	Refund       *int64
	RefundPoints int64
}

// Policy holds a seller's charges in one currency.
type Policy struct {
	// FeeOneWay is the shipping fee of one way.
	FeeOneWay int64
	// WayOutCharged is set when another return of the same seller's part bears the outbound shipping, see [Money.WayOut].
	WayOutCharged bool
}

// Won is the currency in which sellers that set no policy charge for claims.
const Won = "KRW"

// DefaultPolicy returns the policy of sellers that set none for a currency: an amount in won means nothing in another one.
func DefaultPolicy(currency string) Policy {
	if currency != Won {
		return Policy{}
	}
	return Policy{FeeOneWay: 3000}
}

// MaxAmount is the maximum cost of a line, also after an exchange: the orders service accepts no more. Sums over all lines of a
// claim stay far below an overflow.
const MaxAmount = 1_000_000_000_000

// Undone is the number of pieces of a seller's part of an order that other claims with a fixed refund have undone: by cancels,
// and by cancels and returns together. SellerFault is set when one of these claims was the seller's fault.
type Undone struct {
	Canceled, Total int64
	SellerFault     bool
}

// proportion returns the share of an amount that belongs to some of the pieces, rounded down. The remainder stays with the other
// pieces, so the shares of a line that is claimed piece by piece add up to the amount exactly. Amounts are not negative and
// 0 < pieces ≤ all.
func proportion(amount, pieces, all int64) int64 {
	high, low := bits.Mul64(uint64(amount), uint64(pieces))
	share, _ := bits.Div64(high, low, uint64(all))
	return int64(share)
}

// exceeds reports whether this many pieces cost more than MaxAmount. Neither number is negative.
func exceeds(price, pieces int64) bool {
	high, low := bits.Mul64(uint64(price), uint64(pieces))
	return high > 0 || low > MaxAmount
}

// fee returns the customer's share of the shipping: nothing if the seller is at fault or for a cancel; one way for a return,
// and the outbound way as well if that was free, once per seller's part; both ways for an exchange. wayOut is the part for such
// an outbound way.
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

// quote computes the costs of a new claim. known holds the known facts about the shipping.
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

// net returns what the customer gets for the goods; negative when the customer owes.
func (m Money) net(kind Type) int64 {
	if kind == Exchange {
		return -m.Difference - m.Fee
	}
	return m.Goods - m.Fee - m.AlreadyRefunded
}

// fix computes the refund; points is the part refunded in points before deductions. The customer's shipping payment is refunded
// with the claim that undoes the last piece of the seller's part: if the seller is at fault for one of the claims involved, or if
// every piece was canceled and so nothing was shipped. So the order of the claims does not matter, nor does it for the split
// between money and points: fees are deducted from the goods.
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

func (m Money) owed() bool { return m.Refund != nil && *m.Refund > 0 }
