package cli

import (
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// listing are the flags of every command that lists.
type listing struct {
	Max  int  `short:"n" help:"How many at most; 0 is all." default:"100"`
	JSON bool `name:"json" help:"A JSON object a line, with every member." xor:"form"`
	CSV  bool `name:"csv" help:"CSV, as spreadsheets read it." xor:"form"`
}

// column is a column of a table: its name, and the function that returns a record's value.
type column[T any] struct {
	name  string
	value func(T) any
}

// printAll writes the records in the requested format.
func printAll[T any](l listing, out io.Writer, records iter.Seq2[T, error], columns []column[T]) error {
	rows := table.NewWriter()
	header := make(table.Row, len(columns))
	for i, one := range columns {
		header[i] = one.name
	}
	rows.AppendHeader(header)
	rows.SetStyle(table.StyleLight)
	rows.Style().Format.Header = text.FormatDefault
	lines, count := json.NewEncoder(out), 0
	for record, err := range records {
		if err != nil {
			return err
		}
		if l.JSON {
			if err := lines.Encode(record); err != nil {
				return err
			}
		}
		row := make(table.Row, len(columns))
		for i, one := range columns {
			row[i] = one.value(record)
		}
		rows.AppendRow(row)
		if count++; count == l.Max {
			break
		}
	}
	switch {
	case l.JSON:
	case l.CSV:
		say(out, "%s", rows.RenderCSV())
	case count == 0:
		say(out, "Nothing found.")
	default:
		say(out, "%s", rows.Render())
	}
	return nil
}

// clock formats a time for display, in the zone of this machine.
func clock(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05") }

// orDash returns a text, or a dash if it is absent.
func orDash[T ~string](value *T) string {
	if value == nil || *value == "" {
		return "-"
	}
	return string(*value)
}

// won formats an amount of money.
func won(amount int64) string { return strconv.FormatInt(amount, 10) }
