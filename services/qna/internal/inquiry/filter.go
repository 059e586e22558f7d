package inquiry

import "time"

// Filter selects a seller's inquiries that meet all set conditions. Zero values are not set.
type Filter struct {
	Status  Status
	Updated Range
}

// Range is a period of time, both bounds inclusive. A nil bound is open.
type Range struct{ From, Until *time.Time }
