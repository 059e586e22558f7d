//nolint:errname // problems are named after what is wrong with the text
package timestamp

import "time"

// The years that a request may name. A time outside of them is a mistake, and
// some that the database accepts could not be printed again.
const (
	minYear = 1970
	maxYear = 2200
)

// Problem describes to the client what is wrong with a time.
type Problem string

// Error returns the text for the client.
func (p Problem) Error() string { return string(p) }

// The errors of [Parse].
const (
	NotDateTime Problem = "must be a date-time such as 2026-01-31T09:30:00Z or 2026-01-31T18:30:00+09:00 (in a URL, + is " +
		"written %2B)"
	DateAlone     Problem = "must have a time of day as well: 2026-01-31T00:00:00Z"
	NoT           Problem = "must have a T between date and time: 2026-01-31T09:30:00Z"
	BadDate       Problem = "is not a day of the calendar"
	BadTime       Problem = "is not a time of the day: hours go from 00 to 23, minutes and seconds from 00 to 59"
	LeapSecond    Problem = "has a leap second: seconds go from 00 to 59"
	BadFraction   Problem = "must have 1 to 9 digits after the decimal point of the seconds"
	YearRange     Problem = "must lie in the years 1970 to 2200"
	SpaceAsOffset Problem = "has a space before the offset: send + as %2B or use Z"
	BadOffset     Problem = "must end in Z or in an offset such as +09:00 (in a URL %2B09:00), or in nothing for UTC"
)

// Parse parses a request time: YYYY-MM-DDTHH:MM, optionally with :SS and one to
// nine fractional digits, followed by nothing (UTC), Z, or an offset ±HH:MM,
// ±HHMM or ±HH; t and z may be lower case. The result is in UTC, truncated to
// microseconds. The year must lie in 1970..2200 both as written and in UTC, so
// that what [Format] prints of the result can be parsed again.
//
// The error is a [Problem] whose text can be shown to the client.
func Parse(s string) (time.Time, error) {
	date, rest, err := parseDate(s)
	if err != nil {
		return time.Time{}, err
	}
	clock, rest, err := parseClock(rest)
	if err != nil {
		return time.Time{}, err
	}
	offset, err := parseOffset(rest)
	if err != nil {
		return time.Time{}, err
	}
	t := date.Add(clock - offset)
	if year := t.Year(); year < minYear || year > maxYear {
		return time.Time{}, YearRange
	}
	return t, nil
}

// parseDate parses YYYY-MM-DDT and returns midnight of that day and the rest of
// s.
func parseDate(s string) (day time.Time, rest string, err error) {
	year, ok1 := digits(s, 0, 4)
	month, ok2 := digits(s, 5, 2)
	dom, ok3 := digits(s, 8, 2)
	if !ok1 || !ok2 || !ok3 || s[4] != '-' || s[7] != '-' {
		return day, "", NotDateTime
	}
	// A day that is not in the calendar becomes one of another month.
	if day = time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC); day.Month() != time.Month(month) {
		return day, "", BadDate
	}
	if year < minYear || year > maxYear {
		return day, "", YearRange
	}
	switch {
	case len(s) == 10:
		return day, "", DateAlone
	case s[10] != 'T' && s[10] != 't':
		return day, "", NoT
	}
	return day, s[11:], nil
}

// parseClock parses HH:MM[:SS[.fraction]] and returns the time since midnight,
// truncated to microseconds, and the rest of s.
func parseClock(s string) (clock time.Duration, rest string, err error) {
	hour, ok1 := digits(s, 0, 2)
	minute, ok2 := digits(s, 3, 2)
	if !ok1 || !ok2 || s[2] != ':' {
		return 0, "", NotDateTime
	}
	if hour > 23 || minute > 59 {
		return 0, "", BadTime
	}
	clock = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	rest = s[5:]
	if rest == "" || rest[0] != ':' {
		return clock, rest, nil
	}
	second, ok := digits(rest, 1, 2)
	switch {
	case !ok:
		return 0, "", NotDateTime
	case second == 60:
		return 0, "", LeapSecond
	case second > 59:
		return 0, "", BadTime
	}
	fraction, rest, err := parseFraction(rest[3:])
	return clock + time.Duration(second)*time.Second + fraction, rest, err
}

func parseFraction(s string) (fraction time.Duration, rest string, err error) {
	if s == "" || s[0] != '.' {
		return 0, s, nil
	}
	end := 1
	unit := time.Second
	for end < len(s) && isDigit(s[end]) {
		unit /= 10
		fraction += time.Duration(s[end]-'0') * unit
		end++
	}
	if count := end - 1; count < 1 || count > 9 {
		return 0, "", BadFraction
	}
	return fraction.Truncate(time.Microsecond), s[end:], nil
}

// parseOffset parses what follows the time of day: nothing, Z, or an offset.
func parseOffset(s string) (time.Duration, error) {
	if s == "" || s == "Z" || s == "z" {
		return 0, nil
	}
	if s[0] == ' ' {
		return 0, SpaceAsOffset
	}
	if s[0] != '+' && s[0] != '-' {
		return 0, BadOffset
	}
	hour, ok := digits(s, 1, 2)
	minute := 0
	switch {
	case ok && len(s) == 3:
	case ok && len(s) == 5:
		minute, ok = digits(s, 3, 2)
	case ok && len(s) == 6 && s[3] == ':':
		minute, ok = digits(s, 4, 2)
	default:
		return 0, BadOffset
	}
	if !ok || hour > 23 || minute > 59 {
		return 0, BadOffset
	}
	offset := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, nil
}

func digits(s string, at, n int) (value int, ok bool) {
	if len(s) < at+n {
		return 0, false
	}
	for i := at; i < at+n; i++ {
		if !isDigit(s[i]) {
			return 0, false
		}
		value = value*10 + int(s[i]-'0')
	}
	return value, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
