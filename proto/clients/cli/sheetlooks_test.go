package cli_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// What a person sees of a sheet besides the texts of its cells counts: an empty cell that is not empty for a person takes no
// default, and what is hidden or struck through is not sent.
func TestShip_looksOfSheet(t *testing.T) {
	t.Parallel()
	const sheet = "Sheet1"
	set := func(cell string, value any) func(*testing.T, *excelize.File) {
		return func(t *testing.T, book *excelize.File) {
			t.Helper()
			require.NoError(t, book.SetCellValue(sheet, cell, value))
		}
	}
	for name, c := range map[string]struct {
		change []func(*testing.T, *excelize.File)
		// want is said of row 3; row 2 is shipped, unless it is false.
		want  string
		other bool
	}{
		"merged carrier": {
			[]func(*testing.T, *excelize.File){set("D3", nil), merged("D2", "D3")},
			`row 3, column D (택배사): "" is merged with the cell D2`, true,
		},
		"merged item":   {[]func(*testing.T, *excelize.File){set("B3", nil), merged("B2", "B3")}, "is merged with the cell B2", true},
		"merged order":  {[]func(*testing.T, *excelize.File){set("A3", nil), merged("A2", "A3")}, "is merged with the cell A2", true},
		"merged number": {[]func(*testing.T, *excelize.File){set("C3", nil), merged("C2", "C3")}, "is merged with the cell C2", true},
		"merged heading": {
			[]func(*testing.T, *excelize.File){set("E1", "운송장번호"), merged("E1", "F1"), set("F3", "412345678903")},
			"differs from another column of this kind", true,
		},
		"formula of carrier": {[]func(*testing.T, *excelize.File){formula("D3")}, "is a formula with", true},
		"formula of item":    {[]func(*testing.T, *excelize.File){formula("B3")}, "is a formula with", true},
		"formula of order":   {[]func(*testing.T, *excelize.File){formula("A3")}, "is a formula with", true},
		"hidden column": {[]func(*testing.T, *excelize.File){func(t *testing.T, book *excelize.File) {
			t.Helper()
			require.NoError(t, book.SetColVisible(sheet, "C", false))
		}}, `row 3, column C (송장번호): "412345678902" is in a hidden column`, false},
		"hidden second column": {[]func(*testing.T, *excelize.File){
			set("E1", "운송장번호"), set("E3", "412345678902"),
			func(t *testing.T, book *excelize.File) {
				t.Helper()
				require.NoError(t, book.SetColVisible(sheet, "E", false))
			},
		}, "is in a hidden column", true},
		"no height": {[]func(*testing.T, *excelize.File){func(t *testing.T, book *excelize.File) {
			t.Helper()
			require.NoError(t, book.SetRowHeight(sheet, 3, 0))
		}}, "the row is hidden", true},
		"struck order":  {[]func(*testing.T, *excelize.File){struck("A3")}, "is struck through", true},
		"struck number": {[]func(*testing.T, *excelize.File){struck("C3")}, "is struck through", true},
		"struck in part": {[]func(*testing.T, *excelize.File){func(t *testing.T, book *excelize.File) {
			t.Helper()
			require.NoError(t, book.SetCellRichText(sheet, "C3", []excelize.RichTextRun{
				{Text: "41234567890", Font: &excelize.Font{Strike: true}}, {Text: "2"},
			}))
		}}, "is struck through", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			for i := range 2 {
				m.place(fmt.Sprintf("A%d", i+1), sellerapi.ItemPaid, sellerapi.ItemPaid)
			}
			book := excelize.NewFile()
			for i, cells := range [][]any{
				{"주문번호", "상품주문번호", "송장번호", "택배사"},
				{"A1", "A1-01", "412345678901", "한진"},
				{"A2", "A2-01", "412345678902", "한진"},
			} {
				require.NoError(t, book.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &cells))
			}
			for _, change := range c.change {
				change(t, book)
			}
			file := saved(t, book, "a.xlsx")
			said := w.runs(cli.ExitPartly, "ship", file, "--carrier", "CJ대한통운", "--accept-warnings")
			require.Contains(t, outcomes(t, file)["3"][6], c.want)
			require.NotContains(t, m.parcels(), "A2-01")
			require.NotContains(t, m.parcels(), "A2-02")
			if c.other {
				require.Contains(t, said, "shipped  1\n")
			}
		})
	}
}

