package cli_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

var (
	sheetFiles = flag.Int("sheets", 300, "how many files of parcels are made")
	sheetSeed  = flag.Uint64("seed", 1, "the seed of the first file; the next file has the next seed")
)

// truth is what a person means with a row, and what of it is in the file.
type truth struct {
	order, item, number, carrier string
	// cells are the texts of the fields in the file, by their place in the heading: order, number, item, carrier.
	cells [4]string
	// clean reports whether a person would send the row as it stands.
	clean, hidden, blankBefore bool
	product                    string
	line                       int
}

// sheetOf makes a file of parcels from its seed: what a person means, the habits of programs, and mistakes.
type sheetOf struct {
	*rand.Rand

	rows []*truth
	// columns are the fields in the order of the file: 0 to 3 as in truth.cells, 4 a product, 5 a phone, 6 a memo.
	columns []int
	// clean reports whether the writer of the file writes what a reader reads.
	clean bool
	habit string
	// shipped is how many rows were shipped, refused whether the file was not read.
	shipped int
	refused bool
}

func (s *sheetOf) pick(of ...string) string { return of[s.IntN(len(of))] }

func (s *sheetOf) chance(percent int) bool { return s.IntN(100) < percent }

func (s *sheetOf) digits(count int) string { return fmt.Sprintf("%0*d", count, s.Int64N(pow(count))) }

func pow(digits int) int64 {
	value := int64(1)
	for range digits {
		value *= 10
	}
	return value
}

func (s *sheetOf) number(carrier string) string {
	switch carrier {
	case "CJ대한통운":
		serial := 1 + s.Int64N(999_999_999)
		return "6" + s.digits(1) + fmt.Sprintf("%09d%d", serial, serial%7)
	case "롯데택배":
		serial := 20_000_000_000 + s.Int64N(9_999_999_999)
		return fmt.Sprintf("%d%d", serial, serial%7)
	case "우체국택배":
		return "6" + s.digits(11) + strconv.Itoa(1+s.IntN(9))
	case "한진택배":
		return "4" + s.digits(10) + strconv.Itoa(1+s.IntN(9))
	default:
		return "9" + s.digits(9) + strconv.Itoa(1+s.IntN(9))
	}
}

// spellings are ways to write a carrier that mean it without doubt.
var spellings = map[string][]string{
	"CJ대한통운": {"CJ대한통운", "CJ 대한통운", "ＣＪ대한통운", "cj", "CJGLS", "대한통운(구)", "씨제이대한통운", "04", "4"},
	"우체국택배":  {"우체국택배", "우체국", "등기우편", "우체국 등기", "우체국/소포", "epost"},
	"한진택배":   {"한진택배", "한진", "(주)한진", "㈜한진", "한진택배(주)", "HANJIN"},
	"롯데택배":   {"롯데택배", "롯데", "현대택배", "롯데글로벌로지스(주)", "lotte"},
	"로젠택배":   {"로젠택배", "로젠", "로젠택배㈜", "KGB", "6"},
}

