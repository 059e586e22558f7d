package carrier

import (
	"slices"
	"strings"
)

// Doubt is a reason why a tracking number looks mistyped. It is for a warning
// beside a response; a shipment is never refused because of it.
type Doubt string

// The doubts; the zero value means no doubt.
const (
	NotDigits  Doubt = "not_digits"  // the carrier's numbers consist of digits
	Length     Doubt = "length"      // the carrier's numbers have other lengths
	CheckDigit Doubt = "check_digit" // the last digit does not fit the others
)

// Suspicious compares a tracking number with what is known of the carrier's
// numbers and returns the first doubt, or "".
func Suspicious(name Name, number TrackingNo) Doubt {
	known := factsOf(name)
	switch {
	case known == nil:
		return ""
	case !digitsOnly(string(number)):
		return NotDigits
	case !slices.Contains(known.Lengths, len(number)):
		return Length
	case known.CheckFrom != noCheck && !checks(string(number[known.CheckFrom:])):
		return CheckDigit
	default:
		return ""
	}
}

func digitsOnly(number string) bool {
	return strings.Trim(number, "0123456789") == ""
}

// checks reports whether the last digit equals the preceding number modulo 7.
func checks(digits string) bool {
	last := len(digits) - 1
	rest := 0
	for i := range last {
		rest = (rest*10 + int(digits[i]-'0')) % 7
	}
	return rest == int(digits[last]-'0')
}
