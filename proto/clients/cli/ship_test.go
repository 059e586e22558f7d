package cli_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
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

// inFile writes a file into the folder of a test.
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

// inBook writes rows into a workbook in the folder of a test; texts are written as texts.
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

// outcomes returns the rows of the file of results beside a file, by the number of the row.
func outcomes(t *testing.T, file string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".result.csv")
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\uFEFF"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"row", "order_no", "item_ids", "carrier", "tracking_no", "result", "why"}, rows[0])
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

// A cell that is not certainly what its column says costs its row, and says where it is and what was found. Every other row is sent.
func TestShip_cells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		order, number, carrier string
		want                   string
	}{
		"shortened":            {number: "6.12E11", want: `column B (tracking_no): "6.12E11" is a number that a spreadsheet has shortened`},
		"shortened, exact":     {number: "6.12345678901E11", want: "has shortened"},
		"shortened, plus":      {number: "6.12346E+11", want: "has shortened"},
		"shortened, comma":     {number: "6,12346E+11", want: "has shortened"},
		"shortened, and back":  {number: "612346000000", want: "ends in zeros"},
		"rounded":              {number: "6123456789012340", want: "has rounded"},
		"decimal":              {number: "612345678904.0", want: "is a decimal number"},
		"decimal, comma":       {number: "612345678904,0", want: "is a decimal number"},
		"formula":              {number: `="612345678904"`, want: "is a formula"},
		"mark of a text":       {number: "'612345678904", want: "begins with a mark of the spreadsheet"},
		"two numbers":          {number: "612345678904, 612345678915", want: "is more than one number"},
		"two numbers, line":    {number: "612345678904\n612345678915", want: "control characters"},
		"two numbers, blank":   {number: "612345678904 612345678915", want: "is more than one number"},
		"two numbers, hyphens": {number: "6123-4567-8904 6123-4567-8915", want: "is more than one number"},
		"two numbers, slash":   {number: "612345678904/15", want: "is more than one number"},
		"number and count":     {number: "612345678904-1", want: "is more than one number"},
		"error":                {number: "#N/A", want: "is an error of the spreadsheet"},
		"narrow column":        {number: "########", want: "is an error of the spreadsheet"},
		"date":                 {number: "2026-03-14", want: "is a date"},
		"negative":             {number: "-612345678904", want: "is a negative number"},
		"thousands":            {number: "612,345,678,904", want: "is no tracking number"},
		"word":                 {number: "송장 612345678904", want: "is no tracking number"},
		"superscript":          {number: "61234567890⁴", want: "is no tracking number"},
		"too long":             {number: strings.Repeat("6", 61), want: "is more than one number, or longer than one"},
		"no number":            {number: " ", want: "no tracking number"},
		"order shortened":      {order: "2.02603E+16", want: `column A (order_no): "2.02603E+16" is a number that a spreadsheet has shortened`},
		"order rounded":        {order: "20260314000184200", want: "has rounded"},
		"order, formula":       {order: `="A-1"`, want: "is a formula"},
		"order, decimal":       {order: "20260314.0", want: "is a decimal number"},
		"order too long":       {order: strings.Repeat("A", 65), want: "is longer than a number of an order can be"},
		"order, dots":          {order: "..", want: "says nothing"},
		"order, line":          {order: "A\n1", want: "control characters"},
		"no order":             {order: " ", want: "no order number"},
		"carrier unknown":      {carrier: "FEDEX", want: `column C (carrier): "FEDEX" is no carrier: CJ대한통운, 우체국택배`},
		"carrier decimal":      {carrier: "4.0", want: "is no carrier"},
		"two carriers":         {carrier: "롯데택배,로젠택배", want: "is no carrier"},
		"no carrier":           {carrier: " ", want: "row 2 names no carrier: add a column carrier"},
		"check digit":          {number: "612345678905", want: "TRACKING_NO_SUSPICIOUS: the last digit does not fit the others"},
		"length":               {number: "61234567890", want: "TRACKING_NO_SUSPICIOUS: the numbers of this carrier have another length"},
		"letters":              {number: "EB123456789KR", want: "TRACKING_NO_SUSPICIOUS: the numbers of this carrier consist of digits"},
		"phone":                {number: "010-1234-5678", carrier: "로젠", want: "it looks like the number of a phone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cells := []string{"A-1", "612345678904", "cj"}
			for i, text := range []string{c.order, c.number, c.carrier} {
				if text != "" {
					cells[i] = text
				}
			}
			text := "order_no,tracking_no,carrier\n" + written(',', cells) + written(',', []string{"A-2", "412345678901", "한진"})
			for _, file := range []string{
				inFile(t, "a.csv", text), inBook(t, "a.xlsx", []any{"order_no", "tracking_no", "carrier"},
					[]any{cells[0], cells[1], cells[2]}, []any{"A-2", "412345678901", "한진"}),
			} {
				m, w := newMarket(t)
				m.placeMany("A-", 2)
				require.Contains(t, w.runs(cli.ExitPartly, "ship", "--dry-run", file), c.want)
				require.Zero(t, m.calls["ship"])
				said := w.runs(cli.ExitPartly, "ship", file)
				require.Contains(t, said, c.want)
				require.Contains(t, said, "shipped  1\n")
				require.Equal(t, map[string]string{"A-2-01": "한진택배 412345678901"}, m.parcels())
				require.Contains(t, outcomes(t, file)["2"][6], c.want)
				if filepath.Ext(file) == ".xlsx" && strings.HasPrefix(c.want, "column") {
					require.Contains(t, said, "sheet Sheet1, row 2, "+c.want)
				}
			}
		})
	}
}

