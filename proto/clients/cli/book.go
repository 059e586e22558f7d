package cli

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

func readBook(text []byte, sheet string) ([]grid, error) {
	book, err := excelize.OpenReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer func() { _ = book.Close() }()
	names := book.GetSheetList()
	if sheet != "" && !slices.Contains(names, sheet) {
		return nil, fmt.Errorf("there is no sheet %q: %s", sheet, strings.Join(names, ", "))
	}
	var all []grid
	for _, name := range names {
		visible, err := book.GetSheetVisible(name)
		if err != nil {
			return nil, err
		}
		if name != sheet && (sheet != "" || !visible) {
			continue
		}
		one, err := readSheet(book, name)
		if err != nil {
			return nil, fmt.Errorf("sheet %s: %w", name, err)
		}
		if len(one.rows) > 0 {
			all = append(all, one)
		}
	}
	if sheet != "" && len(all) == 0 {
		return nil, fmt.Errorf("there is nothing in a sheet %s", sheet)
	}
	return all, nil
}

func readSheet(book *excelize.File, name string) (grid, error) {
	one := grid{sheet: name}
	stored, err := book.GetRows(name, excelize.Options{RawCellValue: true})
	if err != nil {
		return one, err
	}
	shown, err := book.GetRows(name)
	if err != nil {
		return one, err
	}
	seen, err := viewOf(book, name, stored)
	if err != nil {
		return one, err
	}
	for i, cells := range stored {
		row := gridRow{number: i + 1, cells: cells, shown: make([]string, len(cells))}
		if i < len(shown) {
			copy(row.shown, shown[i])
		}
		if err := seen.complete(&row); err != nil {
			return one, err
		}
		if !blank(row.cells) || slices.Contains(slices.Collect(maps.Values(row.flaws)), uncalculated) {
			one.rows = append(one.rows, row)
		}
	}
	return one, nil
}

// view is what a person sees of a sheet besides the texts of its cells.
type view struct {
	book *excelize.File
	name string
	// first is the first of the merged cells that a cell belongs to, which alone has a text, by the names of the cells.
	first  map[string]string
	hidden []bool
}

func viewOf(book *excelize.File, name string, rows [][]string) (*view, error) {
	v := &view{book: book, name: name, first: map[string]string{}}
	for _, cells := range rows {
		for at := len(v.hidden); at < len(cells); at++ {
			visible, err := book.GetColVisible(name, columnName(at))
			if err != nil {
				return nil, err
			}
			v.hidden = append(v.hidden, !visible)
		}
	}
	merged, err := book.GetMergeCells(name, true)
	for _, one := range merged {
		left, top, wrong := excelize.CellNameToCoordinates(one.GetStartAxis())
		right, bottom, wrongEnd := excelize.CellNameToCoordinates(one.GetEndAxis())
		if err = errors.Join(err, wrong, wrongEnd); err != nil {
			break
		}
		for row := top; row <= min(bottom, len(rows)); row++ {
			for column := left; column <= min(right, len(v.hidden)); column++ {
				if row > top || column > left {
					v.first[cellName(column-1, row)] = one.GetStartAxis()
				}
			}
		}
	}
	return v, err
}

// columnName returns the name of a column, counted from 0, which is positive and not beyond the last that workbooks have.
func columnName(at int) string {
	name, _ := excelize.ColumnNumberToName(at + 1)
	return name
}

func cellName(at, row int) string { return columnName(at) + strconv.Itoa(row) }

// uncalculated is the flaw of a cell that the program which wrote the file has left to the spreadsheet.
const uncalculated = "is a formula without its result: save the file in the spreadsheet"

// complete adds to a row what a person sees or does not see.
func (v *view) complete(row *gridRow) error {
	visible, err := v.book.GetRowVisible(v.name, row.number)
	if err != nil {
		return err
	}
	height, err := v.book.GetRowHeight(v.name, row.number)
	if err != nil {
		return err
	}
	row.hidden, row.flaws = !visible || height == 0, map[int]string{}
	for at := range v.hidden {
		if left, top, _ := excelize.CellNameToCoordinates(v.first[cellName(at, row.number)]); top == row.number {
			row.put(at, row.cells[left-1], row.shown[left-1]) // columns below one name
		}
		flaw, err := v.flaw(row, at)
		if err != nil {
			return err
		}
		if flaw != "" {
			row.flaws[at] = flaw
		}
	}
	return nil
}

// flaw returns what is wrong with a cell; "" if nothing is.
func (v *view) flaw(row *gridRow, at int) (string, error) {
	name := cellName(at, row.number)
	if first := v.first[name]; first != "" {
		return "is merged with the cell " + first + ": write the text into each cell", nil
	}
	if at >= len(row.cells) {
		return "", nil
	}
	if strings.TrimSpace(row.cells[at]) == "" {
		return v.emptyFormula(name)
	}
	if flaw, err := v.expand(row, at); flaw != "" || err != nil {
		return flaw, err
	}
	if v.hidden[at] {
		return "is in a hidden column: show the column, or remove it", nil
	}
	struck, err := v.struck(name)
	if struck {
		return "is struck through", err
	}
	return "", err
}

// exponential is a number as some programs store it in a cell.
var exponential = regexp.MustCompile(`^(\d)(?:\.(\d+))?E\+?(\d{1,2})$`)

// expand writes a whole number without its exponent, and returns what is wrong with it. A text of this form stays as it is.
func (v *view) expand(row *gridRow, at int) (string, error) {
	const kept = 15 // digits of a number
	parts := exponential.FindStringSubmatch(row.cells[at])
	if parts == nil {
		return "", nil
	}
	kind, err := v.book.GetCellType(v.name, cellName(at, row.number))
	exponent, _ := strconv.Atoi(parts[3]) // two digits are a number
	zeros := exponent - len(parts[2])
	if err != nil || zeros < 0 || kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber {
		return "", err
	}
	if len(parts[1]+parts[2]) > kept {
		return "is a number of more digits than a spreadsheet keeps: format the column as text", nil
	}
	whole := parts[1] + parts[2] + strings.Repeat("0", zeros)
	if row.shown[at] == row.cells[at] {
		row.shown[at] = whole
	}
	row.cells[at] = whole
	return "", nil
}

func (v *view) emptyFormula(name string) (string, error) {
	formula, err := v.book.GetCellFormula(v.name, name)
	if err != nil || formula == "" {
		return "", err
	}
	kind, err := v.book.GetCellType(v.name, name)
	if kind == excelize.CellTypeFormula {
		return "is a formula with an empty result: write the text, or nothing", err
	}
	return uncalculated, err
}

// struck reports whether a cell, or a part of its text, is struck through.
func (v *view) struck(name string) (bool, error) {
	number, err := v.book.GetCellStyle(v.name, name)
	if err != nil {
		return false, err
	}
	style, err := v.book.GetStyle(number)
	if err != nil || style.Font != nil && style.Font.Strike {
		return true, err
	}
	parts, err := v.book.GetCellRichText(v.name, name)
	return slices.ContainsFunc(parts, func(part excelize.RichTextRun) bool { return part.Font != nil && part.Font.Strike }), err
}