func merged(from, to string) func(*testing.T, *excelize.File) {
	return func(t *testing.T, book *excelize.File) {
		t.Helper()
		require.NoError(t, book.MergeCell("Sheet1", from, to))
	}
}

// formula makes a cell a formula that nothing has calculated.
func formula(cell string) func(*testing.T, *excelize.File) {
	return func(t *testing.T, book *excelize.File) {
		t.Helper()
		require.NoError(t, book.SetCellValue("Sheet1", cell, nil))
		require.NoError(t, book.SetCellFormula("Sheet1", cell, "H9"))
	}
}

func struck(cell string) func(*testing.T, *excelize.File) {
	return func(t *testing.T, book *excelize.File) {
		t.Helper()
		style, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: true}})
		require.NoError(t, err)
		require.NoError(t, book.SetCellStyle("Sheet1", cell, cell, style))
	}
}

// A program that writes formulas leaves their results to the spreadsheet. Such a row is not blank, and is reported.
func TestShip_formulasWithoutResult(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 2)
	book := excelize.NewFile()
	for i, cells := range [][]any{{"주문번호", "송장번호", "택배사"}, {"A1", "412345678901", "한진"}, {"A2", "412345678902"}} {
		require.NoError(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &cells))
	}
	for _, cell := range []string{"C3", "A4", "B4"} {
		require.NoError(t, book.SetCellValue("Sheet1", cell, "result"))
		require.NoError(t, book.SetCellFormula("Sheet1", cell, "H9"))
	}
	require.NoError(t, book.UpdateLinkedValue()) // removes the results and their types
	said := w.runs(cli.ExitPartly, "ship", saved(t, book, "a.xlsx"), "--carrier", "CJ대한통운", "--accept-warnings")
	require.Contains(t, said, `row 3, column C (택배사): "" is a formula without its result`)
	require.Contains(t, said, `row 4, column A (주문번호): "" is a formula without its result`)
	require.Equal(t, map[string]string{"A1-01": "한진택배 412345678901"}, m.parcels())
}

// Some programs store a number cell with an exponent. It is a whole number if all of its digits are there; a text of this form
// was shortened.
func TestShip_numbersWithExponent(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 5)
	m.place("20260314001", sellerapi.ItemPaid)
	book := excelize.NewFile()
	for i, cells := range [][]any{
		{"주문번호", "송장번호", "택배사"},
		{"A1", "", "한진"},
		{"A2", "", "한진"},
		{"A3", "", "한진"},
		{"A4", "", "한진"},
		{"", "412345678906", "한진"},
		{"A5", "4.12345678905E11", "한진"},
	} {
		require.NoError(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &cells))
	}
	for cell, stored := range map[string]string{
		"B2": "4.12345678901E11", "B3": "4.12346E+11", "B4": "4.123456789012345678E18", "B5": "4.12345678901E2",
		"A6": "2.0260314001E10",
	} {
		require.NoError(t, book.SetCellDefault("Sheet1", cell, stored))
	}
	file := saved(t, book, "a.xlsx")
	w.runs(cli.ExitPartly, "ship", file)
	rows := outcomes(t, file)
	require.Equal(t, map[string]string{"A1-01": "한진택배 412345678901", "20260314001-01": "한진택배 412345678906"}, m.parcels())
	require.Contains(t, rows["3"][6], `"412346000000" ends in zeros`)
	require.Contains(t, rows["4"][6], `is a number of more digits than a spreadsheet keeps: format the column as text`)
	require.Contains(t, rows["5"][6], "is a number that a spreadsheet has shortened")
	require.Contains(t, rows["7"][6], "is a number that a spreadsheet has shortened")
}
