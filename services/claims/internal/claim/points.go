package claim

import "github.com/google/uuid"

// Points are not money: what a customer paid with points goes back as points. Of every refund the money is what fees and dearer
// goods are taken from first.

// inPoints divides a refund: it is the part that is given in points, the rest is money. points is what of the amount, before
// anything was taken off it, had been paid with points; since money pays what is taken off, as many of them go back as the refund
// has room for.
func inPoints(refund, points int64) int64 { return min(refund, points) }

// cheaper and dearer are what the exchanged goods cost less, or more, than the old ones; one of them is 0.
func (i *Item) cheaper() int64 { return max(0, -i.Difference) }
func (i *Item) dearer() int64  { return max(0, i.Difference) }

// pointsBack is the part of what cheaper goods give back that was paid with points: their share of it, rounded down.
func (i *Item) pointsBack() int64 {
	if i.cheaper() == 0 {
		return 0
	}
	return proportion(i.Points, i.cheaper(), i.Goods)
}

// pointsBack is the part of what the claim gives back for goods, before anything is taken off, that was paid with points.
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

// ReplacingPoints are the points that the lines of an exchange are paid with, in the order of the items: those of the old goods
// that were not given back, and those of cheaper goods that pay for dearer ones of the same claim. No line has more than it costs.
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

// givenBack is what a claim whose refund is fixed gives back of each line, before fees: the goods, less what the exchange that it
// took the place of gave back of them, or what an exchange owes. Over all claims of a line it is at most what was paid for it.
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
