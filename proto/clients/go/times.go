package sellerapi

import "time"

// timeForm is the time format of the server: UTC, six fractional digits. With Z there is no plus sign to escape.
const timeForm = "2006-01-02T15:04:05.000000Z"

// FormatTime formats a time as the server does: in UTC, with microseconds. Finer digits are cut off. Strings of this
// form sort by time.
func FormatTime(at time.Time) string { return at.UTC().Format(timeForm) }
