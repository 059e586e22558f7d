package mirror

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// Row is one line of the CSV file: an item and the parcel that it is shipped in.
type Row struct {
	OrderNo, ItemID string
	Carrier         sellerapi.Carrier
	TrackingNo      string
}

// columns is the first line of the file.
var columns = []string{"order_no", "item_id", "carrier", "tracking_no"}

// ReadRows reads the CSV file: UTF-8, with a first line that names the columns.
func ReadRows(file io.Reader) ([]Row, error) {
	text := bufio.NewReader(file)
	if mark, _, err := text.ReadRune(); err == nil && mark != '\uFEFF' { // spreadsheets write a byte order mark
		if err := text.UnreadRune(); err != nil {
			return nil, err
		}
	}
	lines := csv.NewReader(text)
	lines.FieldsPerRecord, lines.TrimLeadingSpace = len(columns), true
	first, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	}
	if err != nil {
		return nil, err
	}
	if !slices.Equal(first, columns) {
		return nil, fmt.Errorf("the first line is %q, want %q", strings.Join(first, ","), strings.Join(columns, ","))
	}
	var rows []Row
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, Row{OrderNo: line[0], ItemID: line[1], Carrier: sellerapi.Carrier(line[2]), TrackingNo: line[3]})
	}
}

// The maximum sizes of a batch.
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
			entries = append(entries, sellerapi.BatchShipmentEntry{OrderNo: row.OrderNo, CarrierName: row.Carrier, TrackingNo: row.TrackingNo})
		}
		entries[at].ItemIDs = append(entries[at].ItemIDs, row.ItemID)
	}
	var all []sellerapi.BatchShipmentRequest
	for chunk := range slices.Chunk(entries, parcelsPerBatch) {
		all = append(all, sellerapi.BatchShipmentRequest{Items: chunk})
	}
	return all
}
