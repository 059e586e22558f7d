package cli

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

type listing struct {
	format
	Limit uint `short:"n" aliases:"max" help:"How many at most; all by default."`
}

// format is the form in which records are printed; a table by default.
type format struct {
	JSON bool `name:"json" help:"A JSON object a line, with every member." xor:"form"`
	CSV  bool `name:"csv" help:"CSV, as spreadsheets read it." xor:"form"`
}

// page returns the size of the pages to read: one record more than wanted shows that there are more.
func (l listing) page() int {
	const largest = 100
	if l.Limit == 0 {
		return largest
	}
	return int(min(l.Limit+1, largest))
}

// limited returns the first records, as many as wanted, and reports when there are more.
func limited[T any](l listing, world *World, records iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		bar := world.bar(-1, "reading")
		defer func() { _ = bar.Finish() }()
		count := uint(0)
		for record, err := range records {
			if err == nil && l.Limit > 0 && count == l.Limit {
				say(world.Err, "These are the first %d only; without --limit come all.", l.Limit)
				return
			}
			if !yield(record, err) {
				return
			}
			count++
			_ = bar.Add(1)
		}
	}
}

type column[T any] struct {
	name  string
	value func(T) any
}

func printAll[T any](f format, world *World, records iter.Seq2[T, error], columns []column[T]) (int, error) {
	rows, lines, count := []table.Row{make(table.Row, len(columns))}, json.NewEncoder(world.Out), 0
	for i, one := range columns {
		rows[0][i] = one.name
	}
	for record, err := range records {
		if err != nil {
			return count, err
		}
		count++
		if f.JSON {
			if err := lines.Encode(record); err != nil {
				return count, err
			}
			continue
		}
		row := make(table.Row, len(columns))
		for i, one := range columns {
			row[i] = one.value(record)
		}
		rows = append(rows, row)
	}
	switch {
	case f.JSON:
		return count, nil
	case f.CSV:
		return count, writeCSV(world.Out, rows)
	case count == 0:
		say(world.Out, "Nothing found.")
	default:
		say(world.Out, "%s", drawn(rows))
	}
	return count, nil
}

func drawn(rows []table.Row) string {
	drawing := table.NewWriter()
	drawing.SetStyle(table.StyleLight)
	drawing.Style().Format.Header = text.FormatDefault
	drawing.AppendHeader(rows[0])
	for _, row := range rows[1:] {
		for i, value := range row {
			switch value := value.(type) {
			case int64: // stays a number, which is aligned as one
			default:
				row[i] = cmp.Or(printable(fmt.Sprint(value)), "-")
			}
		}
		drawing.AppendRow(row)
	}
	return drawing.Render()
}

// formulas are the characters with which spreadsheets begin a formula, and those that they skip before one.
const formulas = "=+-@\t\r\n＝＋－＠"

// writeCSV writes rows for spreadsheets: a text that begins like a formula gets an apostrophe, which keeps it a text.
func writeCSV(to io.Writer, rows []table.Row) error {
	if _, err := io.WriteString(to, "\uFEFF"); err != nil { // without the mark, spreadsheets take the text for CP949
		return err
	}
	out := csv.NewWriter(to)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = fmt.Sprint(value)
			if first, _ := utf8.DecodeRuneInString(cells[i]); cells[i] != "" && strings.ContainsRune(formulas, first) {
				cells[i] = "'" + cells[i]
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// clock formats a time for display, in the zone of this machine.
func clock(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05") }

func clockOrEmpty(at *time.Time) string {
	if at == nil {
		return ""
	}
	return clock(*at)
}

func orEmpty[T ~string](value *T) string {
	if value == nil {
		return ""
	}
	return string(*value)
}

func orDash[T ~string](value *T) string {
	if value == nil || *value == "" {
		return "-"
	}
	return string(*value)
}
