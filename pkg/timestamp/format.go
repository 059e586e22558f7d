package timestamp

import (
	"fmt"
	"time"
)

// layout is the only response format. The zeros of the fraction are kept, so
// that every timestamp has the same length and sorts as text.
const layout = "2006-01-02T15:04:05.000000Z"

// Format formats a time as responses carry it: UTC, six fractional digits, Z.
// Anything finer than a microsecond is cut off.
func Format(t time.Time) string { return string(AppendFormat(make([]byte, 0, len(layout)), t)) }

// AppendFormat appends the output of [Format] to b. It prints digit by digit: a
// page has hundreds of times, and parsing the layout for each would take most of
// the time.
func AppendFormat(b []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, layout)
	}
	hour, minute, second := t.Clock()
	b = append(b, layout...)
	text := b[len(b)-len(layout):]
	putDigits(text[0:4], year)
	putDigits(text[5:7], int(month))
	putDigits(text[8:10], day)
	putDigits(text[11:13], hour)
	putDigits(text[14:16], minute)
	putDigits(text[17:19], second)
	putDigits(text[20:26], t.Nanosecond()/1000)
	return b
}

func putDigits(place []byte, number int) {
	for i := len(place) - 1; i >= 0; i-- {
		place[i] = '0' + byte(number%10)
		number /= 10
	}
}

// Time is an instant that appears in JSON in the format of [Format]. Views use
// it for every timestamp, and a *Time where the timestamp may be null. It has
// text methods rather than MarshalJSON because encoders call them without a
// copy; the JSON is the same.
type Time time.Time

// String returns the format of [Format].
func (t Time) String() string { return Format(time.Time(t)) }

// AppendText appends the format of [Format]. A year that does not have four
// digits cannot be printed and is an error.
func (t Time) AppendText(b []byte) ([]byte, error) {
	utc := time.Time(t).UTC()
	if year := utc.Year(); year < 0 || year > 9999 {
		return b, fmt.Errorf("timestamp: year %d cannot be printed", year)
	}
	return AppendFormat(b, utc), nil
}

// MarshalText is AppendText for encoders that do not support it.
func (t Time) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, len(layout)))
}

// UnmarshalText parses what [Parse] accepts.
func (t *Time) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*t = Time(parsed)
	return nil
}
