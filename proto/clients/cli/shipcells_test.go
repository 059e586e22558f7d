package cli_test

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// A cell that is not certainly what its column says costs its row, and says where it is and what was found. Every other row is
// sent.
func TestShip_cells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		order, number, carrier string
		want                   string
	}{
		"shortened": {
			number: "6.12E11",
			want:   `column B (tracking_no): "6.12E11" is a number that a spreadsheet has shortened`,
		},
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
		"order shortened": {
			order: "2.02603E+16",
			want:  `column A (order_no): "2.02603E+16" is a number that a spreadsheet has shortened`,
		},
		"order rounded":   {order: "20260314000184200", want: "has rounded"},
		"order, formula":  {order: `="A-1"`, want: "is a formula"},
		"order, decimal":  {order: "20260314.0", want: "is a decimal number"},
		"order too long":  {order: strings.Repeat("A", 65), want: "is longer than a number of an order can be"},
		"order, dots":     {order: "..", want: "says nothing"},
		"order, line":     {order: "A\n1", want: "control characters"},
		"no order":        {order: " ", want: "no order number"},
		"carrier unknown": {carrier: "FEDEX", want: `column C (carrier): "FEDEX" is no carrier: CJ대한통운, 우체국택배`},
		"carrier decimal": {carrier: "4.0", want: "is no carrier"},
		"two carriers":    {carrier: "롯데택배,로젠택배", want: "is no carrier"},
		"no carrier":      {carrier: " ", want: "row 2 names no carrier: add a column carrier"},
		"check digit":     {number: "612345678905", want: "TRACKING_NO_SUSPICIOUS: the last digit does not fit the others"},
		"length": {
			number: "61234567890",
			want:   "TRACKING_NO_SUSPICIOUS: the numbers of this carrier have another length",
		},
		"letters": {
			number: "EB123456789KR",
			want:   "TRACKING_NO_SUSPICIOUS: the numbers of this carrier consist of digits",
		},
		"phone":             {number: "010-1234-5678", carrier: "로젠", want: "it looks like the number of a phone"},
		"phone, safe":       {number: "0507-1234-5678", carrier: "한진", want: "it looks like the number of a phone"},
		"phone, city":       {number: "02-1234-5678", carrier: "한진", want: "it looks like the number of a phone"},
		"phone, region":     {number: "031-123-4567", carrier: "한진", want: "it looks like the number of a phone"},
		"hour":              {number: "2026112710", carrier: "한진", want: "it looks like a date with a time"},
		"minute":            {number: "202611271030", carrier: "한진", want: "it looks like a date with a time"},
		"second":            {number: "20261127103000", carrier: "한진", want: "it looks like a date with a time"},
		"one digit":         {number: "111111111111", carrier: "한진", want: "it looks like a placeholder"},
		"digits in order":   {number: "123456789012", carrier: "한진", want: "it looks like a placeholder"},
		"ten digits":        {number: "1234567890", carrier: "로젠", want: "it looks like a placeholder"},
		"digits backwards":  {number: "987654321098", carrier: "한진", want: "it looks like a placeholder"},
		"number and rest":   {number: "6123-4567-8904 2", carrier: "한진", want: "is more than one number"},
		"rest and number":   {number: "2 6123.4567.8904", carrier: "한진", want: "is more than one number"},
		"number, wide rest": {number: "6123-4567-8904　2", carrier: "한진", want: "is more than one number"},
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

func written(separator rune, cells []string) string {
	var line strings.Builder
	out := csv.NewWriter(&line)
	out.Comma = separator
	_ = out.Write(cells)
	out.Flush()
	return line.String()
}

// What is unmistakable is normalised as the server does, so that sending a file again finds everything done, whatever the number
// was written like and is stored like.
func TestShip_sentTwice(t *testing.T) {
	t.Parallel()
	for _, number := range []string{
		"612345678904", "6123-4567-8904", "６１２３４５６７８９０４", "６１２３－４５６７－８９０４", "6123 4567\u00a08904", "6123.4567.8904",
		"\u200b612345678904\ufeff",
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

// A number cell is what it holds, unless the sheet shows another number to the person.
func TestShip_numberCells(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 6)
	book := excelize.NewFile()
	formats := []string{"", "0", "#,##0", "0000-0000-0000", "0000000000000", "yyyy-mm-dd"}
	rows := append(make([][]any, 0, 1+len(formats)), []any{"주문번호", "송장번호", "택배사"})
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

// Two columns for the same cell are no choice.
func TestShip_columnTwice(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 3)
	file := inFile(t, "a.csv",
		"주문번호,송장번호,운송장번호,택배사\nA1,412345678901,412345678902,한진\nA2,412345678903,412345678903,한진\nA3,,412345678904,한진\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file),
		`row 2, column C (운송장번호): "412345678902" differs from another column of this kind`)
	require.Equal(t, map[string]string{"A2-01": "한진택배 412345678903", "A3-01": "한진택배 412345678904"}, m.parcels())
}
