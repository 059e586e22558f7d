package order

import (
	"math/bits"

	"github.com/google/uuid"
)

// Points divides the points used on a seller's part among its lines, in proportion to the paid amount of each, rounded down;
// the last line gets the rest. No line gets more than its paid amount: the excess of the last one goes to the lines before it,
// the nearest first. All lines together get at most their paid amounts; the rest of the points belongs to shipping, see
// [Locked.ShippingPoints].
func (p *Part) Points() []int64 {
	paid := make([]int64, len(p.Lines))
	var sum int64
	for i := range p.Lines {
		paid[i] = p.Lines[i].Prices().Paid
		sum += paid[i]
	}
	return allocate(min(p.Charges.PointUsed, sum), paid, sum)
}

// allocate divides an amount in proportion to limits, which no share exceeds. sum is the sum of the limits; amount ≤ sum.
func allocate(amount int64, limits []int64, sum int64) []int64 {
	shares := make([]int64, len(limits))
	if amount == 0 {
		return shares
	}
	rest := amount
	for i, limit := range limits[:len(limits)-1] {
		shares[i] = share(amount, limit, sum)
		rest -= shares[i]
	}
	for i := len(limits) - 1; rest > 0; i-- {
		more := min(rest, limits[i]-shares[i])
		shares[i] += more
		rest -= more
	}
	return shares
}

// share returns amount * part / all, rounded down; part ≤ all. The product may need more than 64 bits, because the total of a
// seller's lines can be many times [MaxAmount].
func share(amount, part, all int64) int64 {
	high, low := bits.Mul64(uint64(amount), uint64(part))
	quotient, _ := bits.Div64(high, low, uint64(all))
	return int64(quotient) //nolint:gosec // at most amount
}

// ShippingPoints returns the part of a seller's shipping fee that was paid with points: the points that the lines leave over,
// at most the fee.
func (o *Locked) ShippingPoints(id uuid.UUID) int64 {
	seller := o.Seller(id)
	left := seller.PointUsed
	for i := range o.Items {
		if item := &o.Items[i]; item.SellerID == id && !item.IsExchange {
			left -= item.Prices.Paid
		}
	}
	return min(max(0, left), seller.ShippingFeePaid)
}
