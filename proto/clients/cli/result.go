package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// resultFile is the file that says what became of each row.
type resultFile struct {
	*os.File

	outcome string
}

// The names of the column with the outcomes: of what was done, and of what a dry run would do.
const (
	ofRun   = "result"
	ofCheck = "check"
)

func resultHeading(outcome string) string {
	return "row,order_no,item_ids,carrier,tracking_no," + outcome + ",why"
}

// openResult opens the file, which keeps what it has until it is written. It must be new, or have results: those of a check are
// replaced by any, those of a run only by those of a run.
func openResult(path, source, outcome string) (resultFile, error) {
	read, err := os.Stat(source)
	if err != nil {
		return resultFile{}, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return resultFile{}, fmt.Errorf("the file for the results: %w", err)
	}
	state, err := file.Stat()
	switch {
	case err != nil:
	case os.SameFile(read, state):
		err = errors.New("the file for the results is the file of the parcels")
	case state.Mode().IsRegular() && state.Size() > 0 && !hasHeading(file, ofCheck) &&
		(outcome == ofCheck || !hasHeading(file, ofRun)):
		err = fmt.Errorf("the file for the results, %s, has something else: move it, or choose another with --result", path)
	}
	if err != nil {
		return resultFile{}, errors.Join(err, file.Close())
	}
	return resultFile{file, outcome}, nil
}

const byteOrderMark = "\uFEFF"

// hasHeading reports whether a file begins as results do, as they are written here or by a spreadsheet.
func hasHeading(file io.ReaderAt, outcome string) bool {
	heading := resultHeading(outcome)
	text := make([]byte, len(byteOrderMark)+len(heading))
	read, _ := file.ReadAt(text, 0) // what cannot be read is not ours
	return strings.HasPrefix(strings.TrimPrefix(string(text[:read]), byteOrderMark), heading)
}

// write replaces what the file has by the outcome of each row, as CSV that spreadsheets can read.
func (r resultFile) write(all []shipment) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := r.Truncate(0); err != nil {
		return err
	}
	if err := writeCSV(r, r.rows(all)); err != nil {
		return err
	}
	return r.Sync()
}

func (r resultFile) rows(all []shipment) []table.Row {
	rows := make([]table.Row, 0, 1+len(all))
	rows = append(rows, table.Row{"row", "order_no", "item_ids", "carrier", "tracking_no", r.outcome, "why"})
	for _, one := range all {
		rows = append(rows, table.Row{
			one.line, one.orderNo, strings.Join(one.itemIDs, " "), string(one.carrier), one.trackingNo, one.result, one.why,
		})
	}
	return rows
}

// expected returns the rows as they are if the program ends while it sends them.
func expected(all []shipment) []shipment {
	rows := slices.Clone(all)
	for i := range rows {
		if rows[i].result == "ready" {
			rows[i].result, rows[i].why = "unknown", noAnswer
		}
	}
	return rows
}
