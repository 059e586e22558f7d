package e2e

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

type record map[string]any

// mirrorFile is the content of a mirror's file: orders by number, items by id, and the definitions of its
// tables.
type mirrorFile struct {
	orders, items map[string]record
	schema        map[string]record
}

func mirrored(t *testing.T, path string) mirrorFile {
	t.Helper()
	file, err := sql.Open("sqlite", path) // the driver that the mirror imports
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	return mirrorFile{
		orders: records(t, file, "order_no", "select * from orders"),
		items:  records(t, file, "item_id", "select * from order_items"),
		schema: records(t, file, "name", "select name, sql from sqlite_schema where sql is not null"),
	}
}

// records returns the rows of a query by the value of one of their columns.
func records(t *testing.T, file *sql.DB, key, query string) map[string]record {
	t.Helper()
	rows, err := file.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	all := map[string]record{}
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		require.NoError(t, rows.Scan(places...))
		one := record{}
		for i, column := range columns {
			one[column] = values[i]
		}
		all[one[key].(string)] = one
	}
	require.NoError(t, rows.Err())
	return all
}

// requireMirrored checks that a mirror's file has exactly what the server has, in every member that is not a
// list.
func requireMirrored(t *testing.T, s *stacktest.Stack, seller stacktest.Seller, path string) {
	t.Helper()
	got := mirrored(t, path)
	want := mirrorFile{orders: map[string]record{}, items: map[string]record{}, schema: got.schema}
	client := s.Client(seller.ID)
	for query := []string{"limit", "100"}; query != nil; {
		page := stacktest.RequireOK[stacktest.Page[record]](t, client.Do(t, stacktest.Get("", "/open/v1/orders", query...)))
		for _, order := range page.List {
			number := order["order_no"].(string)
			for _, item := range order["items"].([]any) {
				line := record(item.(map[string]any))
				line["order_no"] = number
				want.items[line["item_id"].(string)] = asStored(line)
			}
			delete(order, "items")
			for column := range got.orders[number] {
				if _, there := order[column]; !there {
					order[column] = nil // absent members are null in the file
				}
			}
			want.orders[number] = asStored(order)
		}
		query = nil
		if page.NextCursor != nil {
			query = []string{"limit", "100", "cursor", *page.NextCursor}
		}
	}
	require.Equal(t, want, got)
}

// asStored converts members to the types in which SQLite returns them.
func asStored(members record) record {
	for name, value := range members {
		switch value := value.(type) {
		case float64:
			members[name] = int64(value)
		case bool:
			members[name] = map[bool]int64{true: 1}[value]
		case []any:
			delete(members, name) // no table stores lists
		}
	}
	return members
}
