package size

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// unknown is printed for an unknown figure.
const unknown = "-"

// Print writes the report as a table and a few sentences.
func (r Report) Print(out io.Writer) error {
	whole := Table{Name: "schema " + r.Schema, TotalBytes: r.TotalBytes}
	width := len(whole.Name)
	for _, t := range r.Tables {
		whole.HeapBytes, whole.IndexBytes, width = whole.HeapBytes+t.HeapBytes, whole.IndexBytes+t.IndexBytes, max(width, len(t.Name))
	}
	lines := make([]string, 1, len(r.Tables)+2)
	line := func(name string, cells ...any) string {
		return fmt.Sprintf("%-*s", width, name) + fmt.Sprintf("  %12s  %10s  %10s  %10s  %10s", cells...)
	}
	lines[0] = line("TABLE", "ROWS", "HEAP", "INDEXES", "TOTAL", "PER ROW")
	for _, t := range append(slices.Clone(r.Tables), whole) {
		lines = append(lines, line(t.Name, count(t.Rows), Bytes(t.HeapBytes), Bytes(t.IndexBytes), Bytes(t.TotalBytes), size(t.BytesPerRow)))
	}
	_, err := io.WriteString(out, strings.Join(lines, "\n")+"\n\n"+strings.Join(r.sentences(), "\n")+"\n")
	return err
}

// sentences returns a summary of the figures.
func (r Report) sentences() []string {
	all := []string{"Rows are the planner's estimate, of the last vacuum or analyze; sizes are exact."}
	all = append(all, fmt.Sprintf("%s %s, %s of the schema each.", count(r.Record.Count), r.record.Plural, size(r.Record.BytesEach)))
	if r.Inbox != nil {
		all = append(all, fmt.Sprintf("%s idempotency keys, %s each; %s stored responses, %s each.",
			count(r.Inbox.Keys), size(r.Inbox.BytesPerKey), count(r.Inbox.Answers), size(r.Inbox.BytesPerAnswer)))
	}
	all = append(all, r.growth())
	if r.Capacity != nil {
		all = append(all, fmt.Sprintf("Database: %s of %s, %s.", Bytes(r.Capacity.DatabaseBytes), Bytes(r.Capacity.Bytes), r.full()))
	}
	return all
}

func (r Report) growth() string {
	if r.Growth == nil {
		return fmt.Sprintf("Growth: unknown, %s shows none.", r.record.Table)
	}
	return fmt.Sprintf("Growth: %.0f %s and %s a day, measured over the last %.3g hours (%s).",
		r.Growth.RecordsPerDay, r.record.Plural, size(r.Growth.BytesPerDay), r.Growth.Seconds/time.Hour.Seconds(), r.Growth.BasedOn)
}

// full returns the sentence about when the database will be full.
func (r Report) full() string {
	switch c := r.Capacity; {
	case c.FullInDays != nil:
		return fmt.Sprintf("full in %.0f days, on %s, if its other schemas grow in proportion", *c.FullInDays, c.FullAt.Format(time.DateOnly))
	case r.Growth == nil || r.Growth.BytesPerDay == nil:
		return "full at an unknown time, because the growth is unknown"
	}
	return "not full within 100 years"
}

// count formats a number of rows.
func count(rows *int64) string {
	if rows == nil {
		return unknown
	}
	return strconv.FormatInt(*rows, 10)
}

// size formats a number of bytes.
func size(bytes *float64) string {
	if bytes == nil {
		return unknown
	}
	return readable(*bytes)
}
