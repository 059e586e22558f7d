package cli

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// refuseContradictions refuses rows of which it is not certain what is in which parcel: those without an item in an order whose
// rows have several parcels, those that put one item into several, and those whose number stands with several carriers. Rows
// that are not sent count too, for the order that they are of and for those that they may mean: their parcel is another one, or
// unknown.
func refuseContradictions(all []shipment, orders map[string]*sellerapi.Order) {
	found := findingsOf(all, orders)
	for i := range all {
		one := &all[i]
		switch {
		case one.result != "ready":
		case one.itemID == "" && len(found.parcels[one.orderNo]) > 1:
			one.refuse("several numbers for one order: a column item_id has to say what is in which parcel")
		case one.itemID != "" && len(found.parcels[one.itemIDs[0]]) > 1:
			one.refuse("several numbers for the item " + one.itemID)
		case len(found.carriers[one.trackingNo]) > 1:
			one.refuse("the number stands with several carriers")
		}
	}
}

// findings are the parcels of each order and item, by their numbers and ids, and the carriers of each tracking number.
type findings struct{ parcels, carriers sets }

func findingsOf(all []shipment, orders map[string]*sellerapi.Order) findings {
	found, known := findings{sets{}, sets{}}, recordsOf(orders)
	order := "" // of the row before: a row without a number, or with something else in its place, probably belongs to it
	for i := range all {
		one := &all[i]
		switch {
		case orders[one.orderNo] != nil:
			order = one.orderNo
		case one.wrong == "" && strings.ContainsFunc(one.orderNo, unicode.IsDigit):
			order = "" // an order that is not there, not a ditto mark
		}
		found.parcels.add(order, one.box())
		for _, id := range one.itemIDs {
			if one.itemID != "" {
				found.parcels.add(id, one.box())
			}
		}
		for _, meant := range known.meant(one, orders[one.orderNo] != nil) {
			found.parcels.add(meant.order, one.box())
			found.parcels.add(meant.item, one.box())
		}
		if one.carrier != "" {
			found.carriers.add(one.trackingNo, string(one.carrier))
		}
	}
	return found
}

// box returns what tells the row's parcel from others.
func (s *shipment) box() string { return string(s.carrier) + "\n" + s.trackingNo }

type sets map[string]map[string]bool

func (s sets) add(name, text string) {
	if s[name] == nil {
		s[name] = map[string]bool{}
	}
	s[name][text] = true
}

// record is an order, or an item with the order that it is of.
type record struct{ order, item string }

type records map[string][]record

func recordsOf(orders map[string]*sellerapi.Order) records {
	all := records{}
	put := func(name string, one record) { all[keyOf(parts(name))] = append(all[keyOf(parts(name))], one) }
	for number, order := range orders {
		put(number, record{order: number})
		for _, item := range order.Items {
			put(item.ItemCode, record{number, item.ItemID})
			put(item.ItemID, record{number, item.ItemID})
		}
	}
	return all
}

// meant returns the records that the cells of a row may mean without naming them exactly.
func (r records) meant(row *shipment, certain bool) []record {
	var all []record
	for _, word := range row.words {
		all = append(all, r[keyOf(parts(word))]...)
	}
	if !certain {
		all = append(all, r.within(row.orderNo)...)
	}
	if len(row.itemIDs) == 0 {
		all = append(all, r.within(row.itemID)...)
	}
	return all
}

// within returns the records whose names a text has within it, or that it may be a shortened form of.
func (r records) within(text string) []record {
	var all []record
	pieces := parts(text)
	pieces = pieces[:min(len(pieces), maxIdentifier)]
	for from := range pieces {
		for to := from + 1; to <= len(pieces); to++ {
			all = append(all, r[keyOf(pieces[from:to])]...)
		}
	}
	if shown := firstDigits.FindStringSubmatch(text); shown != nil {
		for _, ones := range r {
			for _, one := range ones {
				if one.item == "" && rounds(one.order, shown) {
					all = append(all, one)
				}
			}
		}
	}
	return all
}

// firstDigits is a number of which a spreadsheet has kept the first digits, those before and after its point.
var firstDigits = regexp.MustCompile(`^(?:(\d+)(?:[.,](\d+))?[Ee]\+?\d{1,2}|(\d{15})0+)$`)

// rounds reports whether a number, rounded to the digits that are shown of one, is that one.
func rounds(number string, shown []string) bool {
	exact, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return false
	}
	value, err := strconv.ParseFloat(strings.Replace(shown[0], ",", ".", 1), 64)
	digits := len(shown[1]) + len(shown[2]) + len(shown[3])
	unit := math.Pow10(len(strconv.FormatFloat(value, 'f', 0, 64)) - digits)
	return err == nil && math.Abs(exact-value) <= unit/2
}

// parts returns the runs of letters and digits of a text: nothing else tells numbers apart that a person takes for one.
func parts(text string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFKC.String(visible(text))), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// keyOf returns what the forms of a number have in common. Spreadsheets drop leading zeros.
func keyOf(parts []string) string { return strings.TrimLeft(strings.Join(parts, ""), "0") }
