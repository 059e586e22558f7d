package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/unicode/norm"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// parcel is a row of a file: what is shipped in which parcel.
type parcel struct {
	// line is the line in the file, counted from 1.
	line int
	// itemID is empty if the file names orders only.
	orderNo, itemID, trackingNo string
	carrier                     sellerapi.Carrier
}

// field is a column of a file, found by any of its names, which are compared without blanks, lines and letter case.
type field struct {
	names []string
	set   func(*parcel, string)
}

// fields are the columns of a file. Other columns are ignored.
var fields = []field{
	{[]string{"order_no", "주문번호", "쇼핑몰주문번호", "고객주문번호"}, func(p *parcel, text string) { p.orderNo = text }},
	{[]string{"tracking_no", "송장번호", "운송장번호", "운송장no", "등기번호"}, func(p *parcel, text string) { p.trackingNo = text }},
	{[]string{"item_id", "상품주문번호", "주문상품번호", "품목번호"}, func(p *parcel, text string) { p.itemID = text }},
	{[]string{"carrier", "carrier_name", "택배사", "배송업체", "택배회사"}, func(p *parcel, text string) { p.carrier = carrierOf(text) }},
}

// needed is how many of the fields, from the first, are required.
const needed = 2

// carrierOf returns the carrier that a text names; an unknown name is left as it is, for the server to check.
func carrierOf(text string) sellerapi.Carrier {
	if carrier, known := sellerapi.ParseCarrier(norm.NFKC.String(text)); known {
		return carrier
	}
	return sellerapi.Carrier(strings.TrimSpace(text))
}

// plain removes blanks and letter case from a text.
func plain(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), "")) }

// readParcels reads a file. A row without order and number, as sheets have them at the end, is skipped.
func readParcels(path string, carrier string) ([]parcel, error) {
	rows, err := readRows(path)
	if err != nil {
		return nil, err
	}
	columns, first := header(rows)
	if first < 0 {
		return nil, errors.New("no row names the columns: one for the order (order_no, 주문번호) and one for the number (tracking_no, 송장번호)")
	}
	var all []parcel
	for i, row := range rows[first:] {
		one := parcel{line: first + i + 1, carrier: carrierOf(carrier)}
		for at, text := range row {
			if set := columns[at]; set != nil && strings.TrimSpace(text) != "" {
				set(&one, strings.TrimSpace(text))
			}
		}
		if one.orderNo == "" && one.trackingNo == "" {
			continue
		}
		if one.carrier == "" {
			return nil, fmt.Errorf("row %d names no carrier: add a column carrier (택배사), or --carrier", one.line)
		}
		all = append(all, one)
	}
	return all, nil
}

// header finds the row that names the columns and returns the setter of each column, and the index of the first row after it; -1 if
// there is no such row. Sheets may have a title above it.
func header(rows [][]string) (map[int]func(*parcel, string), int) {
	for i, row := range rows[:min(len(rows), 20)] {
		columns, found := map[int]func(*parcel, string){}, map[int]bool{}
		for at, name := range row {
			which := slices.IndexFunc(fields, func(one field) bool { return slices.Contains(one.names, plain(name)) })
			if which >= 0 && !found[which] {
				columns[at], found[which] = fields[which].set, true
			}
		}
		if found[0] && found[needed-1] {
			return columns, i + 1
		}
	}
	return nil, -1
}

// readRows reads the cells of a file: the first sheet of a workbook, or CSV in UTF-8 or EUC-KR.
func readRows(path string) ([][]string, error) {
	if strings.EqualFold(filepath.Ext(path), ".xlsx") {
		book, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, err
		}
		rows, err := book.GetRows(book.GetSheetName(0))
		return rows, errors.Join(err, book.Close())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // spreadsheets write a byte order mark
	if !utf8.Valid(text) {
		if text, err = korean.EUCKR.NewDecoder().Bytes(text); err != nil {
			return nil, fmt.Errorf("neither UTF-8 nor EUC-KR: %w", err)
		}
	}
	lines := csv.NewReader(bytes.NewReader(text))
	lines.FieldsPerRecord, lines.TrimLeadingSpace, lines.LazyQuotes = -1, true, true
	if first, _, _ := bytes.Cut(text, []byte("\n")); bytes.Count(first, []byte("\t")) > bytes.Count(first, []byte(",")) {
		lines.Comma, lines.TrimLeadingSpace = '\t', false // a tab counts as a blank too
	}
	return lines.ReadAll()
}