// written returns a line of CSV.
func written(separator rune, cells []string) string {
	var line strings.Builder
	out := csv.NewWriter(&line)
	out.Comma = separator
	_ = out.Write(cells)
	out.Flush()
	return line.String()
}

// What is unmistakable is normalised as the server does, so that sending a file again finds everything done, whatever the number was
// written like and is stored like.
func TestShip_sentTwice(t *testing.T) {
	t.Parallel()
	for _, number := range []string{
		"612345678904", "6123-4567-8904", "６１２３４５６７８９０４", "６１２３－４５６７－８９０４", "6123 4567\u00a08904", "6123.4567.8904", "\u200b612345678904\ufeff",
		"6123\u20104567\u20138904", "612345678904\t",
	} {
		m, w := newMarket(t)
		m.placeMany("A", 2)
		parcelled(&m.place("A3", sellerapi.ItemDelivered).Items[0], "CJ대한통운", "6123-4567-8904") // as the marketplace placed it
		file := inFile(t, "a.csv", "주문번호,송장번호,택배사\nA1,"+number+",ＣＪ대한통운\nA3,"+number+",CJ\n")
		for range 2 {
			require.Contains(t, w.runs(cli.ExitDone, "ship", file), "shipped  2\n", number)
			require.Equal(t, "CJ대한통운 612345678904", m.parcels()["A1-01"])
			require.Equal(t, []string{"CJ대한통운", "612345678904", "shipped", ""}, outcomes(t, file)["2"][3:])
		}
	}
}

