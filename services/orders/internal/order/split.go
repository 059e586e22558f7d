package order

import "github.com/google/uuid"

// proportion is the share of an amount that belongs to some of the pieces, rounded down, so that the shares of all never
// exceed it. 0 < pieces ≤ all; MaxAmount times MaxQuantity fits.
func proportion(amount, pieces, all int64) int64 { return amount * pieces / all }

// split divides an item: the claimed pieces become an item of their own, with a new id and the next code, and the rest keeps
// both. Of every amount the claimed part gets its share and the rest the remainder, so that the sums are exact; in both
// parts what was paid stays the amount less the discount. 0 < pieces < quantity.
func (d *draft) split(item *LockedItem, pieces int64, id uuid.UUID, claimNo string) *LockedItem {
	part := *item
	part.ID, part.Seq = id, d.next.lastSeq()+1
	part.OriginID, part.SplitFromClaimNo = item.ID, claimNo
	part.ClaimNo, part.HasActiveClaim = "", false
	part.Quantity = pieces
	part.Prices.Line = proportion(item.Prices.Line, pieces, item.Quantity)
	part.Prices.Paid = proportion(item.Prices.Paid, pieces, item.Quantity)
	part.Prices.Discount = part.Prices.Line - part.Prices.Paid
	part.Points = proportion(item.Points, pieces, item.Quantity)

	item.Quantity -= part.Quantity
	item.Prices.Line -= part.Prices.Line
	item.Prices.Paid -= part.Prices.Paid
	item.Prices.Discount -= part.Prices.Discount
	item.Points -= part.Points
	d.next.Items = append(d.next.Items, part)
	return &d.next.Items[len(d.next.Items)-1]
}
