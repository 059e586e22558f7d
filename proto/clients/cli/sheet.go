package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type parcel struct {
	// line is the row of the sheet or the line of CSV, counted from 1.
	line int
	// itemID is empty if the file names orders only. trackingNo is as the server stores it, unless the cell is wrong.
	orderNo, itemID, trackingNo string
	carrier                     sellerapi.Carrier
	// wrong is why the row is not sent, doubt what the server would warn of.
	wrong, doubt string
	// words are the words of a row that is wrong, whose cells may be in other columns.
	words []string
	// unread are the cells of columns that are not fields, with their places by their texts.
	unread map[string]string
}

// field is a column of a file, found by any of its names, which are compared without blanks, lines, letter case, width and
// remarks.
type field struct {
	names []string
	set   func(*parcel, string) string
}

// fields are the columns of a file. Other columns are ignored.
var fields = []field{
	{[]string{"order_no", "주문번호", "쇼핑몰주문번호", "고객주문번호"}, func(p *parcel, text string) string {
		p.orderNo = text
		return checkIdentifier(text)
	}},
	{[]string{"tracking_no", "송장번호", "운송장번호", "운송장no", "등기번호"}, func(p *parcel, text string) string {
		normal, wrong := readTrackingNo(text)
		if p.trackingNo = normal; wrong != "" {
			p.trackingNo = text
		}
		return wrong
	}},
	{[]string{"item_id", "상품주문번호", "주문상품번호", "품목번호", "item_code", "order_item_public_id"}, func(p *parcel, text string) string {
		p.itemID = text
		return checkIdentifier(text)
	}},
	{[]string{"carrier", "carrier_name", "택배사", "택배사명", "배송업체", "택배회사"}, func(p *parcel, text string) (wrong string) {
		p.carrier, wrong = readCarrier(text)
		return wrong
	}},
}

// needed is how many of the fields, from the first, are required.
const needed = 2

// heading is the row that names the columns.
type heading struct {
	columns [][]int
	names   []string
}

func (h *heading) name(at int) string {
	if at >= len(h.names) {
		return ""
	}
	return strings.TrimSpace(h.names[at])
}

func headingOf(cells []string) (heading, bool) {
	found := heading{columns: make([][]int, len(fields)), names: cells}
	for at, name := range cells {
		which := slices.IndexFunc(fields, func(one field) bool {
			return slices.Contains(one.names,
				remark.ReplaceAllString(plain(name), ""))
		})
		if which >= 0 {
			found.columns[which] = append(found.columns[which], at)
		}
	}
	return found, !slices.ContainsFunc(found.columns[:needed], func(at []int) bool { return len(at) == 0 })
}

// remark is what says how to fill in a column. Other additions to a name may make it that of another column.
var remark = regexp.MustCompile(`[(\[{<](필수|선택|required|optional)(사항|입력|값|항목)?[)\]}>]|[*※:\[\]]`)

// plain removes blanks, letter case and width from a text.
func plain(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(text)), ""))
}

type manifest struct {
	parcels []parcel
	// unread are the sheets that do not name the columns.
	unread []string
}

var errNoColumns = errors.New("no row names the columns: one for the order (order_no, 주문번호) and one for the number " +
	"(tracking_no, 송장번호)")

// readParcels reads a file. Every row below the one that names the columns is a parcel, unless it is blank.
func readParcels(path, sheet string, carrier sellerapi.Carrier) (manifest, error) {
	var read manifest
	grids, err := readGrids(path, sheet)
	if err != nil {
		return read, err
	}
	var with []string // the sheets with columns
	for i := range grids {
		named, first, err := grids[i].heading()
		switch {
		case errors.Is(err, errNoColumns):
			read.unread = append(read.unread, grids[i].sheet)
			continue
		case err != nil:
			return read, err
		}
		with = append(with, grids[i].sheet)
		read.parcels = grids[i].parcels(named, first, carrier)
		refuseForgotten(read.parcels)
	}
	switch {
	case len(with) > 1:
		return read, fmt.Errorf("several sheets name the columns (%s): choose one with --sheet", strings.Join(with, ", "))
	case len(with) == 0:
		return read, errNoColumns
	case len(read.parcels) == 0:
		return read, errors.New("no row below the names of the columns")
	}
	return read, nil
}

// heading finds the row that names the columns, and the index of the first row after it. Sheets may have a title above it.
func (g *grid) heading() (heading, int, error) {
	const title = 20
	for i, row := range g.rows[:min(len(g.rows), title)] {
		if row.inside > 0 {
			return heading{}, 0, fmt.Errorf("line %d: %s", row.number, swallowed)
		}
		if named, is := headingOf(row.cells); is {
			return named, i + 1, nil
		}
	}
	return heading{}, 0, errNoColumns
}

