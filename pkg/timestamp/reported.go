package timestamp

import (
	"time"

	"sellerapi.dev/pkg/apierr"
)

// Earliest is the earliest valid time of an event that the marketplace reports:
// a payment, a request, an inquiry. An earlier time is a mistake, such as a
// time that was never set, which is in the year 1.
var Earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// CheckReported returns a problem of the field if a time that the marketplace
// reports is before Earliest. Whether it may be in the future is checked by the
// rules of the service, which know the clock.
func CheckReported(field string, at time.Time) []apierr.FieldError {
	if !at.Before(Earliest) {
		return nil
	}
	return []apierr.FieldError{{Field: field, Code: apierr.FieldRange, Message: "is before " + Earliest.Format(time.RFC3339)}}
}
