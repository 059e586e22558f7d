package ordertest

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/services/orders/internal/order"
)

// View returns the seller's expected view of a placed order, without the id and updated_at, which are assigned on storing;
// false when the order must not be visible to the seller.
func View(p *order.Placement, seller uuid.UUID) (order.Order, bool) {
	view := order.Order{No: p.No, Currency: p.Currency, PaidAt: p.PaidAt, Contact: p.Contact}
	var all, own order.Set
	found, seq := false, 0
	for i := range p.Parts {
		part := &p.Parts[i]
		for k := range part.Lines {
			seq++
			state := part.Lines[k].Life(p.PaidAt).State
			all = all.With(state)
			if part.SellerID != seller {
				continue
			}
			found, own, view.Charges = true, own.With(state), part.Charges
			view.Items = append(view.Items, item(&part.Lines[k], seq, p.PaidAt))
		}
	}
	view.Status, _ = order.RollUp(all)
	view.SellerStatus, _ = order.RollUp(own)
	return view, found && p.IsPaid()
}

func item(line *order.Line, seq int, paidAt time.Time) order.Item {
	life := line.Life(paidAt)
	seen := order.Item{
		ID: line.ID, Seq: seq, ProductName: line.ProductName, OptionName: line.OptionName, Quantity: line.Quantity,
		Prices: line.Prices(), State: life.State,
		ShippedAt: life.ShippedAt, DeliveredAt: life.DeliveredAt, ConfirmedAt: life.ConfirmedAt,
		AutoConfirmAt: order.DefaultTerms().FirstDeadline(life), ShipBy: line.ShipBy,
	}
	if line.Shipment != nil {
		seen.CarrierName, seen.TrackingNo = line.Shipment.CarrierName, line.Shipment.TrackingNo
		seen.LogisticsCompany = line.Shipment.LogisticsCompany
	}
	return seen
}

// Wants reports whether the filter matches the order, of which view is the seller's view. It implements the filter as the API
// documents it, one condition after the other.
func Wants(f order.Filter, p *order.Placement, seller uuid.UUID, view *order.Order) bool {
	switch {
	case f.No != "" && f.No != view.No,
		f.Status != "" && f.Status != view.Status,
		!within(f.Paid, view.PaidAt),
		!within(f.Updated, view.UpdatedAt),
		f.ShipBy != nil && !slices.ContainsFunc(view.Items, func(i order.Item) bool { return isDue(&i, *f.ShipBy) }):
		return false
	case f.ItemState != "" && !slices.ContainsFunc(view.Items, func(i order.Item) bool { return i.State == f.ItemState }):
		return false
	}
	return f.Change == nil || changed(*f.Change, p, seller)
}

// isDue reports whether an item has not been shipped and should be by the time.
func isDue(item *order.Item, at time.Time) bool {
	return (item.State == order.Paid || item.State == order.Preparing) && !item.ShipBy.IsZero() && !item.ShipBy.After(at)
}

func changed(f order.ChangeFilter, p *order.Placement, seller uuid.UUID) bool {
	for i := range p.Parts {
		for k := range p.Parts[i].Lines {
			for _, change := range p.Parts[i].Lines[k].Life(p.PaidAt).Changes {
				if p.Parts[i].SellerID == seller && change.To == f.To && within(f.At, change.At) {
					return true
				}
			}
		}
	}
	return false
}

// within reports whether a time is in the range, bounds included.
func within(r order.Range, at time.Time) bool {
	return (r.From == nil || !at.Before(*r.From)) && (r.Until == nil || !at.After(*r.Until))
}
