package store

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

var (
	itemTable   = newTable("item_ids", "PlaceItemIDs", "item_id uuid")
	memberTable = newTable("member_orders", "PlaceMembers", "member_id text", "order_no text")
	orderTable  = newTable("orders", "PlaceOrders", append([]string{
		"seller_id uuid", "order_id uuid", "order_no text", "sellers uuid[]", "member_id text", "currency text", "payment text",
		"paid_at timestamptz", "placed_at timestamptz",
		"point_used_amount bigint", "shipping_fee_base bigint", "shipping_fee_paid bigint",
	}, contactTypes()...)...)
	shipmentTable = newTable("shipments", "PlaceShipments", "seller_id uuid", "order_id uuid",
		"shipment_id uuid", "carrier_name text",
		"tracking_no text", "logistics_company text", "item_ids uuid[]", "put_at timestamptz")
	lineTable = newTable("lines", "PlaceLines",
		"seller_id uuid", "order_id uuid", "seq integer", "item_id uuid", "product_id text", "product_name text", "option_name text",
		"quantity bigint", "list_price bigint", "unit_price bigint", "line_amount bigint", "discount_amount bigint",
		"line_paid_amount bigint", "item_status text", "shipment_id uuid", "shipped_at timestamptz", "delivered_at timestamptz",
		"confirmed_at timestamptz", "auto_confirm_at timestamptz", "points_amount bigint", "ship_by timestamptz")
	sellerOrderTable = newTable("seller_orders", "PlaceSellerOrders",
		"seller_id uuid", "order_id uuid", "paid_at timestamptz", "updated_at timestamptz", "order_status smallint",
		"line_states smallint", "ship_by timestamptz")
	changeTable = newTable("status_changes", "PlaceChanges", "seller_id uuid", "order_id uuid", "to_status text",
		"changed_at timestamptz", "item_ids uuid[]")
)

func contactTypes() []string {
	texts := order.ContactTexts()
	columns := make([]string, len(texts))
	for i, text := range texts {
		columns[i] = text.Name + " text"
	}
	return columns
}

// table is a table that Place fills, with the filled columns and the insert statement. The values of each column are sent as one
// array; since arrays do not nest, an array value is sent as text.
//
// COPY is not an option: PostgreSQL does not support COPY FROM for tables with row-level security.
type table struct {
	name, statement string
	columns         []string
	arrays          []int
}

// newTable parses columns like "order_id uuid"; "item_ids uuid[]" is an array.
func newTable(name, statementName string, columns ...string) table {
	t := table{name: name}
	places, values := make([]string, 0, len(columns)), make([]string, 0, len(columns))
	for i, column := range columns {
		name, kind, _ := strings.Cut(column, " ")
		place := "$" + strconv.Itoa(i+1) + "::" + kind + "[]"
		value := "r." + name
		if strings.HasSuffix(kind, "[]") {
			place, value = "$"+strconv.Itoa(i+1)+"::text[]", "r."+name+"::"+kind
			t.arrays = append(t.arrays, i)
		}
		t.columns, places, values = append(t.columns, name), append(places, place), append(values, value)
	}
	names := strings.Join(t.columns, ", ")
	t.statement = postgres.Named(statementName, "insert into "+name+" ("+names+")\nselect "+strings.Join(values, ", ")+
		"\nfrom unnest("+strings.Join(places, ", ")+") as r ("+names+")")
	return t
}

// args transposes the rows into one argument per column.
func (t table) args(rows [][]any) []any {
	args := make([]any, len(t.columns))
	for c := range args {
		values := make([]any, len(rows))
		for r := range rows {
			values[r] = rows[r][c]
		}
		args[c] = values
	}
	for _, c := range t.arrays {
		texts := make([]string, len(rows))
		for r := range rows {
			texts[r] = arrayText(rows[r][c].([]string))
		}
		args[c] = texts
	}
	return args
}

// arrayText formats an array of ids, which need no quotes.
func arrayText(elements []string) string { return "{" + strings.Join(elements, ",") + "}" }

func uuidTexts(ids []uuid.UUID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}
