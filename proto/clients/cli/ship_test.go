package cli_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// A sheet as a carrier's program writes it: with a title, Korean names, and names of carriers as people write them.
const sheet = "출고 목록,,,\r\n송장번호,주문번호,상품주문번호,택배사\r\n6123-4567-8904,A-1,A-1-01,CJ 대한통운\r\n" +
	"412345678901,B-1,B-1-01,(주)한진\r\n6091234567890,C-1,,등기우편\r\n,,,\r\n"

func inFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	requireWritten(t, path, text)
	return path
}

func requireWritten(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func inBook(t *testing.T, name string, rows ...[]any) string {
	t.Helper()
	book := excelize.NewFile()
	for i, cells := range rows {
		require.NoError(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &cells))
	}
	return saved(t, book, name)
}

func saved(t *testing.T, book *excelize.File, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text, err := book.WriteToBuffer()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o600))
	require.NoError(t, book.Close())
	return path
}

func outcomes(t *testing.T, file string) map[string][]string {
	t.Helper()
	return resultsIn(t, file+".result.csv", "result")
}

func resultsIn(t *testing.T, path, outcome string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\uFEFF"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"row", "order_no", "item_ids", "carrier", "tracking_no", outcome, "why"}, rows[0])
	all := map[string][]string{}
	for _, row := range rows[1:] {
		require.NotContains(t, all, row[0])
		all[row[0]] = row
	}
	return all
}

// The same rows are shipped from each form of file.
func TestShip_everyFormOfFile(t *testing.T) {
	t.Parallel()
	tabs := strings.ReplaceAll(sheet, ",", "\t")
	for form, write := range map[string]func(t *testing.T) string{
		"utf8":      func(t *testing.T) string { t.Helper(); return inFile(t, "a.csv", "\uFEFF"+sheet) },
		"tabs":      func(t *testing.T) string { t.Helper(); return inFile(t, "a.txt", tabs) },
		"semicolon": func(t *testing.T) string { t.Helper(); return inFile(t, "a.csv", strings.ReplaceAll(sheet, ",", ";")) },
		"old mac": func(t *testing.T) string {
			t.Helper()
			return inFile(t, "a.csv", strings.ReplaceAll(sheet, "\r\n", "\r"))
		},
		"cp949": func(t *testing.T) string {
			t.Helper()
			text, err := korean.EUCKR.NewEncoder().String(sheet)
			require.NoError(t, err)
			return inFile(t, "a.csv", text)
		},
		"utf16": func(t *testing.T) string {
			t.Helper()
			text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(tabs)
			require.NoError(t, err)
			return inFile(t, "a.txt", text)
		},
		"book":           func(t *testing.T) string { t.Helper(); return inBook(t, "a.xlsx", asRows(sheet)...) },
		"book named csv": func(t *testing.T) string { t.Helper(); return inBook(t, "a.csv", asRows(sheet)...) },
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.place("A-1", sellerapi.ItemPaid, sellerapi.ItemPaid)
			m.place("B-1", sellerapi.ItemPaid).Items[0].HasActiveClaim = true
			m.place("C-1", sellerapi.ItemPaid, sellerapi.ItemPreparing)
			file := write(t)
			said := w.runs(cli.ExitPartly, "ship", file)
			require.Contains(t, said, "row 4  B-1  refused  ORDER_ITEM_HAS_ACTIVE_CLAIM: a claim on B-1-01 is in progress")
			require.Equal(t, map[string]string{
				"A-1-01": "CJ대한통운 612345678904", "C-1-01": "우체국택배 6091234567890", "C-1-02": "우체국택배 6091234567890",
			}, m.parcels())
			require.Equal(t, "shipped", outcomes(t, file)["3"][5])
		})
	}
}

func asRows(text string) [][]any {
	var rows [][]any
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\r\n") {
		var cells []any
		for cell := range strings.SplitSeq(line, ",") {
			cells = append(cells, cell)
		}
		rows = append(rows, cells)
	}
	return rows
}