// CSV that cannot be read strictly is refused: a quote that is guessed at sends a number out with the order of another row.
func TestShip_strictCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"quote inside": {"order_no,product,tracking_no,carrier\nA1,\"국산\" 쌀,601111111111,CJ대한통운\nA2,\"조, 수수\",602222222222,CJ대한통운\n",
			"line 2, column 7: "},
		"bare quote":     {"order_no,tracking_no,carrier,product\nA1,601111111111,cj,27\" 모니터\n", "line 2, column 22: "},
		"last column":    {"order_no,tracking_no,carrier,product\nA1,601111111111,cj,\"쌀\nA2,602222222222,cj,조\n", "line 3, column 21: "},
		"backslash":      {"order_no,product,tracking_no,carrier\nA1,\"27\\\" x\",601111111111,cj\n", "line 2, column 8: "},
		"other ends":     {"order_no,tracking_no,carrier\nA1,601111111111,cj\rA2,602222222222,cj\n", "line 2 ends in another way"},
		"quoted heading": {"order_no,tracking_no,carrier,\"memo\nA1,601111111111,cj,x\nA2,602222222222,cj,\"\n", "line 1: a text in quotes contains other rows"},
		"not Korean":     {"order_no,tracking_no,carrier\nA1,601111111111,\xff\xfe\n", "neither UTF-8 nor"},
		"UTF-8 cut":      {"order_no,tracking_no,carrier\nA1,601111111111,\xed\x95\x9c\xec\xa7,x\n", "neither UTF-8 nor"},
		"no columns":     {"a,b\n1,2\n", "no row names the columns"},
		"no rows":        {"order_no,tracking_no\n,\n", "no row below the names of the columns"},
		"empty":          {"", "no row names the columns"},
		"old workbook":   {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or encrypted workbook"},
		"broken book":    {"PK\x03\x04 and nothing more", "zip"},
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

// A quote that is not closed where it should be is closed by that of a later row: strict reading takes the rows between for a text.
// Neither the row nor those inside are sent, and each is reported. A text of several lines that is only a text costs nothing.
func TestShip_rowsInsideOfText(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 5)
	file := inFile(t, "a.csv", "order_no,product,tracking_no,carrier\nA1,\"쌀,412345678901,한진\nA2,조,412345678902,한진\nA3,수수\",412345678903,한진\n"+
		"A4,\"조, 수수\n와 \"\"쌀\"\"\",412345678904,한진\nA5,쌀,20kg,412345678905,한진\n")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 2  A1  refused  a text in quotes contains other rows")
	require.Equal(t, map[string]string{"A4-01": "한진택배 412345678904"}, m.parcels())
	rows := outcomes(t, file)
	for row, want := range map[string]string{
		"2": "contains other rows", "3": "inside a text of row 2", "4": "inside a text of row 2", "7": "more cells than the row that names the columns",
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
		"출고": {heading, {"A1", "412345678901", "한진"}, {}, {"A2", "412345678902", "한진"}}, "archive": {heading, {"A3", "412345678903", "한진"}},
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
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--sheet", "none"), "there is nothing in a sheet none")

	two := excelize.NewFile()
	_, err := two.NewSheet("Sheet2")
	require.NoError(t, err)
	for _, name := range two.GetSheetList() {
		require.NoError(t, two.SetSheetRow(name, "A1", &heading))
	}
	require.Contains(t, w.runs(cli.ExitFailed, "ship", saved(t, two, "a.xlsx")), "several sheets name the columns (Sheet1, Sheet2)")
}

// A number cell is what it holds, unless the sheet shows another number to the person.
func TestShip_numberCells(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 6)
	book := excelize.NewFile()
	rows := [][]any{{"주문번호", "송장번호", "택배사"}}
	formats := []string{"", "0", "#,##0", "0000-0000-0000", "0000000000000", "yyyy-mm-dd"}
	for i := range formats {
		rows = append(rows, []any{fmt.Sprintf("A%d", i+1), 412345678901, "한진"})
	}
	rows[6][1] = 46095
	for i, cells := range rows {
		require.NoError(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &cells))
		if i > 0 && formats[i-1] != "" {
			style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &formats[i-1]})
			require.NoError(t, err)
			require.NoError(t, book.SetCellStyle("Sheet1", fmt.Sprintf("B%d", i+1), fmt.Sprintf("B%d", i+1), style))
		}
	}
	said := w.runs(cli.ExitPartly, "ship", saved(t, book, "a.xlsx"))
	require.Contains(t, said, `row 6, column B (송장번호): "412345678901" is shown as "0412345678901"`)
	require.Contains(t, said, `row 7, column B (송장번호): "46095" is shown as "2026-03-14"`)
	require.Contains(t, said, "shipped  4\n")
}

