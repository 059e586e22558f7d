package order

import (
	"errors"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
)

// Why a correction is impossible.
var (
	// ErrNotCorrectable says that no correction leads from the state of the item to the one that is wanted: one of them is
	// terminal or not paid.
	ErrNotCorrectable = errors.New("no correction leads to this state")
	// ErrParcelNeeded says that the state needs a parcel, and neither the item nor the operator has one.
	ErrParcelNeeded = errors.New("the state needs a shipment")
	// ErrParcelSuperfluous says that the operator gave a parcel for a state that has none.
	ErrParcelSuperfluous = errors.New("the state has no shipment")
)

// Correction is what an operator says of an item, against whatever its state is.
type Correction struct {
	To State
	// Parcel is what the item really travels in; nil keeps the parcel that it has.
	Parcel *carrier.Shipment
}

// Correct puts an item of any seller into the state that an operator says, in any direction, and corrects its parcel. The
// fields of the item become those of the state; a claim that holds the item keeps it; whether it allows the correction is
// [Hold.Correctable]'s to say. The plan stamps nothing when the item is like that. Errors: ORDER_ITEM_NOT_FOUND,
// ErrNotCorrectable, ErrParcelNeeded, ErrParcelSuperfluous.
func (o *Locked) Correct(id string, c Correction, terms Terms) (Plan, error) {
	found, err := o.Find(uuid.Nil, []string{id})
	if err != nil {
		return Plan{}, err
	}
	rule, err := correction(found[0], c)
	if err != nil {
		return Plan{}, err
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

// correction finds the arrow of a correction; nil when the item is in the state already.
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

// correctionArrow is the row of the table that leads from one state to the other for an operator.
func correctionArrow(from, to State) *arrow {
	for _, rule := range Items.Find(from, Correct) {
		if rule.To == to {
			return &rule
		}
	}
	return nil
}