// CSV that cannot be read strictly is refused: a quote that is guessed at sends a number out with the order of another row.
func TestShip_strictCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"quote inside": {
			"order_no,product,tracking_no,carrier\nA1,\"국산\" 쌀,601111111111,CJ대한통운\nA2,\"조, 수수\",602222222222,CJ대한통운\n",
			"line 2, column 7: ",
		},
		"bare quote": {"order_no,tracking_no,carrier,product\nA1,601111111111,cj,27\" 모니터\n", "line 2, column 22: "},
		"last column": {
			"order_no,tracking_no,carrier,product\nA1,601111111111,cj,\"쌀\nA2,602222222222,cj,조\n",
			"line 2, column 20: ",
		},
		"last column, longer": {
			"order_no,tracking_no,carrier,\"a \"\"memo\"\"\"\nA1,601111111111,cj,\"쌀\nA2,602222222222,cj,조 " +
				"\"국산\"\n",
			"line 2, column 20: ",
		},
		"backslash":  {"order_no,product,tracking_no,carrier\nA1,\"27\\\" x\",601111111111,cj\n", "line 2, column 8: "},
		"other ends": {"order_no,tracking_no,carrier\nA1,601111111111,cj\rA2,602222222222,cj\n", "line 2 ends in another way"},
		"quoted heading": {
			"order_no,tracking_no,carrier,\"memo\nA1,601111111111,cj,x\nA2,602222222222,cj,\"\n",
			"line 1: a text in quotes contains other rows",
		},
		"not Korean":   {"order_no,tracking_no,carrier\nA1,601111111111,\xff\xfe\n", "neither UTF-8 nor"},
		"UTF-8 cut":    {"order_no,tracking_no,carrier\nA1,601111111111,\xed\x95\x9c\xec\xa7,x\n", "neither UTF-8 nor"},
		"no columns":   {"a,b\n1,2\n", "no row names the columns"},
		"no rows":      {"order_no,tracking_no\n,\n", "no row below the names of the columns"},
		"empty":        {"", "no row names the columns"},
		"old workbook": {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or encrypted workbook"},
		"broken book":  {"PK\x03\x04 and nothing more", "zip"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.placeMany("A", 2)
			require.Contains(t, w.runs(cli.ExitFailed, "ship", inFile(t, "a.csv", c.text)), c.want)
			require.Empty(t, m.calls)
		})
	}
}

// A quote that is not closed where it should be is closed by that of a later row: strict reading takes the rows between for a
// text. Neither the row nor those inside are sent, and each is reported. A text of several lines that is only a text costs
// nothing.
func TestShip_rowsInsideOfText(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 5)
	file := inFile(t, "a.csv",
		"order_no,product,tracking_no,carrier\nA1,\"쌀,412345678901,한진\nA2,조,412345678902,한진\nA3,수수\",412345678903,한진\n"+
			"A4,\"조, 수수\n와 \"\"쌀\"\"\",412345678904,한진\nA5,쌀,20kg,412345678905,한진\n")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 2  A1  refused  a text in quotes contains other rows")
	require.Equal(t, map[string]string{"A4-01": "한진택배 412345678904"}, m.parcels())
	rows := outcomes(t, file)
	for row, want := range map[string]string{
		"2": "contains other rows", "3": "inside a text of row 2", "4": "inside a text of row 2",
		"7": "more cells than the row that names the columns",
	} {
		require.Contains(t, rows[row][6], want)
	}
}

// Only the sheet that names the columns is read, and what a person does not see is not sent. What was left out is said.
func TestShip_sheets(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 6)
	book := excelize.NewFile()
	heading := []any{"주문번호", "송장번호", "택배사"}
	for name, rows := range map[string][][]any{
		"Sheet1": {{"안내", "읽어 주세요"}}, "empty": {},
		"출고": {heading, {"A1", "412345678901", "한진"}, {}, {"A2", "412345678902", "한진"}}, "archive": {heading, {
			"A3", "412345678903",
			"한진",
		}},
	} {
		_, err := book.NewSheet(name)
		require.NoError(t, err)
		for i, cells := range rows {
			require.NoError(t, book.SetSheetRow(name, fmt.Sprintf("A%d", i+1), &cells))
		}
	}
	require.NoError(t, book.SetRowVisible("출고", 4, false))
	require.NoError(t, book.SetSheetVisible("archive", false))
	file := saved(t, book, "a.xlsx")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 4  A2  refused  the row is hidden")
	require.Contains(t, said, "The sheet Sheet1 does not name the columns and was not read")
	require.Equal(t, map[string]string{"A1-01": "한진택배 412345678901"}, m.parcels())
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--sheet", "archive"), "shipped  1\n")
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--sheet", "none"), "there is no sheet \"none\": Sheet1, ")

	two := excelize.NewFile()
	_, err := two.NewSheet("Sheet2")
	require.NoError(t, err)
	for _, name := range two.GetSheetList() {
		require.NoError(t, two.SetSheetRow(name, "A1", &heading))
	}
	require.Contains(t, w.runs(cli.ExitFailed, "ship", saved(t, two, "a.xlsx")), "several sheets name the columns (Sheet1, Sheet2)")
}
