package order

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
)

// Plan is the set of changes that a decision makes to an order. The store writes it in the transaction that holds the lock and
// applies no rules itself. A plan for which [Plan.Stamps] is false is empty: the call found its work already done.
type Plan struct {
	// Changed are the new versions of existing items, Added are new items, both in the order of their codes.
	Changed, Added []LockedItem
	// Entered are the states that items enter, in chronological order.
	Entered []ItemStateChange
	// Parcel is the parcel of the items with [NewParcel]; nil if nothing is shipped.
	Parcel *carrier.Shipment
	// Taken is the new hold of a return that supersedes an exchange; nil if there is none.
	Taken *Hold
	// touched is set when the order gets a new updated_at although none of its items changes.
	touched bool
}

// ItemStateChange is a state that an item enters.
type ItemStateChange struct {
	SellerID, ItemID uuid.UUID
	To               State
	At               time.Time
}

// Stamps reports whether the plan changes anything, so that the order gets a new updated_at for each of its sellers.
func (p *Plan) Stamps() bool { return p.touched || len(p.Changed) > 0 || len(p.Added) > 0 }

// After returns the order with the items that it has after the plan. Items in the plan's parcel keep [NewParcel].
func (o *Locked) After(plan *Plan) *Locked {
	next := o.clone()
	for i := range plan.Changed {
		*next.Item(plan.Changed[i].ID) = plan.Changed[i]
	}
	next.Items = append(next.Items, plan.Added...)
	return next
}

// Standing is the summary of an order's items.
type Standing struct {
	// Status is computed from the items of all sellers.
	Status Status
	// Sellers are in the order of [Locked.Sellers].
	Sellers []SellerStanding
}

// SellerStanding is the summary of one seller's items: the states that they are in, and by when the first of those that are still
// to be shipped should be, zero for none.
type SellerStanding struct {
	ID     uuid.UUID
	States Set
	ShipBy time.Time
}

// Standing returns the summary of the order after the plan.
func (o *Locked) Standing(plan *Plan) Standing {
	now := make(map[uuid.UUID]*LockedItem, len(o.Items)+len(plan.Added))
	for _, items := range [][]LockedItem{o.Items, plan.Changed, plan.Added} {
		for i := range items {
			now[items[i].ID] = &items[i]
		}
	}
	standing := Standing{Sellers: make([]SellerStanding, 0, len(o.Sellers))}
	var all Set
	for _, seller := range o.Sellers {
		own := SellerStanding{ID: seller.ID}
		for _, item := range now {
			if item.SellerID == seller.ID {
				own.States, own.ShipBy = own.States.With(item.State), item.State.FirstShipBy(own.ShipBy, item.ShipBy)
			}
		}
		all |= own.States
		standing.Sellers = append(standing.Sellers, own)
	}
	standing.Status, _ = RollUp(all)
	return standing
}

type draft struct {
	order *Locked
	// next is the order after the plan.
	next  *Locked
	terms Terms
	plan  Plan
}

func (o *Locked) draft(terms Terms) *draft {
	return &draft{order: o, next: o.clone(), terms: terms}
}

// item returns the item after the plan, which the caller may modify.
func (d *draft) item(id uuid.UUID) *LockedItem { return d.next.Item(id) }

// enter moves an item through the given states and gives it the fields of the last one.
func (d *draft) enter(item *LockedItem, states ...State) {
	now := d.order.Now
	for _, state := range states {
		item.State = state
		d.plan.Entered = append(d.plan.Entered, ItemStateChange{SellerID: item.SellerID, ItemID: item.ID, To: state, At: now})
	}
	shows := item.State.Shows()
	item.ShippedAt = momentOf(shows.ShippedAt, item.ShippedAt, now)
	item.DeliveredAt = momentOf(shows.DeliveredAt, item.DeliveredAt, now)
	item.ConfirmedAt = momentOf(shows.ConfirmedAt, item.ConfirmedAt, now)
	if !shows.Parcel {
		item.ParcelID, item.CarrierName, item.TrackingNo, item.LogisticsCompany = uuid.Nil, "", "", nil
	}
	d.setDeadline(item, time.Time{})
}

// momentOf returns the time of a field: zero if the state does not show it, else the known time, or now if there is none.
func momentOf(shown bool, known, now time.Time) time.Time {
	switch {
	case !shown:
		return time.Time{}
	case known.IsZero():
		return now
	default:
		return known
	}
}

// setDeadline sets when the purchase of the item is automatically confirmed, no earlier than a time.
func (d *draft) setDeadline(item *LockedItem, earliest time.Time) {
	item.AutoConfirmAt = d.terms.deadline(&item.Item, earliest)
}

// done compares the items with their previous versions and returns the plan.
func (d *draft) done() Plan {
	for i := range d.next.Items {
		item := d.next.Items[i]
		switch before := d.order.Item(item.ID); {
		case before == nil:
			d.plan.Added = append(d.plan.Added, item)
		case *before != item:
			d.plan.Changed = append(d.plan.Changed, item)
		}
	}
	return d.plan
}
