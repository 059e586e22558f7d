package order

import (
	"errors"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// The errors of impossible corrections.
var (
	// ErrNotCorrectable says that there is no correction from the state of the item to the wanted one: one of them is terminal or
	// not paid.
	ErrNotCorrectable = errors.New("no correction leads to this state")
	// ErrParcelNeeded says that the state needs a parcel, and neither the item nor the operator has one.
	ErrParcelNeeded = errors.New("the state needs a shipment")
	// ErrParcelSuperfluous says that the operator gave a parcel for a state that has none.
	ErrParcelSuperfluous = errors.New("the state has no shipment")
)

// Correction is the state and the parcel that an operator gives an item, whatever its present state.
type Correction struct {
	To State
	// Parcel is the actual parcel of the item; nil keeps the present one.
	Parcel *carrier.Shipment
}

// Correct puts an item of any seller into the state that an operator chose, in any direction, and corrects its parcel. The item
// gets the fields of the new state. A claim that holds the item keeps it; the caller checks [Hold.Correctable]. The plan is
// empty when nothing changes. Errors: ORDER_ITEM_NOT_FOUND, ORDER_ITEM_HAS_ACTIVE_CLAIM for a replacement item that is about to
// be canceled, ErrNotCorrectable, ErrParcelNeeded, ErrParcelSuperfluous.
func (o *Locked) Correct(id string, c Correction, terms Terms) (Plan, error) {
	found, err := o.Find(uuid.Nil, []string{id})
	if err != nil {
		return Plan{}, err
	}
	rule, err := correction(found[0], c)
	switch {
	case err != nil:
		return Plan{}, err
	case found[0].Gate == GateClosed:
		return Plan{}, apierr.OrderItemHasActiveClaim.With(map[string]any{"claim_no": found[0].ExchangeClaimNo})
	}
	d := o.draft(terms)
	item := d.item(found[0].ID)
	if c.Parcel != nil && (item.ParcelID == uuid.Nil || !item.Parcel().Same(*c.Parcel)) {
		item.put(*c.Parcel)
		d.plan.Parcel = c.Parcel
	}
	if rule != nil {
		d.enter(item, append(rule.Via[:len(rule.Via):len(rule.Via)], rule.To)...)
	}
	return d.done(), nil
}

// correction returns the transition of a correction; nil when the item is in the state already.
func correction(item *LockedItem, c Correction) (*arrow, error) {
	rule := correctionArrow(item.State, c.To)
	shows := c.To.Shows()
	switch {
	case rule == nil && (item.State != c.To || item.State.Terminal()):
		return nil, ErrNotCorrectable
	case shows.Parcel && c.Parcel == nil && item.ParcelID == uuid.Nil:
		return nil, ErrParcelNeeded
	case !shows.Parcel && c.Parcel != nil:
		return nil, ErrParcelSuperfluous
	}
	return rule, nil
}

func correctionArrow(from, to State) *arrow {
	for _, rule := range Items.Find(from, Correct) {
		if rule.To == to {
			return &rule
		}
	}
	return nil
}
