package timestamp

import (
	"fmt"
	"time"
)

// layout is the one response form. The zeros of the fraction are kept, so that
// every timestamp has the same length and sorts as text.
const layout = "2006-01-02T15:04:05.000000Z"

// Format prints a time as responses carry it: UTC, six fractional digits, Z.
// Anything finer than a microsecond is cut off.
func Format(t time.Time) string { return t.UTC().Format(layout) }

// AppendFormat appends what [Format] prints to b.
func AppendFormat(b []byte, t time.Time) []byte { return t.UTC().AppendFormat(b, layout) }

// Time is an instant that appears in JSON in the form of [Format]. Views use it
// for every timestamp, and a *Time where the timestamp may be null. It has text
// methods rather than MarshalJSON because encoders call them without a copy; the
// JSON is the same.
type Time time.Time

// Pointer converts an optional time; nil stays nil and becomes null.
func Pointer(t *time.Time) *Time { return (*Time)(t) }

// Std converts back to the standard type.
func (t Time) Std() time.Time { return time.Time(t) }

// String is the form of [Format].
func (t Time) String() string { return Format(time.Time(t)) }

// AppendText appends the form of [Format]. A year that has no four digits
// cannot be printed and is an error.
func (t Time) AppendText(b []byte) ([]byte, error) {
	utc := time.Time(t).UTC()
	if year := utc.Year(); year < 0 || year > 9999 {
		return b, fmt.Errorf("timestamp: year %d cannot be printed", year)
	}
	return utc.AppendFormat(b, layout), nil
}

// MarshalText is AppendText for encoders that do not know it.
func (t Time) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, len(layout)))
}

// UnmarshalText reads what [Parse] reads.
func (t *Time) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*t = Time(parsed)
	return nil
}
