package mirror

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// Row is one line of the CSV file: an item and the parcel that it is shipped in.
type Row struct {
	OrderNo, ItemID string
	Carrier         sellerapi.Carrier
	// TrackingNo consists of digits only, as the server stores it.
	TrackingNo string
	// Wrong is why the row must not be sent; empty if nothing is wrong.
	Wrong string
}

var columns = []string{"order_no", "item_id", "carrier", "tracking_no"}

var carriers = []string{
	string(sellerapi.CarrierCJ), string(sellerapi.CarrierPost), string(sellerapi.CarrierHanjin), string(sellerapi.CarrierLotte),
	string(sellerapi.CarrierLogen),
}

// What a tracking number looks like in a cell. A shipment cannot be corrected, so that what a spreadsheet has made of a number,
// such as 6.12E+11, ="6123" or 612346000000, is refused instead of repaired.
var (
	digits  = regexp.MustCompile(`^[0-9]+([ -][0-9]+)*$`)
	rounded = regexp.MustCompile(`0{5}$`)
)

// ReadRows reads the CSV file: UTF-8, with a first line that names the columns. A file that is not certainly such CSV is
// refused as a whole; a row whose cells are not what their columns say is marked as wrong.
func ReadRows(file io.Reader) ([]Row, error) {
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(text) {
		return nil, errors.New("the file is not UTF-8")
	}
	lines := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF")))) // spreadsheets write a byte order mark
	lines.FieldsPerRecord, lines.TrimLeadingSpace = len(columns), true
	all, err := lines.ReadAll()
	if err != nil {
		return nil, err // with line and column
	}
	if len(all) < 2 {
		return nil, errors.New("the file has no rows")
	}
	if !slices.Equal(all[0], columns) {
		return nil, fmt.Errorf("the first line is %q, want %q", strings.Join(all[0], ","), strings.Join(columns, ","))
	}
	rows := make([]Row, 0, len(all)-1)
	for i, line := range all[1:] {
		row := Row{OrderNo: line[0], ItemID: line[1], Carrier: sellerapi.Carrier(line[2]), TrackingNo: line[3]}
		if strings.Contains(strings.Join(line, ""), `"`) {
			return nil, fmt.Errorf("row %d has a quotation mark in a cell", i+2)
		}
		if what := row.wrong(); what != "" {
			row.Wrong = fmt.Sprintf("row %d: %s", i+2, what)
		}
		row.TrackingNo = strings.NewReplacer(" ", "", "-", "").Replace(row.TrackingNo)
		rows = append(rows, row)
	}
	return rows, nil
}

func (r Row) wrong() string {
	switch {
	case r.OrderNo == "" || r.ItemID == "":
		return "order_no or item_id is empty"
	case !slices.Contains(carriers, string(r.Carrier)):
		return fmt.Sprintf("carrier is '%s', want one of %s", r.Carrier, strings.Join(carriers, ", "))
	case !digits.MatchString(r.TrackingNo):
		return fmt.Sprintf("tracking_no is '%s', want one number of digits", r.TrackingNo)
	case rounded.MatchString(r.TrackingNo):
		return fmt.Sprintf("tracking_no is '%s', which looks rounded", r.TrackingNo)
	default:
		return ""
	}
}

const (
	parcelsPerBatch = 500
	itemsPerParcel  = 200
)

// batches combines items of the same order and parcel into entries. An item that is listed twice for a parcel
// is sent once.
func batches(rows []Row) []sellerapi.BatchShipmentRequest {
	type parcel struct {
		orderNo, trackingNo string
		carrier             sellerapi.Carrier
	}
	var entries []sellerapi.BatchShipmentEntry
	open := map[parcel]int{}
	for _, row := range rows {
		is := parcel{row.OrderNo, row.TrackingNo, row.Carrier}
		at, there := open[is]
		if there && slices.Contains(entries[at].ItemIDs, row.ItemID) {
			continue
		}
		if !there || len(entries[at].ItemIDs) == itemsPerParcel {
			at = len(entries)
			open[is] = at
			entries = append(entries, sellerapi.BatchShipmentEntry{
				OrderNo: row.OrderNo, CarrierName: row.Carrier,
				TrackingNo: row.TrackingNo,
			})
		}
		entries[at].ItemIDs = append(entries[at].ItemIDs, row.ItemID)
	}
	var all []sellerapi.BatchShipmentRequest
	for chunk := range slices.Chunk(entries, parcelsPerBatch) {
		all = append(all, sellerapi.BatchShipmentRequest{Items: chunk})
	}
	return all
}
