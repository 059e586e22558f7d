package requestlog

import (
	"errors"
	"time"

	"github.com/google/uuid"
)

// ErrUnknown means that the log has no such call of the seller.
var ErrUnknown = errors.New("the request log has no such call of this seller")

// Filter selects entries of a seller. Zero values select all.
type Filter struct {
	// From and Until belong to the range.
	From, Until *time.Time
	KeyID       uuid.UUID
	KeyPrefix   string
	Operation   string
	Code        string
	RequestID   string
	Record      string
	Status      int
}

// Count is the number of calls of an hour with one key, operation and outcome.
type Count struct {
	Hour      time.Time
	KeyID     uuid.UUID
	Operation string
	Status    int
	Code      string
	Calls     int64
	Rows      int64
	// P50 and P95 are percentiles of the time that the calls took.
	P50, P95 time.Duration
}

// LastUse is when a key was last used, as far as the log has it; nil if it has no call of the key.
type LastUse struct {
	KeyID     uuid.UUID
	KeyPrefix string
	At        *time.Time
}
