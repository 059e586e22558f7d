package cli

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type form struct {
	is  *regexp.Regexp
	why string
}

func (f form) matches(text string) bool { return f.is.MatchString(text) }

// The forms of cells that are not, or not certainly, what was put into them.
var (
	spoilt = []form{
		{regexp.MustCompile(`^\.{1,2}$`), "says nothing"},
		{regexp.MustCompile(`^=`), "is a formula, not its result"},
		{regexp.MustCompile(`^['‘’"]`), "begins with a mark of the spreadsheet"},
		{regexp.MustCompile(`^#[A-Z/0!?]*!?$|^#+$`), "is an error of the spreadsheet"},
		{
			regexp.MustCompile(`^[+-]?\d{1,3}([.,]\d+)?[Ee][+-]?\d{1,3}$`),
			"is a number that a spreadsheet has shortened: format the column as text",
		},
		{regexp.MustCompile(`^[+-]?\d{15}0+$`), "is a number that a spreadsheet has rounded: format the column as text"},
		{regexp.MustCompile(`^\d+[.,]0*$`), "is a decimal number: format the column as text"},
		{regexp.MustCompile(`[\pC\x{2028}\x{2029}\x{FFFD}]`), "has control characters or characters that are not shown"},
	}
	// noNumber are further forms that no tracking number is written in.
	noNumber = []form{
		{regexp.MustCompile(`^[-–—−]`), "is a negative number"},
		{regexp.MustCompile(`^\d+\.\d+$`), "is a decimal number: format the column as text"},
		{regexp.MustCompile(`^\d{4}[-./ ]+\d{1,2}[-./ ]+\d{1,2}\.?$`), "is a date"},
		{
			regexp.MustCompile(`[0-9A-Za-z]{10,}[^0-9A-Za-z]+[0-9A-Za-z]|[0-9A-Za-z][^0-9A-Za-z]+[0-9A-Za-z]{10,}`),
			"is more than one number",
		},
		{
			regexp.MustCompile(`(?:[0-9A-Za-z][^0-9A-Za-z\s]*){10,}\s.*[0-9A-Za-z]|[0-9A-Za-z].*\s(?:[^0-9A-Za-z\s]*[0-9A-Za-z]){10,}`),
			"is more than one number",
		},
	}
	// noNormal are forms that no normalised tracking number has. Spreadsheets show six digits of a long number.
	noNormal = []form{
		{regexp.MustCompile(`^\d{1,6}0{5,}$`), "ends in zeros, as a number that a spreadsheet has shortened"},
		{regexp.MustCompile(`^.{20}`), "is more than one number, or longer than one"},
	}
)

// formOf returns what the first form that a text has says of it, or "".
func formOf(text string, forms ...[]form) string {
	for _, several := range forms {
		for _, one := range several {
			if one.matches(text) {
				return one.why
			}
		}
	}
	return ""
}

// maxIdentifier is the length of the longest number of an order that the server takes.
const maxIdentifier = 64

// checkIdentifier returns what is wrong with a cell that names an order or an item; "" if nothing is.
func checkIdentifier(text string) string {
	if text == "" {
		return "is empty"
	}
	if len([]rune(text)) > maxIdentifier {
		return "is longer than a number of an order can be"
	}
	return formOf(norm.NFKC.String(text), spoilt)
}

// readTrackingNo returns the number in a cell as the server stores it, and what is wrong with the cell.
func readTrackingNo(text string) (normal, wrong string) {
	half := norm.NFKC.String(visible(text))
	if wrong := formOf(half, spoilt, noNumber); wrong != "" {
		return "", wrong
	}
	normal, certain := sellerapi.NormalTrackingNo(text)
	if !certain {
		return "", "is no tracking number"
	}
	return normal, formOf(normal, noNormal)
}

// visible removes the characters without a width, which come from word processors and chats and change nothing in a number.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, text)
}

func readCarrier(text string) (sellerapi.Carrier, string) {
	if carrier, known := sellerapi.ParseCarrier(norm.NFKC.String(text)); known {
		return carrier, ""
	}
	return sellerapi.Carrier(text), "is no carrier: " + strings.Join(carriers, ", ")
}

var carriers = []string{
	string(sellerapi.CarrierCJ), string(sellerapi.CarrierPost), string(sellerapi.CarrierHanjin), string(sellerapi.CarrierLotte),
	string(sellerapi.CarrierLogen),
}

var longNumber = regexp.MustCompile(`\d{10}`)

func hasLongNumber(text string) bool {
	normal, _ := sellerapi.NormalTrackingNo(text)
	return longNumber.MatchString(normal)
}

// lookalikes are forms that a number of a parcel can have, but that others usually have, which stand beside it in many files.
var lookalikes = []form{
	{regexp.MustCompile(`^0(?:2|[3-6]\d|50\d|70|80|1[016789])\d{7,8}$`), "it looks like the number of a phone"},
	{
		regexp.MustCompile(`^20[2-4]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])(?:[0-5]\d){0,2}$`),
		"it looks like a date with a time",
	},
}

// counted are the digits as placeholders have them.
var counted = []string{strings.Repeat("1234567890", 7), strings.Repeat("9876543210", 7)}

// isPlaceholder reports whether a number repeats a digit, or counts.
func isPlaceholder(normal string) bool {
	return strings.Trim(normal, normal[:1]) == "" ||
		slices.ContainsFunc(counted, func(digits string) bool { return strings.Contains(digits, normal) })
}

var doubts = map[string]string{
	"not_digits":  "the numbers of this carrier consist of digits",
	"length":      "the numbers of this carrier have another length",
	"check_digit": "the last digit does not fit the others, the number is probably mistyped",
}

// doubtOf returns the warning about a number of a carrier, as the server gives it; "" if there is none.
func doubtOf(carrier sellerapi.Carrier, normal string) string {
	if reason := carrier.Doubt(normal); reason != "" {
		return suspicious + ": " + doubts[reason]
	}
	if isPlaceholder(normal) {
		return "it looks like a placeholder"
	}
	return formOf(normal, lookalikes)
}

const suspicious = "TRACKING_NO_SUSPICIOUS"