// Rows that contradict each other are not sent: with an item taken for another the wrong parcel is registered for good. A row that is
// not sent counts as well, its parcel is another one.
func TestShip_contradictions(t *testing.T) {
	t.Parallel()
	const several, ofItem = "several numbers for one order: a column item_id has to say what is in which parcel", "several numbers for the item A1-01"
	for name, c := range map[string]struct {
		rows string
		want map[string]string
	}{
		"two numbers":       {"A1,,412345678901,한진\nA1,,412345678902,한진\n", map[string]string{"2": several, "3": several}},
		"two carriers":      {"A1,,412345678901,한진\nA1,,412345678901,로젠\n", map[string]string{"2": several, "3": "TRACKING_NO_SUSPICIOUS"}},
		"one not yet":       {"A1,,412345678901,한진\nA1,,,한진\n", map[string]string{"2": several, "3": "no tracking number"}},
		"one shortened":     {"A1,,412345678901,한진\nA1,,4.12E+11,한진\n", map[string]string{"2": several, "3": "has shortened"}},
		"one without order": {"A1,,412345678901,한진\n,,412345678902,한진\n", map[string]string{"2": several, "3": "no order number"}},
		"order as formula":  {"A1,,412345678901,한진\n\"=\"\"A1\"\"\",,412345678902,한진\n", map[string]string{"2": several, "3": "is a formula"}},
		"same item":         {"A1,A1-01,412345678901,한진\nA1,A1-01,412345678902,한진\n", map[string]string{"2": ofItem, "3": ofItem}},
		"whole and item":    {"A1,,412345678902,한진\nA1,A1-01,412345678901,한진\n", map[string]string{"2": several, "3": ""}},
		"one parcel":        {"A1,,412345678901,한진\nA1,,4123-4567-8901,(주)한진\n", map[string]string{"2": "", "3": ""}},
		"an item each":      {"A1,A1-01,412345678901,한진\nA1,A1-02,412345678902,한진\n", map[string]string{"2": "", "3": ""}},
		"item unknown":      {"A1,A1-09,412345678901,한진\n", map[string]string{"2": "the order has no item A1-09"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.place("A1", sellerapi.ItemPaid, sellerapi.ItemPaid)
			file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+c.rows)
			code := cli.ExitDone
			for _, why := range c.want {
				if why != "" {
					code = cli.ExitPartly
				}
			}
			for _, result := range []string{"ready", "shipped"} { // the dry run says what the sending says
				if result == "ready" {
					w.runs(code, "ship", file, "--dry-run")
					require.Zero(t, m.calls["ship"])
				} else {
					w.runs(code, "ship", file)
				}
				for row, why := range c.want {
					got := outcomes(t, file)[row]
					if why == "" {
						require.Equal(t, []string{result, ""}, got[5:])
						continue
					}
					require.Equal(t, "refused", got[5])
					require.Contains(t, got[6], why)
				}
			}
		})
	}
}

// Two columns for the same cell are no choice.
func TestShip_columnTwice(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 3)
	file := inFile(t, "a.csv", "주문번호,송장번호,운송장번호,택배사\nA1,412345678901,412345678902,한진\nA2,412345678903,412345678903,한진\nA3,,412345678904,한진\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file), `row 2, column C (운송장번호): "412345678902" differs from another column of this kind`)
	require.Equal(t, map[string]string{"A2-01": "한진택배 412345678903", "A3-01": "한진택배 412345678904"}, m.parcels())
}

