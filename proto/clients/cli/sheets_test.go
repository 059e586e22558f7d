package cli_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"

	"sellerapi.dev/proto/clients/cli"
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
	// line is where the row begins in the file.
	line int
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
}

func (s *sheetOf) pick(of ...string) string { return of[s.IntN(len(of))] }
func (s *sheetOf) chance(percent int) bool  { return s.IntN(100) < percent }
func (s *sheetOf) digits(count int) string  { return fmt.Sprintf("%0*d", count, s.Int64N(pow(count))) }

func pow(digits int) int64 {
	value := int64(1)
	for range digits {
		value *= 10
	}
	return value
}

// number returns a number as the carrier gives it.
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
	return s.pick(number, number, number, grouped(number, "-"), grouped(number, " "), grouped(number, "."), wide(number), " "+number+" ",
		number+"\t", "\u200b"+number, grouped(number, "\u2013"), wide(number[:4])+"－"+number[4:])
}

// add adds a row, with a mistake now and then.
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
		row.spoil(0, s.pick("2.02603E+16", "20260314000184200", `="`+row.order+`"`, row.order+"x", "'"+row.order, "..", strings.Repeat("9", 70)))
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
		s.rows = append(s.rows, &truth{order: row.order, item: row.item, number: other, carrier: row.carrier,
			cells: [4]string{row.order, other, row.item, row.carrier}})
	},
	func(s *sheetOf, row *truth, other string) { // a merged cell has the number of the order
		s.rows = append(s.rows, &truth{order: row.order, number: other, carrier: row.carrier, cells: [4]string{"", other, "", row.carrier}})
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

// newSheet makes the rows of a file and the orders of the market.
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

// names are the names of the columns.
var names = [][]string{
	{"order_no", "주문번호", "쇼핑몰 주문번호", "ORDER_NO"}, {"tracking_no", "송장번호", "운송장 번호", "등기번호"}, {"item_id", "상품주문번호"},
	{"carrier", "택배사", "배송업체"}, {"상품명"}, {"전화"}, {"메모"},
}

// texts returns the cells of a row in the order of the columns.
func (s *sheetOf) texts(row *truth) []string {
	cells := make([]string, len(s.columns))
	for at, column := range s.columns {
		switch column {
		case 4:
			cells[at] = row.product
		case 5:
			cells[at] = "010-1234-5678"
		case 6:
			cells[at] = s.pick("", "", "문 앞", "경비실,\n부재시 문 앞")
		default:
			cells[at] = row.cells[column]
		}
	}
	return cells
}

func (s *sheetOf) heading() []string {
	cells := make([]string, len(s.columns))
	for at, column := range s.columns {
		cells[at] = s.pick(names[column]...)
	}
	return cells
}

// csvText returns the file as a program writes it: as the format demands, or by putting separators between texts.
func (s *sheetOf) csvText(separator string) string {
	writer := s.pick("strict", "strict", "strict", "all quoted", "naive", "half quoted")
	end := s.pick("\n", "\r\n", "\r\n")
	short, lost := s.chance(10), s.chance(10)
	s.habit += " " + writer
	s.clean = writer == "strict" || writer == "all quoted"
	var text strings.Builder
	line := 1
	put := func(cells []string) {
		for at, cell := range cells {
			cells[at] = quoted(cell, separator, writer, s.chance(50))
		}
		if short { // as spreadsheets do with the last columns
			for len(cells) > 1 && cells[len(cells)-1] == "" {
				cells = cells[:len(cells)-1]
			}
		}
		joined := strings.Join(cells, separator)
		if lost && s.chance(20) {
			joined = strings.Replace(joined, separator, " ", 1)
			s.clean = false
		}
		text.WriteString(joined + end)
		line += strings.Count(joined, "\n") + 1
	}
	if s.chance(10) {
		put([]string{"출고 목록"})
	}
	put(s.heading())
	for _, row := range s.rows {
		if row.blankBefore {
			put([]string{"", ""})
		}
		row.line = line
		put(s.texts(row))
	}
	return text.String()
}

// quoted returns a cell as a writer puts it into CSV.
func quoted(cell, separator, writer string, coin bool) string {
	needs := strings.ContainsAny(cell, separator+"\"\n\r") || strings.TrimSpace(cell) != cell
	switch {
	case writer == "naive", writer == "half quoted" && !strings.Contains(cell, separator):
		return cell
	case writer == "half quoted" && coin: // an end of the text is lost
		return `"` + cell
	case writer == "half quoted":
		return `"` + cell + `"`
	case needs || writer == "all quoted":
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	default:
		return cell
	}
}

// encodings are the encodings of CSV.
var encodings = map[string]encoding.Encoding{
	"utf8": encoding.Nop, "bom": unicode.UTF8BOM, "cp949": korean.EUCKR,
	"utf16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
}

// write writes the file and returns its path.
func (s *sheetOf) write(t *testing.T) string {
	t.Helper()
	if s.chance(40) {
		return s.writeBook(t)
	}
	separator := s.pick(",", ",", "\t", ";")
	coded := s.pick("utf8", "bom", "cp949", "utf16le", "utf16be")
	s.habit = fmt.Sprintf("csv %q %s", separator, coded)
	text := s.csvText(separator)
	bytes, err := encodings[coded].NewEncoder().String(text)
	if err != nil { // CP949 does not have every character
		bytes, s.habit = text, s.habit+" as utf8"
	}
	return inFile(t, s.pick("a.csv", "a.txt"), bytes)
}

// writeBook writes a workbook. A number is a text, a number, or one in the form of other programs.
func (s *sheetOf) writeBook(t *testing.T) string {
	t.Helper()
	s.habit = "book"
	book := excelize.NewFile()
	line := 1
	put := func(cells []string, typed bool) {
		for at, cell := range cells {
			name, err := excelize.CoordinatesToCellName(at+1, line)
			require.NoError(t, err)
			_, err = strconv.ParseFloat(cell, 64)
			if err == nil && typed && s.columns[at] == 1 && len(cell) < 16 {
				require.NoError(t, book.SetCellDefault("Sheet1", name, cell))
				continue
			}
			require.NoError(t, book.SetCellStr("Sheet1", name, cell))
		}
		line++
	}
	typed := s.chance(50)
	if s.chance(20) {
		put([]string{"출고 목록"}, false)
	}
	put(s.heading(), false)
	for _, row := range s.rows {
		if row.blankBefore {
			line++
		}
		row.line = line
		put(s.texts(row), typed)
		if row.hidden {
			require.NoError(t, book.SetRowVisible("Sheet1", row.line, false))
			row.clean = false
		}
	}
	if s.chance(10) {
		_, err := book.NewSheet("다른 시트")
		require.NoError(t, err)
	}
	return saved(t, book, "a.xlsx")
}

// check holds what was sent and reported against what is meant. It returns how many rows were shipped, and whether the file was refused.
func (s *sheetOf) check(t *testing.T, m *market, code int, file string) (shipped int, refused bool) {
	t.Helper()
	sent := m.parcels()
	for code, parcel := range sent {
		s.checkParcel(t, code, parcel)
	}
	rows, read := reported(t, file)
	if !read {
		require.Equal(t, cli.ExitFailed, code)
		require.Empty(t, sent)
		require.False(t, s.clean && !strings.Contains(s.habit, "cp949"), "what is well written is read, unless the encoding is not certain")
		return 0, true
	}
	for _, row := range s.rows {
		require.Contains(t, rows, row.line, "row %d has no report", row.line)
		if s.clean && s.agreed(row) {
			require.Equal(t, "shipped", rows[row.line], "row %d is as it should be", row.line)
		}
		if rows[row.line] == "shipped" {
			require.True(t, row.clean, "row %d is not what was meant", row.line)
			require.Equal(t, row.carrier+" "+row.number, sent[s.anyItem(row, sent)], "row %d", row.line)
			shipped++
		}
	}
	require.Equal(t, shipped == len(rows), code == cli.ExitDone, "nothing but full success is success")
	return shipped, false
}

// checkParcel holds the parcel of an item against the rows that name it, or else against all rows of its order.
func (s *sheetOf) checkParcel(t *testing.T, code, parcel string) {
	t.Helper()
	order, named, rows := code[:strings.LastIndex(code, "-")], []string{}, []string{}
	for _, row := range s.rows {
		if row.order == order {
			rows = append(rows, row.carrier+" "+row.number)
		}
		if row.item == code {
			named = append(named, row.carrier+" "+row.number)
		}
	}
	if len(named) > 0 {
		rows = named
	}
	require.NotEmpty(t, rows, "%s was in no row", code)
	for _, meant := range rows {
		require.Equal(t, meant, parcel, code)
	}
}

// agreed reports whether all rows of an order are clean, and of one parcel unless they name their items.
func (s *sheetOf) agreed(row *truth) bool {
	for _, other := range s.rows {
		if other.order == row.order && (!other.clean || other.number != row.number && (row.item == "" || other.item == "")) {
			return false
		}
	}
	for i, other := range s.rows { // the row after it may belong to it
		if other.order == row.order && i+1 < len(s.rows) && s.rows[i+1].cells[0] == "" {
			return false
		}
	}
	return true
}

// anyItem returns the code of an item that went out with a row.
func (s *sheetOf) anyItem(row *truth, sent map[string]string) string {
	for code := range sent {
		if code == row.item || row.item == "" && code[:strings.LastIndex(code, "-")] == row.order {
			return code
		}
	}
	return ""
}

// reported returns the result of each row of the file of results, and whether there are any.
func reported(t *testing.T, file string) (map[int]string, bool) {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".result.csv")
	if os.IsNotExist(err) {
		return nil, false
	}
	require.NoError(t, err)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\uFEFF"))).ReadAll()
	require.NoError(t, err)
	rows := map[int]string{}
	for _, line := range lines[1:] {
		number, err := strconv.Atoi(line[0])
		require.NoError(t, err)
		require.NotContains(t, rows, number)
		rows[number] = line[5]
	}
	return rows, true
}

