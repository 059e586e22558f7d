package sellerapi

import "time"

// timeForm is how the server writes times: UTC, six fractional digits. With Z there is no plus sign to escape.
const timeForm = "2006-01-02T15:04:05.000000Z"

// FormatTime writes a time as the server does: in UTC, with microseconds. What is finer is cut off. Texts of this form
// sort by time.
func FormatTime(at time.Time) string { return at.UTC().Format(timeForm) }