// The items of an order are taken as their states allow: the replacement of an exchange goes out with reship of its claim, or the
// exchange does not end; a line that has ended keeps its number, and sent again would have the whole parcel refused; what is in another
// parcel stays there.
func TestShip_standingOfItems(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	const number = "412345678901"
	claim := "CLM-1"
	exchange := func(order string, states ...sellerapi.ItemStatus) *sellerapi.Order {
		placed := m.place(order, states...)
		placed.Items[1].IsExchange, placed.Items[1].ExchangeClaimNo = true, &claim
		return placed
	}
	parcelled(&exchange("X-1", sellerapi.ItemExchanged, sellerapi.ItemPaid, sellerapi.ItemPaid).Items[0], "한진택배", "412345678900")
	parcelled(&exchange("X-2", sellerapi.ItemExchanged, sellerapi.ItemPaid).Items[0], "한진택배", number)
	parcelled(&exchange("X-3", sellerapi.ItemExchanged, sellerapi.ItemShipping).Items[1], "한진택배", number)
	ended := m.place("E-1", sellerapi.ItemReturned, sellerapi.ItemDelivered)
	parcelled(&ended.Items[0], "한진택배", number)
	parcelled(&ended.Items[1], "한진택배", number)
	parcelled(&m.place("E-2", sellerapi.ItemReturned).Items[0], "한진택배", number)
	m.place("E-3", sellerapi.ItemCanceled)
	parcelled(&m.place("S-1", sellerapi.ItemShipping, sellerapi.ItemPaid).Items[0], "한진택배", "412345678900")
	parcelled(&m.place("S-2", sellerapi.ItemShipping).Items[0], "한진택배", "412345678900")
	parcelled(&m.place("S-3", sellerapi.ItemShipping).Items[0], "로젠택배", number)
	want := map[string]string{
		"X-1": "", "X-2": "the replacement of an exchange goes out with reship of the claim CLM-1", "X-1,X-1-02": "reship of the claim CLM-1", "X-3": "",
		"E-1": "", "E-2": "what went out with this number has ended: returned", "E-3": "nothing of the order can go out",
		"E-3,E-3-01": "the item has ended: canceled",
		"S-1":        "", "S-2": "SHIPMENT_STATE_CONFLICT: it went out with 한진택배 412345678900", "S-3": "SHIPMENT_STATE_CONFLICT", "none": "no such order",
	}
	for order, why := range want {
		row, _, named := strings.Cut(order, ",")
		if !named {
			order += ","
		}
		file := inFile(t, "a.csv", "order_no,item_id,tracking_no,carrier\n"+order+","+number+",한진\n")
		if why == "" {
			require.Contains(t, w.runs(cli.ExitDone, "ship", file), "shipped  1\n", row)
			continue
		}
		require.Contains(t, w.runs(cli.ExitPartly, "ship", file), why, row)
	}
	parcels := m.parcels()
	require.Equal(t, "한진택배 "+number, parcels["X-1-03"])
	require.NotContains(t, parcels, "X-1-02")
	require.Equal(t, "한진택배 "+number, parcels["S-1-02"])
	require.Equal(t, "한진택배 412345678900", parcels["S-1-01"])
}

// Parcels go out with a warning only if it is accepted. One that the server gives and the program did not foresee is no success.
func TestShip_warnings(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 2)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\nA1,41234,한진\n")
	w.runs(cli.ExitPartly, "ship", file)
	require.Empty(t, m.parcels())
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--dry-run", "--accept-warnings"), "row 2  A1  ready  warning accepted: TRACKING_NO_SUSPICIOUS")
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--accept-warnings"), "row 2  A1  shipped  warning accepted: TRACKING_NO_SUSPICIOUS")
	require.Contains(t, w.runs(cli.ExitDone, "ship", file), "shipped  1\n", "what is done needs no warning")
	m.doubtful = []string{"412345678901"}
	file = inFile(t, "a.csv", "order_no,tracking_no,carrier\nA2,412345678901,한진\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "row 2  A2  shipped  warning: TRACKING_NO_SUSPICIOUS: a new rule")
}

// The file for the results is opened before anything else: it may be open in a spreadsheet program. Until the outcome is known it says
// so, for a program that is killed.
func TestShip_resultBeforeCalls(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 1)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\nA1,412345678901,한진\nA2,412345678902,한진\n")
	for _, result := range []string{t.TempDir(), filepath.Join(t.TempDir(), "no", "folder.csv"), file} {
		require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--result", result), "the file for the results")
		require.Empty(t, m.calls)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "order_no", "the file of the parcels is kept")
	during := map[string][]string{}
	m.intercept = func(http.ResponseWriter, []sellerapi.BatchShipmentEntry) bool {
		during = outcomes(t, file)
		return false
	}
	w.runs(cli.ExitPartly, "ship", file)
	require.Equal(t, []string{"unknown", "no answer: send the file again"}, during["2"][5:])
	require.Equal(t, []string{"refused", "no such order"}, during["3"][5:])
	require.Equal(t, "shipped", outcomes(t, file)["2"][5])
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--carrier", "FEDEX"), `--carrier: "FEDEX" is no carrier`)
}

