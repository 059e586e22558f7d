package order

import (
	"time"

	"sellerapi.dev/pkg/apierr"
)

// Filter says which of a seller's orders are wanted: those that meet everything that is set. Zero values are not set.
// Bounds are inclusive.
type Filter struct {
	No string
	// Status is the status over the items of all sellers.
	Status Status
	// ItemState asks for an item of this seller in that state now.
	ItemState State
	Paid      Range
	Updated   Range
	// Change is nil when not asked for.
	Change *ChangeFilter
}

// Range is a span of time with both ends in it. A nil end is open.
type Range struct{ From, Until *time.Time }

// ChangeFilter asks for orders with an item of this seller that entered a state at a time in a range, whatever happened to
// it before and after. At least one end of the range is set.
type ChangeFilter struct {
	To State
	At Range
}

// NewChangeFilter makes the filter of the parameters status_changed_to and status_changed_at_*. None of them given is no
// filter and no error. Codes: STATUS_CHANGED_FILTER_INCOMPLETE for times without a state and for a state without a time,
// STATUS_CHANGED_RANGE_INVALID for a complete filter whose range is reversed.
func NewChangeFilter(to State, at Range) (*ChangeFilter, error) {
	timed := at.From != nil || at.Until != nil
	switch {
	case to == "" && !timed:
		return nil, nil //nolint:nilnil // no filter is a good answer to no parameters
	case to == "" || !timed:
		return nil, apierr.StatusChangedFilterIncomplete
	case at.From != nil && at.Until != nil && at.From.After(*at.Until):
		return nil, apierr.StatusChangedRangeInvalid
	default:
		return &ChangeFilter{To: to, At: at}, nil
	}
}
