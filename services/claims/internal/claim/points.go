package claim

import "github.com/google/uuid"

// Points are not money: what a customer paid with points is refunded in points. Fees and price differences are deducted from the
// money part of a refund first.

// inPoints returns the part of a refund that is paid in points; the rest is money. points is the part of the amount before
// deductions that had been paid with points. Deductions are taken from the money first, so all points are refunded, up to the
// whole refund.
func inPoints(refund, points int64) int64 { return min(refund, points) }

// cheaper and dearer return by how much the replacement goods cost less, or more, than the old ones; one of them is 0.
func (i *Item) cheaper() int64 { return max(0, -i.Difference) }
func (i *Item) dearer() int64  { return max(0, i.Difference) }

// pointsBack returns the share, rounded down, of the refund for cheaper goods that was paid with points.
func (i *Item) pointsBack() int64 {
	if i.cheaper() == 0 {
		return 0
	}
	return proportion(i.Points, i.cheaper(), i.Goods)
}

// pointsBack returns the part of the claim's refund for goods, before deductions, that was paid with points.
func (c *Claim) pointsBack() int64 {
	if c.Type != Exchange {
		return c.Money.Points - c.Money.AlreadyPoints
	}
	var sum int64
	for i := range c.Items {
		sum += c.Items[i].pointsBack()
	}
	return sum
}

// ReplacingPoints returns the points that pay for the lines of an exchange, in the order of the items: the points of the old
// goods that were not refunded, and those of cheaper goods that pay for dearer ones of the same claim. No line has more than it
// costs.
func (c *Claim) ReplacingPoints() []int64 {
	points := make([]int64, len(c.Items))
	kept := c.pointsBack() - inPoints(max(0, c.Money.net(c.Type)), c.pointsBack())
	for i := range c.Items {
		item := &c.Items[i]
		more := min(kept, item.dearer())
		points[i] = item.Points - item.pointsBack() + more
		kept -= more
	}
	return points
}

// LineAmount is an amount of a line.
type LineAmount struct {
	ItemID uuid.UUID
	Amount int64
}

// givenBack returns what a claim with a fixed refund returns for each line, before fees: the goods, less the refund of the
// exchange that the claim replaced, or what an exchange owes. Over all claims of a line it is at most the amount paid for it.
func (c *Claim) givenBack() []LineAmount {
	var amounts []LineAmount
	for i := range c.Items {
		item := &c.Items[i]
		amount := item.Goods - item.AlreadyRefunded
		if c.Type == Exchange {
			amount = item.cheaper()
		}
		if amount > 0 && c.Money.Refund != nil {
			amounts = append(amounts, LineAmount{ItemID: item.ItemID, Amount: amount})
		}
	}
	return amounts
}
