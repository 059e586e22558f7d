package sellerapi

import (
	"slices"
	"strings"
	"unicode"
)

// ParseCarrier returns the carrier that a name written by a person or by another system means, such as "한진", "(주)한진" or
// "CJGLS"; false if it is not certain. The names are those of x-other-names of the interface description.
func ParseCarrier(name string) (Carrier, bool) {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.ReplaceAll(halfWidth(name), "㈜", "주"))
	if isDigits(letters) && letters != strings.TrimSpace(name) {
		return "", false // a code is nothing but its digits: 4.0 is none
	}
	if len(letters) == 1 {
		letters = "0" + letters // spreadsheets drop the leading zero of a code
	}
	carrier, known := carrierNames[letters]
	return carrier, known
}

// NormalTrackingNo returns a tracking number as the server stores and compares it: without blanks, hyphens, dots and invisible
// characters, half-width, in upper case. It is false if anything but letters from A to Z and digits remains, or nothing: the
// server may accept such a number, but no carrier has one.
func NormalTrackingNo(number string) (string, bool) {
	normal := strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) || unicode.Is(unicode.Pd, r) || unicode.IsSpace(r) && !unicode.IsControl(r) ||
			unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, halfWidth(number))
	normal = strings.ToUpper(normal)
	return normal, normal != "" && strings.Trim(normal, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// separators are the characters besides dashes, blanks and those without a width that only group the digits of a tracking number:
// dots, what looks like a hyphen, and an empty braille cell.
const separators = ".\u00b7\u2022\u2027\u3002\uff61\u30fb\uff65\u02d7\u2043\u2212\u2800"

func halfWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, text)
}

type trackingForm struct {
	lengths []int
	// checkFrom is the index of the first of the digits that give the last one, modulo 7.
	checkFrom int
}

// noCheck is the checkFrom of a carrier whose rule of the check digit is not known.
const noCheck = -1

// Doubt returns the reason of the warning with which the server accepts a normalised tracking number, or "".
func (c Carrier) Doubt(number string) string {
	form, known := trackingNumbers[c]
	switch {
	case !known:
		return ""
	case !isDigits(number):
		return "not_digits"
	case !slices.Contains(form.lengths, len(number)):
		return "length"
	case form.checkFrom != noCheck && !checks(number[form.checkFrom:]):
		return "check_digit"
	default:
		return ""
	}
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// checks reports whether the last digit is the preceding number modulo 7.
func checks(digits string) bool {
	last, rest := len(digits)-1, 0
	for _, digit := range digits[:last] {
		rest = (rest*10 + int(digit-'0')) % 7
	}
	return rest == int(digits[last]-'0')
}
