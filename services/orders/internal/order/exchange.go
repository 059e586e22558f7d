package order

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Replacement describes the goods that a customer gets for the claimed quantity of an item.
type Replacement struct {
	// ItemID is the claimed item.
	ItemID     uuid.UUID
	OptionName string
	// ListPrice is the list price of one replacement piece; 0 keeps that of the claimed item.
	ListPrice int64
	// UnitPrice is the price of one replacement piece; 0 keeps amount and discount of the claimed pieces.
	UnitPrice int64
	// Paid is the total paid for the replacement goods, after the price difference: at most the price of all pieces.
	Paid int64
	// Points is the part of Paid that is covered by the points of the claimed goods.
	Points int64
}

// AddExchangeLine creates the replacement items of an exchange, in the order of the replacements and open for shipping, and
// seals the hold. Repeated for the same items, it only opens gates that another version left in another state.
//
// CLAIM_NOT_INSPECTABLE with a reason: an item can no longer be exchanged, the hold has ended, or there is not exactly one
// replacement for each held item, at a price that a line can have.
func (o *Locked) AddExchangeLine(hold *Hold, wanted []Replacement, newID func() uuid.UUID) (Hold, Plan, error) {
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

// matches reports whether there is exactly one replacement for each held item, and its price covers what is paid.
func (hold *Hold) matches(wanted []Replacement) bool {
	seen := map[uuid.UUID]bool{}
	for _, replacement := range wanted {
		i := hold.index(replacement.ItemID)
		if i < 0 || seen[replacement.ItemID] || !replacement.isPriced(hold.Items[i].Quantity) {
			return false
		}
		seen[replacement.ItemID] = true
	}
	return hold.Type == ClaimExchange && len(wanted) == len(hold.Items)
}

// isPriced reports whether the price of the pieces covers what is paid for them and is not more than [MaxAmount].
func (r *Replacement) isPriced(pieces int64) bool {
	return r.UnitPrice == 0 || r.UnitPrice <= MaxAmount/pieces && r.Paid <= r.UnitPrice*pieces
}

// index returns the index of an item in the hold; -1 when it is not held.
func (hold *Hold) index(id uuid.UUID) int {
	return slices.IndexFunc(hold.Items, func(h HoldItem) bool { return h.ItemID == id })
}

func (hold *Hold) replaced() bool {
	return slices.ContainsFunc(hold.Items, func(h HoldItem) bool { return h.ExchangeItemID != uuid.Nil })
}

// prices returns the prices of the replacement for some pieces of an item. The claims service decides what is paid, by the same
// rule: the price of the option less the discount of the pieces, of which more than the price lapses. So the discount here is
// what is not paid.
func (r *Replacement) prices(old *LockedItem, pieces int64) Prices {
	amount := r.UnitPrice * pieces
	if r.UnitPrice == 0 {
		amount = r.Paid + proportion(old.Prices.Line, pieces, old.Quantity) - proportion(old.Prices.Paid, pieces, old.Quantity)
	}
	return Prices{
		List: cmp.Or(r.ListPrice, old.Prices.List), Unit: amount / pieces, Line: amount,
		Discount: amount - r.Paid, Paid: r.Paid,
	}
}

func (d *draft) replace(old LockedItem, pieces int64, r Replacement, id uuid.UUID) {
	d.next.Items = append(d.next.Items, LockedItem{
		Item: Item{
			ID: id, Seq: d.next.lastSeq() + 1, ProductName: old.ProductName, OptionName: r.OptionName, Quantity: pieces,
			Prices: r.prices(&old, pieces), IsExchange: true, OriginID: old.ID,
		},
		SellerID: old.SellerID, ProductID: old.ProductID, Points: r.Points,
	})
	d.enter(&d.next.Items[len(d.next.Items)-1], Paid)
}

func (d *draft) gate(hold *Hold, gate Gate) {
	for _, held := range hold.Items {
		if item := d.item(held.ExchangeItemID); item != nil {
			item.Gate = gate
		}
	}
}

// ShipExchangeLine ships the replacement items and completes the exchange. Items that an order call shipped in the same parcel
// are already done; the forwarding agent, which a reshipment cannot name, is ignored in the comparison. When order calls have
// shipped all of them, the parcel of any of them completes the exchange, and every item stays in its own parcel. The plan is
// empty when the exchange was completed before and one of the items travels in the parcel.
//
// ref identifies the registration of the reshipment, or is empty. A repetition with the ref that shipped succeeds, even when an
// operator has corrected the parcel since; a canceled ref never ships.
//
// CLAIM_NOT_RESHIPPABLE with a reason: the reshipment was canceled (canceled); an item travels in another parcel while one is
// still to be shipped, or none travels in this one (parcel); there are no replacement items (replacement); or the exchange
// cannot complete (state, hold). EXCHANGE_ITEM_SHIP_FAILED: another claim holds a replacement item.
func (o *Locked) ShipExchangeLine(
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

// shippedUnder reports whether the exchange was completed by the reshipment with this ref.
func (hold *Hold) shippedUnder(ref string) bool {
	return hold.State == HoldSettled && ref != "" && hold.ShippedReshipment == ref
}

// CancelReshipment prevents the reshipment with this ref from shipping. It does not change the order. CLAIM_NOT_RESHIPPABLE
// with a reason: the items were shipped (shipped), or the hold has ended (hold).
func (o *Locked) CancelReshipment(hold *Hold, ref string) (Hold, Plan, error) {
	switch {
	case slices.Contains(hold.CanceledReshipments, ref):
		return *hold, Plan{}, nil
	case hold.State == HoldSettled:
		return *hold, Plan{}, notReshippable("shipped")
	case hold.State != HoldActive || hold.Type != ClaimExchange:
		return *hold, Plan{}, notReshippable("hold")
	}
	next := *hold
	next.CanceledReshipments = append(slices.Clone(hold.CanceledReshipments), ref)
	return next, Plan{}, nil
}

// toReship returns the replacement items that are still to be shipped, or an error why the exchange cannot complete.
func (o *Locked) toReship(hold *Hold, parcel carrier.Shipment) ([]uuid.UUID, error) {
	if !hold.replaced() {
		return nil, notReshippable("replacement")
	}
	found := o.reshipments(hold, parcel)
	if hold.State == HoldSettled {
		return nil, found.elsewhere()
	}
	if reason := o.impediment(hold); reason != "" {
		return nil, notReshippable(reason)
	}
	return found[reshipNow], found.refusal()
}

// reshipments groups the replacement items by the effect of a reshipment.
type reshipments map[reshipment][]uuid.UUID

func (o *Locked) reshipments(hold *Hold, parcel carrier.Shipment) reshipments {
	found := reshipments{}
	for _, held := range hold.Items {
		item := o.Item(held.ExchangeItemID)
		means := item.reshipment(parcel)
		found[means] = append(found[means], item.ID)
	}
	return found
}

// refusal returns the error why the items prevent the exchange from completing. Permanent reasons take precedence.
func (r reshipments) refusal() error {
	pending := len(r[reshipNow]) + len(r[reshipLater])
	switch {
	case len(r[reshipNever]) > 0:
		return notReshippable("state")
	case pending > 0 && len(r[reshipOtherwise]) > 0:
		return notReshippable("parcel")
	case len(r[reshipLater]) > 0:
		return apierr.ExchangeItemShipFailed
	default:
		return r.elsewhere()
	}
}

// elsewhere returns an error if some items were shipped but none of them in this parcel.
func (r reshipments) elsewhere() error {
	if len(r[reshipOtherwise]) > 0 && len(r[reshipDone]) == 0 {
		return notReshippable("parcel")
	}
	return nil
}

func notReshippable(reason string) error {
	return apierr.ClaimNotReshippable.With(map[string]any{"reason": reason})
}

type reshipment int

const (
	reshipNow       reshipment = iota // it can be shipped
	reshipDone                        // it travels in this parcel, or has arrived
	reshipOtherwise                   // it travels in another parcel
	reshipLater                       // a claim holds it
	reshipNever                       // it has ended
)

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