// One bad row costs that row, among more than a batch takes.
func TestShip_oneBadRow(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 502)
	rows := strings.Replace(parcels(502), ",400004000012,", ","+strings.Repeat("4", 61)+",", 1)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+rows)
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "row 5  A4  refused  row 5, column B (tracking_no): ")
	require.Len(t, m.parcels(), 501)
}

// A batch that the server refuses as a whole, for a reason that the program does not know, is split until the bad entry is alone.
func TestShip_refusedBatchIsSplit(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 502)
	m.intercept = func(w http.ResponseWriter, batch []sellerapi.BatchShipmentEntry) bool {
		for i, entry := range batch {
			if entry.OrderNo == "A4" || entry.OrderNo == "A200" {
				w.WriteHeader(422)
				_, _ = fmt.Fprintf(w, `{"meta": {"message": "items[%d] is bad", "error_code": "VALIDATION_ERROR", "error_data": {}}, "data": null}`, i)
				return true
			}
		}
		return false
	}
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(502))
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 5  A4  refused  VALIDATION_ERROR: items[0] is bad")
	require.Contains(t, said, "row 201  A200  refused  VALIDATION_ERROR: items[0] is bad\nrefused  2\n")
	require.Len(t, m.parcels(), 500)
}

// Orders are read by lists: one call each would use up the limits before anything is sent. What no list has is read alone.
func TestShip_ordersByLists(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("B", 150)
	m.placeMany("A", 130)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(130)+"none,412345678901,한진\n")
	for range 2 { // the second time all are shipped
		m.calls = map[string]int{}
		require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "shipped  130\n")
		require.LessOrEqual(t, m.calls["list"], 5)
		require.LessOrEqual(t, m.calls["detail"], 1)
	}
}

// parcels returns the rows of so many parcels, of the orders from A1 on.
func parcels(count int) string {
	var rows strings.Builder
	for i := range count {
		fmt.Fprintf(&rows, "A%d,4%011d,한진\n", i+1, (i+1)*1_000_003)
	}
	return rows.String()
}

// The parcels of a batch whose response is lost may have been registered, unlike those of the batches after it. The batch that the
// server refuses to take at the first attempt is not.
func TestShip_responseLost(t *testing.T) {
	t.Parallel()
	const lost = "unknown  500  no answer: send the file again\nunsent   1\n"
	for status, want := range map[int]string{
		0: lost, http.StatusBadGateway: lost, http.StatusTooManyRequests: "unsent   501\n", http.StatusForbidden: "unsent   501\n",
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.placeMany("A", 501)
			m.intercept = func(w http.ResponseWriter, _ []sellerapi.BatchShipmentEntry) bool {
				if status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.Header().Set("Retry-After", "3600") // longer than the client waits
				w.WriteHeader(status)
				return true
			}
			code := cli.ExitUnanswered
			if status == http.StatusForbidden {
				code = cli.ExitFailed
			}
			file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(501))
			said := w.runs(code, "ship", file)
			require.Contains(t, said, want)
			require.NotContains(t, said, "row 3")
			rows := outcomes(t, file)
			if want == lost {
				require.Equal(t, []string{"unknown", "no answer: send the file again"}, rows["501"][5:])
			}
			require.Equal(t, []string{"unsent", ""}, rows["502"][5:])
		})
	}
}

// A parcel of which the answer tells nothing is not shipped.
func TestShip_answerIncomplete(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 1)
	m.intercept = func(w http.ResponseWriter, _ []sellerapi.BatchShipmentEntry) bool {
		_, _ = io.WriteString(w, `{"meta": {"code": 200, "message": "OK"}, "data": {"succeeded": [], "failed": [], "summary": {}}}`)
		return true
	}
	require.Contains(t, w.runs(cli.ExitPartly, "ship", inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(1))), "unknown  1")
}
