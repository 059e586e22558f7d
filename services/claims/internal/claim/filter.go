package claim

import "time"

// Range is an inclusive interval of time; nil bounds are open.
type Range struct{ From, Until *time.Time }

// Filter is what a list of claims is narrowed to; zero values narrow nothing.
type Filter struct {
	Type      Type
	Status    Status
	Requested Range
	Updated   Range
}