var carrierList = []string{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"}

// grouped writes a number in groups of four.
func grouped(number, by string) string {
	var groups []string
	for ; len(number) > 4; number = number[4:] {
		groups = append(groups, number[:4])
	}
	return strings.Join(append(groups, number), by)
}

func wide(number string) string {
	return strings.Map(func(r rune) rune { return r - '0' + '０' }, number)
}

// harmless writes a number in another way that is unmistakable.
func (s *sheetOf) harmless(number string) string {
	return s.pick(number, number, number, grouped(number, "-"), grouped(number, " "), grouped(number, "."), wide(number),
		" "+number+" ",
		number+"\t", "\u200b"+number, grouped(number, "\u2013"), wide(number[:4])+"－"+number[4:])
}

func (s *sheetOf) add(order, item, number, carrier string) {
	row := &truth{
		order: order, item: item, number: number, carrier: carrier, clean: true,
		product: s.pick("쌀", "쌀 20kg", "조, 수수", `"국산" 쌀`, `27" 모니터`, "두 줄\n상품", "두 줄,\n\"상품\"", "A;B", ""),
		cells:   [4]string{order, s.harmless(number), item, s.pick(spellings[carrier]...)}, blankBefore: s.chance(5),
	}
	s.rows = append(s.rows, row)
	if s.chance(25) {
		mistakes[s.IntN(len(mistakes))](s, row, s.number(carrier))
	}
}

func (r *truth) spoil(field int, text string) { r.cells[field], r.clean = text, false }

func (r *truth) shortened() string {
	value, _ := strconv.ParseFloat(r.number, 64)
	return strconv.FormatFloat(value, 'E', 5, 64)
}

// mistakes are what programs and people do to a row; other is another number of the row's carrier.
var mistakes = []func(s *sheetOf, row *truth, other string){
	func(_ *sheetOf, row *truth, _ string) { row.spoil(1, row.shortened()) },
	func(_ *sheetOf, row *truth, _ string) { // as Java writes a number
		row.spoil(1, row.number[:1]+"."+strings.TrimRight(row.number[1:], "0")+"E"+strconv.Itoa(len(row.number)-1))
	},
	func(_ *sheetOf, row *truth, _ string) {
		rounded, _ := strconv.ParseFloat(row.shortened(), 64)
		row.spoil(1, strconv.FormatFloat(rounded, 'f', 0, 64))
	},
	func(_ *sheetOf, row *truth, _ string) { row.spoil(1, row.number+".0") },
	func(_ *sheetOf, row *truth, _ string) { row.spoil(1, `="`+row.number+`"`) },
	func(_ *sheetOf, row *truth, _ string) { row.spoil(1, "'"+row.number) },
	func(s *sheetOf, row *truth, other string) {
		row.spoil(1, row.number+s.pick(", ", " ", "/", "\n", ";", " - ", "|", "")+other)
	},
	func(s *sheetOf, row *truth, _ string) { row.spoil(1, row.number+s.pick("-1", " (2)", " x2", "/02")) },
	func(s *sheetOf, row *truth, _ string) { row.spoil(s.IntN(2), "") },
	func(s *sheetOf, row *truth, _ string) {
		row.spoil(0, s.pick("2.02603E+16", "20260314000184200", `="`+row.order+`"`, row.order+"x", "'"+row.order, "..",
			strings.Repeat("9", 70)))
	},
	func(s *sheetOf, row *truth, _ string) {
		row.spoil(3, s.pick("FEDEX", "4.0", "쿠팡", "한진,롯데", "-", "퀵", ""))
	},
	func(s *sheetOf, row *truth, _ string) {
		row.spoil(1, s.pick("#N/A", "########", "송장 "+row.number, "2026-03-14", strings.Repeat("6", 61), "-"+row.number,
			row.number[:3]+","+row.number[3:], row.number[:10]+"⁹", "010-"+s.digits(4)+"-"+s.digits(4)))
	},
	func(_ *sheetOf, row *truth, _ string) { row.hidden = true },
	func(s *sheetOf, row *truth, other string) { // another parcel for the same order
		s.rows = append(s.rows, &truth{
			order: row.order, item: row.item, number: other, carrier: row.carrier,
			cells: [4]string{row.order, other, row.item, row.carrier},
		})
	},
	func(s *sheetOf, row *truth, other string) { // a merged cell has the number of the order
		s.rows = append(s.rows, &truth{order: row.order, number: other, carrier: row.carrier, cells: [4]string{
			"", other, "",
			row.carrier,
		}})
	},
	func(s *sheetOf, row *truth, _ string) { // a slip
		last := len(row.number) - 1
		row.spoil(1, row.number[:last]+strconv.Itoa(1+(int(row.number[last]-'0')+s.IntN(8))%9))
		if row.carrier != "CJ대한통운" && row.carrier != "롯데택배" { // without a check digit it is what anybody would send
			row.clean, row.number = true, row.cells[1]
		}
	},
	func(_ *sheetOf, row *truth, _ string) {
		if len(row.number) > 11 { // a number of 10 digits is a number of the carrier too
			row.spoil(1, row.number[1:])
		}
	},
	func(_ *sheetOf, row *truth, _ string) { row.spoil(2, row.order+"-77") },
}

func newSheet(seed uint64, m *market) *sheetOf {
	s := &sheetOf{Rand: rand.New(rand.NewPCG(seed, 7)), clean: true}
	for i := range 1 + s.IntN(12) {
		order, carrier := fmt.Sprintf("%s-%07d", s.pick("20260314", "A", "주문"), i), s.pick(carrierList...)
		items := 1 + s.IntN(3)
		states := make([]sellerapi.ItemStatus, items)
		for k := range states {
			states[k] = sellerapi.ItemPaid
		}
		m.place(order, states...)
		switch number := s.number(carrier); {
		case items == 1 || s.chance(40):
			s.add(order, "", number, carrier)
		case s.chance(50): // a row an item, in one parcel
			for k := range items {
				s.add(order, s.pick("", fmt.Sprintf("%s-%02d", order, k+1)), number, carrier)
			}
		default:
			for k := range items {
				s.add(order, fmt.Sprintf("%s-%02d", order, k+1), s.number(carrier), carrier)
			}
		}
	}
	s.columns = s.Perm(7)
	return s
}
