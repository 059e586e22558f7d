package cli_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
)

var names = [][]string{
	{"order_no", "주문번호", "쇼핑몰 주문번호", "ORDER_NO"},
	{"tracking_no", "송장번호", "운송장 번호", "등기번호"},
	{"item_id", "상품주문번호"},
	{"carrier", "택배사", "배송업체"},
	{"상품명"},
	{"전화"},
	{"메모"},
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

var encodings = map[string]encoding.Encoding{
	"utf8": encoding.Nop, "bom": unicode.UTF8BOM, "cp949": korean.EUCKR,
	"utf16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
}

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

func (s *sheetOf) cell(t *testing.T, field, line int) string {
	t.Helper()
	name, err := excelize.CoordinatesToCellName(slices.Index(s.columns, field)+1, line)
	require.NoError(t, err)
	return name
}

// alone reports whether a row is the only one of its order: what a merged cell means depends on the others.
func (s *sheetOf) alone(row *truth) bool {
	return !slices.ContainsFunc(s.rows, func(other *truth) bool { return other != row && other.order == row.order })
}

// looks are what makes of a row of a workbook another one for a person than for a program.
var looks = []func(t *testing.T, s *sheetOf, book *excelize.File, row *truth){
	func(t *testing.T, _ *sheetOf, book *excelize.File, row *truth) {
		t.Helper()
		require.NoError(t, book.SetRowHeight("Sheet1", row.line, 0))
	},
	func(t *testing.T, s *sheetOf, book *excelize.File, row *truth) {
		t.Helper()
		struck(s.cell(t, s.IntN(2), row.line))(t, book)
	},
	func(t *testing.T, s *sheetOf, book *excelize.File, row *truth) {
		t.Helper()
		field := s.IntN(4)
		row.cells[field] = ""
		formula(s.cell(t, field, row.line))(t, book)
	},
	func(t *testing.T, s *sheetOf, book *excelize.File, row *truth) {
		t.Helper()
		field := s.IntN(4)
		row.cells[field] = ""
		require.NoError(t, book.SetCellValue("Sheet1", s.cell(t, field, row.line), nil))
		merged(s.cell(t, field, row.line-1), s.cell(t, field, row.line))(t, book)
	},
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
			if err == nil && typed && s.columns[at] == 1 && len(cell) <= 16 {
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
		stored, _ := strconv.ParseFloat(row.cells[1], 64)
		if meant, _ := strconv.ParseFloat(row.number, 64); typed && stored == meant && len(row.cells[1]) <= 16 &&
			strings.Contains(row.cells[1], "E") {
			row.clean = true // a number cell with an exponent has every digit
		}
		if row.hidden {
			require.NoError(t, book.SetRowVisible("Sheet1", row.line, false))
			row.clean = false
		}
		if s.chance(20) && s.alone(row) {
			looks[s.IntN(len(looks))](t, s, book, row)
			row.clean = false
		}
	}
	if s.chance(10) {
		_, err := book.NewSheet("다른 시트")
		require.NoError(t, err)
	}
	return saved(t, book, "a.xlsx")
}
