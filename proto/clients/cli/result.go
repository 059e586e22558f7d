package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// resultFile is the file that says what became of each row.
type resultFile struct{ *os.File }

// openResult opens the file, which keeps what it has until it is written. It must not be the file that is read.
func openResult(path, source string) (resultFile, error) {
	read, err := os.Stat(source)
	if err != nil {
		return resultFile{}, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return resultFile{}, fmt.Errorf("the file for the results: %w", err)
	}
	state, err := file.Stat()
	if err == nil && os.SameFile(read, state) {
		err = errors.New("the file for the results is the file of the parcels")
	}
	if err != nil {
		return resultFile{}, errors.Join(err, file.Close())
	}
	return resultFile{file}, nil
}

// write replaces what the file has by the outcome of each row, as CSV that spreadsheets can read.
func (r resultFile) write(all []shipment) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := r.Truncate(0); err != nil {
		return err
	}
	if _, err := r.WriteString("\uFEFF"); err != nil { // without it, spreadsheets take the text for CP949
		return err
	}
	if err := listRows(r, all); err != nil {
		return err
	}
	return r.Sync()
}

// listRows writes the outcome of each row as CSV.
func listRows(to io.Writer, all []shipment) error {
	rows := make([][]string, 0, 1+len(all))
	rows = append(rows, []string{"row", "order_no", "item_ids", "carrier", "tracking_no", "result", "why"})
	for _, one := range all {
		rows = append(rows, []string{
			strconv.Itoa(one.line), one.orderNo, strings.Join(one.itemIDs, " "), string(one.carrier), one.trackingNo, one.result, one.why,
		})
	}
	return csv.NewWriter(to).WriteAll(rows)
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
