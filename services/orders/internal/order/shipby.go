package order

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
)

// CheckShipBy returns the problems of a time by which an item should be shipped. The zero time stands for none.
func CheckShipBy(path string, at time.Time) []apierr.FieldError {
	if at.IsZero() {
		return nil
	}
	return timestamp.CheckReported(path, at)
}

// FirstShipBy returns the earlier of two times by which items should be shipped, of which the second is that of an item in the
// state. Zero stands for none, and an item that is not to be shipped any more has none.
func (s State) FirstShipBy(first, at time.Time) time.Time {
	if !s.Shows().ShipBy || at.IsZero() || !first.IsZero() && first.Before(at) {
		return first
	}
	return at
}

// SetShipBy sets by when items of any seller should be shipped; the zero time stands for no time. Items that have been shipped or
// have ended keep what they have. The plan is empty when nothing changes. ORDER_ITEM_NOT_FOUND.
func (o *Locked) SetShipBy(ids []string, at time.Time) (Plan, error) {
	found, err := o.Find(uuid.Nil, ids)
	if err != nil {
		return Plan{}, err
	}
	d := o.draft(Terms{})
	for _, item := range found {
		if item.State.Shows().ShipBy && !item.ShipBy.Equal(at) {
			d.item(item.ID).ShipBy = at
		}
	}
	return d.done(), nil
}