// swallowed is what is wrong with a row whose quotes contain others.
const swallowed = "a text in quotes contains other rows: the quote that ends it is missing"

func (g *grid) parcels(named heading, first int, carrier sellerapi.Carrier) []parcel {
	all := make([]parcel, 0, len(g.rows)-first)
	for _, row := range g.rows[first:] {
		one := parcel{line: row.number, unread: g.unread(named, row)}
		g.fill(&one, named, row, carrier)
		switch {
		case row.inside > 0:
			one.wrong = swallowed
		case row.hidden:
			one.wrong = "the row is hidden: show it, or remove it"
		case g.sheet == "" && len(row.cells) > len(named.names):
			one.wrong = "the row has more cells than the row that names the columns: a text with a separator has no quotes"
		}
		if one.wrong != "" {
			one.words = strings.FieldsFunc(strings.Join(row.cells, "\n"), func(r rune) bool {
				return unicode.IsSpace(r) || strings.ContainsRune(",;|\"", r)
			})
		}
		all = append(all, one)
		for inside := range row.inside {
			all = append(all, parcel{line: row.number + inside + 1, wrong: fmt.Sprintf("it is inside a text of row %d: %s", row.number,
				swallowed)})
		}
	}
	return all
}

// refuseForgotten refuses rows without an item of orders whose other rows name items: they are not the rest of the order.
func refuseForgotten(all []parcel) {
	named := map[string]int{}
	for _, one := range all {
		if one.itemID != "" {
			named[keyOf(parts(one.orderNo))] = one.line
		}
	}
	for i := range all {
		one := &all[i]
		if line := named[keyOf(parts(one.orderNo))]; line > 0 && one.itemID == "" && one.wrong == "" {
			one.wrong = fmt.Sprintf("row %d names no item, and row %d of the order does", one.line, line)
		}
	}
}

func (g *grid) fill(one *parcel, named heading, row gridRow, carrier sellerapi.Carrier) {
	for i, field := range fields {
		found := ""
		for _, at := range named.columns[i] {
			text, wrong := row.text(at), row.flaws[at]
			if text != "" {
				wrong = cmp.Or(wrong, field.read(one, row, at))
				if found != "" && found != text {
					wrong = "differs from another column of this kind"
				}
				found = text
			}
			if wrong != "" && one.wrong == "" {
				one.wrong = fmt.Sprintf("%s: %q %s", g.place(named, row, at), text, wrong)
			}
		}
	}
	unread := ""
	if one.carrier == "" {
		one.carrier, unread = carrier, one.unreadCarrier()
	}
	switch {
	case one.wrong != "":
	case unread != "":
		one.wrong = unread
	case one.orderNo == "":
		one.wrong = g.place(named, row, named.columns[0][0]) + ": no order number"
	case one.trackingNo == "":
		one.wrong = g.place(named, row, named.columns[1][0]) + ": no tracking number"
	case one.carrier == "":
		one.wrong = fmt.Sprintf("row %d names no carrier: add a column carrier (택배사), or --carrier", row.number)
	default:
		one.doubt = doubtOf(one.carrier, one.trackingNo)
	}
}

func (f *field) read(one *parcel, row gridRow, at int) string {
	text := row.text(at)
	wrong := f.set(one, text)
	if wrong == "" && row.shown != nil {
		return differs(text, strings.TrimSpace(row.shown[at]))
	}
	return wrong
}

// differs returns what is wrong with a cell that holds another text than the spreadsheet shows. A long number may be shown
// shortened, or with separators.
func differs(held, shown string) string {
	separated, _ := sellerapi.NormalTrackingNo(strings.ReplaceAll(shown, ",", ""))
	if held == shown || held == separated || wholeNumber.MatchString(held) && scientific.MatchString(shown) {
		return ""
	}
	return fmt.Sprintf("is shown as %q", shown)
}

var (
	wholeNumber = regexp.MustCompile(`^\d{1,15}$`)
	scientific  = regexp.MustCompile(`^\d(\.\d+)?E\+\d+$`)
)

func (g *grid) place(named heading, row gridRow, at int) string {
	place := fmt.Sprintf("row %d, column %s (%s)", row.number, columnName(at), named.name(at))
	if g.sheet != "" {
		place = "sheet " + g.sheet + ", " + place
	}
	return place
}
