package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

type grid struct {
	// sheet is empty for CSV.
	sheet string
	rows  []gridRow
}

// gridRow is a row that is not blank.
type gridRow struct {
	// number is the row's number in the spreadsheet, or the line of CSV in which it begins, from 1.
	number int
	cells  []string
	// shown is what the spreadsheet shows for the cells; nil for CSV.
	shown []string
	// flaws are what is wrong with cells of a spreadsheet, by their column, whatever they hold: a person sees something else there.
	flaws map[int]string
	// hidden reports whether the spreadsheet does not show the row, for instance because of a filter.
	hidden bool
	// inside is how many further lines of CSV a text in quotes probably contains by mistake.
	inside int
}

// text returns the text of a cell; rows may be shorter than the row that names the columns.
func (r *gridRow) text(at int) string {
	if at >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[at])
}

func (r *gridRow) put(at int, stored, shown string) {
	for len(r.cells) <= at {
		r.cells, r.shown = append(r.cells, ""), append(r.shown, "")
	}
	r.cells[at], r.shown[at] = stored, shown
}

var (
	zipped = []byte("PK\x03\x04")
	oldXLS = []byte("\xd0\xcf\x11\xe0")
)

// readGrids reads a file: the visible sheets of a workbook and the one that is asked for, or CSV.
func readGrids(path, sheet string) ([]grid, error) {
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(text, zipped):
		return readBook(text, sheet)
	case bytes.HasPrefix(text, oldXLS):
		return nil, errors.New("an old or encrypted workbook: save it as .xlsx without a password")
	case sheet != "":
		return nil, errors.New("only a workbook has sheets")
	}
	decoded, err := decoded(text)
	if err != nil {
		return nil, err
	}
	one, err := readCSV(decoded)
	return []grid{one}, err
}

func blank(cells []string) bool {
	return !slices.ContainsFunc(cells, func(text string) bool { return strings.TrimSpace(text) != "" })
}

// readCSV reads CSV that is written as the format demands: to guess what a quote in a text means is to guess which number belongs
// to which order.
func readCSV(text string) (grid, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // as old programs for the Mac end lines
	}
	if before, _, found := strings.Cut(text, "\r"); found {
		return grid{}, fmt.Errorf("line %d ends in another way than the lines before", strings.Count(before, "\n")+1)
	}
	var one grid
	lines := csv.NewReader(strings.NewReader(text))
	lines.FieldsPerRecord, lines.Comma = -1, separatorOf(text)
	for {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return one, nil
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			line, column := begins(text, wrong)
			err = fmt.Errorf("line %d, column %d: %w; a quote in a text is written twice, and the text between quotes",
				line, column, wrong.Err)
		}
		if err != nil {
			return one, err
		}
		line, _ := lines.FieldPos(0)
		row := gridRow{number: line, cells: cells}
		for _, cell := range cells {
			if swallows(cell, lines.Comma, len(cells)) {
				row.inside += strings.Count(cell, "\n")
			}
		}
		if !blank(cells) {
			one.rows = append(one.rows, row)
		}
	}
}

// begins returns the line and the column, in characters, of a mistake, both from 1: where a text in quotes begins if the mistake
// is found in a later line, because the quote that ends the text is missing.
func begins(text string, wrong *csv.ParseError) (line, column int) {
	lines := strings.Split(text, "\n")
	if line, column = wrong.StartLine, 0; wrong.Line > line {
		quoted := false
		for i, text := range lines[wrong.StartLine-1 : wrong.Line-1] {
			for at := range len(text) {
				switch {
				case text[at] != '"':
				case quoted:
					quoted = false
				case at > 0 && text[at-1] == '"' && column > 0: // a quote that is written twice does not begin a text
					quoted = true
				default:
					quoted, line, column = true, wrong.StartLine+i, at+1
				}
			}
		}
	}
	if column == 0 {
		line, column = wrong.Line, wrong.Column
	}
	before := lines[line-1]
	return line, utf8.RuneCountInString(before[:min(column-1, len(before))]) + 1
}

// separatorOf returns what separates the cells: what does so in the row that names the columns.
func separatorOf(text string) rune {
	for _, separator := range []rune{',', '\t', ';'} {
		for line := range strings.SplitSeq(text, "\n") {
			cells := strings.Split(line, string(separator))
			for i, cell := range cells {
				cells[i] = strings.Trim(strings.TrimSpace(cell), `"`)
			}
			if _, is := headingOf(cells); is {
				return separator
			}
		}
	}
	return ','
}

// swallows reports whether a text of several lines looks like rows of the file: the quote that ends it belongs to another row. It
// has a number as long as those of parcels, or as many separators as rows have.
func swallows(cell string, separator rune, columns int) bool {
	within, separators := strings.Count(cell, "\n"), strings.Count(cell, string(separator))
	return within > 0 && separators > 0 && (separators >= within*(columns-1) ||
		slices.ContainsFunc(strings.FieldsFunc(cell, func(r rune) bool { return r == separator || r == '\n' }), hasLongNumber))
}
