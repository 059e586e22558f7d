package order

import (
	"errors"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Replacement is what a customer gets for the claimed quantity of an item.
type Replacement struct {
	// ItemID is the claimed item.
	ItemID     uuid.UUID
	OptionName string
	// ListPrice is that of one replacing piece; 0: as the old one's.
	ListPrice int64
	// Paid is what the replacing goods cost after the price difference, all of them.
	Paid int64
	// Points is the part of Paid that the points of the claimed goods pay for.
	Points int64
}

// AddExchangeItems creates the items that replace what an exchange holds, in the order of the replacements, open for shipping, and
// seals the hold. Repeated for the same items, it changes nothing, but opens those that another version left otherwise.
//
// CLAIM_NOT_INSPECTABLE with a reason: an item can no longer be exchanged, the hold is gone, or the replacements are not one
// for each item that is held.
func (o *Locked) AddExchangeItems(hold *Hold, wanted []Replacement, newID func() uuid.UUID) (Hold, Plan, error) {
	d := o.draft(Terms{})
	if hold.replaced() && hold.matches(wanted) {
		next := *hold
		if hold.State == HoldActive {
			d.gate(hold, hold.gate())
			next.Sealed = true
		}
		return next, d.done(), nil
	}
	reason := o.impediment(hold)
	if reason == "" && !hold.matches(wanted) {
		reason = "replacement"
	}
	if reason != "" {
		return *hold, Plan{}, apierr.ClaimNotInspectable.With(map[string]any{"reason": reason})
	}
	next := *hold
	next.Sealed, next.Items = true, slices.Clone(hold.Items)
	for _, replacement := range wanted {
		held := &next.Items[hold.index(replacement.ItemID)]
		held.ExchangeItemID = newID()
		d.replace(*d.item(held.ItemID), held.Quantity, replacement, held.ExchangeItemID)
		standsIn := d.item(held.ExchangeItemID)
		standsIn.ExchangeClaimNo, standsIn.Gate = hold.ClaimNo, hold.gate()
	}
	return next, d.done(), nil
}

// matches reports whether the replacements are one for each item of an exchange.
func (hold *Hold) matches(wanted []Replacement) bool {
	seen := map[uuid.UUID]bool{}
	for _, replacement := range wanted {
		if hold.index(replacement.ItemID) < 0 || seen[replacement.ItemID] {
			return false
		}
		seen[replacement.ItemID] = true
	}
	return hold.Type == ClaimExchange && len(wanted) == len(hold.Items)
}

// index is the position of an item in the hold; -1 when it is not held.
func (hold *Hold) index(id uuid.UUID) int {
	return slices.IndexFunc(hold.Items, func(h HoldItem) bool { return h.ItemID == id })
}

// replaced reports whether the items that stand in are there.
func (hold *Hold) replaced() bool {
	return slices.ContainsFunc(hold.Items, func(h HoldItem) bool { return h.ExchangeItemID != uuid.Nil })
}

// replace adds the item that stands in for some pieces of another. It takes over the discount that these pieces had; its
// amount is what is left to say so that paid is amount less discount.
func (d *draft) replace(old LockedItem, pieces int64, r Replacement, id uuid.UUID) {
	list := old.Prices.List
	if r.ListPrice > 0 {
		list = r.ListPrice
	}
	discount := proportion(old.Prices.Line, pieces, old.Quantity) - proportion(old.Prices.Paid, pieces, old.Quantity)
	amount := r.Paid + discount
	d.next.Items = append(d.next.Items, LockedItem{
		Item: Item{
			ID: id, Seq: d.next.lastSeq() + 1, ProductName: old.ProductName, OptionName: r.OptionName, Quantity: pieces,
			Prices:     Prices{List: list, Unit: amount / pieces, Line: amount, Discount: discount, Paid: r.Paid},
			IsExchange: true, OriginID: old.ID,
		},
		SellerID: old.SellerID, ProductID: old.ProductID, Points: r.Points,
	})
	d.enter(&d.next.Items[len(d.next.Items)-1], Paid)
}

// gate sets the gate of the items that stand in.
func (d *draft) gate(hold *Hold, gate Gate) {
	for _, held := range hold.Items {
		if item := d.item(held.ExchangeItemID); item != nil {
			item.Gate = gate
		}
	}
}

// ShipExchange ships the replacing items and completes the exchange. Items that the order's side has shipped in the same
// parcel are content; a forwarding agent, which a reshipment cannot name, makes no difference. When the order's side has
// shipped all of them, nothing is left to ship: any parcel that one of them travels in completes the exchange, and every item
// stays in its own. The plan stamps nothing when the exchange was completed and one of the items travels in the parcel.
//
// ref names the registration of the reshipment, if it has a name: what has shipped under it stays shipped, even when an operator has
// corrected the parcel since, and what was canceled never ships.
//
// CLAIM_NOT_RESHIPPABLE with a reason: the reshipment was canceled (canceled), an item travels in another parcel while one is
// still to be shipped, or none travels in this one (parcel), there is nothing to ship (replacement), or the exchange cannot
// complete (state, hold). EXCHANGE_ITEM_SHIP_FAILED: an item is held by a claim of its own.
func (o *Locked) ShipExchange(
	hold *Hold, ref string, parcel carrier.Shipment, terms Terms, newID func() uuid.UUID,
) (Hold, Plan, error) {
	switch {
	case slices.Contains(hold.CanceledReshipments, ref):
		return *hold, Plan{}, notReshippable("canceled")
	case hold.shippedUnder(ref):
		return *hold, Plan{}, nil
	}
	waiting, err := o.toReship(hold, parcel)
	if err != nil || hold.State == HoldSettled {
		return *hold, Plan{}, err
	}
	d := o.draft(terms)
	for _, id := range waiting {
		item := d.item(id)
		item.put(parcel)
		d.plan.Parcel = &parcel
		d.enter(item, Shipping)
	}
	d.gate(hold, GateEnded)
	next := d.settle(hold, newID)
	next.ShippedReshipment = ref
	return next, d.done(), nil
}

// shippedUnder reports whether the exchange completed with the reshipment that is registered under a name.
func (hold *Hold) shippedUnder(ref string) bool {
	return hold.State == HoldSettled && ref != "" && hold.ShippedReshipment == ref
}

// CancelReshipment keeps a reshipment from shipping that was registered under a name. It changes nothing in the order.
// CLAIM_NOT_RESHIPPABLE with a reason: the items have gone out with one (shipped), or the hold is gone (hold).
func (hold *Hold) CancelReshipment(ref string) (Hold, error) {
	switch {
	case slices.Contains(hold.CanceledReshipments, ref):
		return *hold, nil
	case hold.State == HoldSettled:
		return *hold, notReshippable("shipped")
	case hold.State != HoldActive || hold.Type != ClaimExchange:
		return *hold, notReshippable("hold")
	}
	next := *hold
	next.CanceledReshipments = append(slices.Clone(hold.CanceledReshipments), ref)
	return next, nil
}

// toReship returns which of the items that stand in are still to be shipped, or why the exchange cannot complete.
func (o *Locked) toReship(hold *Hold, parcel carrier.Shipment) ([]uuid.UUID, error) {
	if !hold.replaced() {
		return nil, notReshippable("replacement")
	}
	found := o.weigh(hold, parcel)
	if hold.State == HoldSettled {
		return nil, found.elsewhere()
	}
	if reason := o.impediment(hold); reason != "" {
		return nil, notReshippable(reason)
	}
	return found[reshipNow], found.refusal()
}

// weighed are the items that stand in, by what a reshipment means for them.
type weighed map[reshipment][]uuid.UUID

// weigh weighs a reshipment for every item that stands in.
func (o *Locked) weigh(hold *Hold, parcel carrier.Shipment) weighed {
	found := weighed{}
	for _, held := range hold.Items {
		item := o.Item(held.ExchangeItemID)
		means := item.reshipment(parcel)
		found[means] = append(found[means], item.ID)
	}
	return found
}

// refusal says why the items do not let an exchange complete. What will never be possible comes first.
func (w weighed) refusal() error {
	pending := len(w[reshipNow]) + len(w[reshipLater])
	switch {
	case len(w[reshipNever]) > 0:
		return notReshippable("state")
	case pending > 0 && len(w[reshipOtherwise]) > 0:
		return notReshippable("parcel")
	case len(w[reshipLater]) > 0:
		return apierr.ExchangeItemShipFailed
	default:
		return w.elsewhere()
	}
}

// elsewhere refuses a parcel that none of the items travels in though some travel.
func (w weighed) elsewhere() error {
	if len(w[reshipOtherwise]) > 0 && len(w[reshipDone]) == 0 {
		return notReshippable("parcel")
	}
	return nil
}

// NotReshippable is the reason of the CLAIM_NOT_RESHIPPABLE by which ShipExchange would refuse a parcel; empty when it would
// not.
func (o *Locked) NotReshippable(hold *Hold, parcel carrier.Shipment) string {
	_, err := o.toReship(hold, parcel)
	if !errors.Is(err, apierr.ClaimNotReshippable) {
		return ""
	}
	reason, _ := apierr.From(err).Data["reason"].(string)
	return reason
}

// notReshippable is CLAIM_NOT_RESHIPPABLE with its reason.
func notReshippable(reason string) error {
	return apierr.ClaimNotReshippable.With(map[string]any{"reason": reason})
}

// reshipment is what a reshipment means for an item.
type reshipment int

const (
	reshipNow       reshipment = iota // it can be shipped
	reshipDone                        // it travels in this parcel, or has arrived
	reshipOtherwise                   // it travels in another one
	reshipLater                       // a claim holds it
	reshipNever                       // it has ended
)

// reshipment weighs a reshipment for an item that stands in.
func (i *LockedItem) reshipment(parcel carrier.Shipment) reshipment {
	switch {
	case i.State.Shows().Parcel:
		stored := i.Parcel()
		if stored.Carrier == parcel.Carrier && stored.TrackingNo == parcel.TrackingNo {
			return reshipDone
		}
		return reshipOtherwise
	case !Items.Can(i.State, Ship):
		return reshipNever
	case i.HasActiveClaim:
		return reshipLater
	default:
		return reshipNow
	}
}
