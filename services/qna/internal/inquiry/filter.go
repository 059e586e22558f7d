package inquiry

import "time"

// Filter says which of a seller's inquiries are wanted: those that meet everything that is set. Zero values are not set.
type Filter struct {
	Status  Status
	Updated Range
}

// Range is a span of time with both ends in it. A nil end is open.
type Range struct{ From, Until *time.Time }
