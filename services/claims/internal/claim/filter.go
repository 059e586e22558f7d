package claim

import (
	"time"

	"github.com/google/uuid"
)

// Range is an inclusive interval of time; nil bounds are open.
type Range struct{ From, Until *time.Time }

// Filter selects claims of a list; zero values do not restrict it.
type Filter struct {
	Type      Type
	Status    Status
	Requested Range
	Updated   Range
}

// Listed is a claim of a page with its list position. The claim has what a seller sees of it; the other fields are zero.
type Listed struct {
	ID uuid.UUID
	Claim
}