// Whatever a spreadsheet contains, no parcel goes out that a person would not have sent from it: none with another row's number, none
// with a number that differs from the cell's digits, and every row has a report. -sheets says how many files are made, -seed where they
// begin.
func TestShip_generatedSheets(t *testing.T) {
	t.Parallel()
	t.Logf("%d files from seed %d", *sheetFiles, *sheetSeed)
	shipped, whole, rows := 0, 0, 0
	for i := range *sheetFiles {
		seed := *sheetSeed + uint64(i)
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			m, w := newMarket(t)
			defer m.Close()
			s := newSheet(seed, m)
			file := s.write(t)
			w.world.Out, w.world.Err = &w.out, &w.err
			code := cli.Run(t.Context(), []string{"ship", file}, w.world)
			defer func() {
				if t.Failed() {
					text, _ := os.ReadFile(file)
					t.Logf("%s\n%.2000q\n%s%s", s.habit, text, &w.out, &w.err)
				}
			}()
			sent, refused := s.check(t, m, code, file)
			shipped, rows = shipped+sent, rows+len(s.rows)
			if refused {
				whole++
			}
		})
	}
	t.Logf("%d rows, %d shipped, %d files refused as a whole", rows, shipped, whole)
	require.Greater(t, shipped, rows/3, "most rows are sent")
	require.Positive(t, whole)
}
