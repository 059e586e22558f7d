package order

import "github.com/google/uuid"

// proportion returns the share of an amount for some of the pieces, rounded down, so that the sum of all shares never exceeds the
// amount. 0 < pieces ≤ all; MaxAmount * MaxQuantity fits into an int64.
func proportion(amount, pieces, all int64) int64 { return amount * pieces / all }

// split divides an item: the claimed pieces become a separate item with a new id and the next code; the rest keeps its id and
// code. Of every amount the claimed part gets its proportion and the rest the remainder, so that the sums are exact; in both
// parts paid remains amount minus discount. 0 < pieces < quantity.
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
