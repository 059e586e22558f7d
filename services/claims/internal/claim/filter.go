package claim

import "time"

// Range is an inclusive interval of time; nil bounds are open.
type Range struct{ From, Until *time.Time }

// Filter selects claims of a list; zero values do not restrict it.
type Filter struct {
	Type      Type
	Status    Status
	Requested Range
	Updated   Range
}
