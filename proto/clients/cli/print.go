package cli

import (
	"encoding/json"
	"iter"
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// listing are the flags of every command that lists.
type listing struct {
	Limit uint `short:"n" aliases:"max" help:"How many at most; all by default."`
	JSON  bool `name:"json" help:"A JSON object a line, with every member." xor:"form"`
	CSV   bool `name:"csv" help:"CSV, as spreadsheets read it." xor:"form"`
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

// column is a column of a table: its name, and the function that returns a record's value.
type column[T any] struct {
	name  string
	value func(T) any
}

// printAll writes the records in the requested format, and returns how many there are.
func printAll[T any](l listing, world *World, records iter.Seq2[T, error], columns []column[T]) (int, error) {
	rows := table.NewWriter()
	header := make(table.Row, len(columns))
	for i, one := range columns {
		header[i] = one.name
	}
	rows.AppendHeader(header)
	rows.SetStyle(table.StyleLight)
	rows.Style().Format.Header = text.FormatDefault
	lines, count := json.NewEncoder(world.Out), 0
	for record, err := range records {
		if err != nil {
			return count, err
		}
		count++
		if l.JSON {
			if err := lines.Encode(record); err != nil {
				return count, err
			}
			continue
		}
		row := make(table.Row, len(columns))
		for i, one := range columns {
			row[i] = one.value(record)
			if row[i] == "" && !l.CSV {
				row[i] = "-"
			}
		}
		rows.AppendRow(row)
	}
	switch {
	case l.JSON:
	case l.CSV:
		say(world.Out, "\uFEFF%s", rows.RenderCSV()) // without the mark, spreadsheets take the text for CP949
	case count == 0:
		say(world.Out, "Nothing found.")
	default:
		say(world.Out, "%s", rows.Render())
	}
	return count, nil
}

// clock formats a time for display, in the zone of this machine.
func clock(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05") }

// orEmpty returns a text, empty if it is absent.
func orEmpty[T ~string](value *T) string {
	if value == nil {
		return ""
	}
	return string(*value)
}

// orDash returns a text, or a dash if it is absent.
func orDash[T ~string](value *T) string {
	if value == nil || *value == "" {
		return "-"
	}
	return string(*value)
}

// won formats an amount of money.
func won(amount int64) string { return strconv.FormatInt(amount, 10) }
