package order

import (
	"time"

	"sellerapi.dev/pkg/apierr"
)

// Filter selects a seller's orders that meet all set conditions. Zero values are not set. Bounds are inclusive.
type Filter struct {
	No string
	// Status is the status of the whole order, over all sellers.
	Status Status
	// ItemState asks for an item of this seller in that state now.
	ItemState State
	Paid      Range
	Updated   Range
	// ShipBy asks for an item of this seller that is still to be shipped, by this time or an earlier one; nil when not set.
	ShipBy *time.Time
	// Change is nil when not set.
	Change *ChangeFilter
}

// Range is a period of time, both bounds inclusive. A nil bound is open.
type Range struct{ From, Until *time.Time }

// ChangeFilter selects orders with an item of this seller that entered a state within a range, whatever its state before and
// after. At least one bound of the range is set.
type ChangeFilter struct {
	To State
	At Range
}

// NewChangeFilter returns the filter of the parameters status_changed_to and status_changed_at_*, or nil if none is given.
// Codes: STATUS_CHANGED_FILTER_INCOMPLETE for times without a state and for a state without a time,
// STATUS_CHANGED_RANGE_INVALID for a complete filter whose range is reversed.
func NewChangeFilter(to State, at Range) (*ChangeFilter, error) {
	timed := at.From != nil || at.Until != nil
	switch {
	case to == "" && !timed:
		return nil, nil //nolint:nilnil // without parameters there is no filter
	case to == "" || !timed:
		return nil, apierr.StatusChangedFilterIncomplete
	case at.From != nil && at.Until != nil && at.From.After(*at.Until):
		return nil, apierr.StatusChangedRangeInvalid
	default:
		return &ChangeFilter{To: to, At: at}, nil
	}
}
