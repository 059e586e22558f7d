package mirror_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli/example/mirror"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// The mirror holds the latest version of every order that the server has; an earlier one changes nothing.
func TestCollect_holdsWhatServerHas(t *testing.T) {
	t.Parallel()
	s, path := newSeller(t), filepath.Join(t.TempDir(), "orders.db")
	m := open(t, s, path)
	s.has([]string{"A-2", "2026-03-14T02:02:00.000000Z", "paid", "shipping"}, []string{"A-1", "2026-03-14T02:01:00.000000Z", "paid"})
	_, err := m.Collect(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"A-1 2026-03-14T02:01:00.000000Z 이서연", "A-2 2026-03-14T02:02:00.000000Z 이서연"},
		rows(t, m, "select order_no || ' ' || updated_at || ' ' || recipient_name from orders order by order_no"))

	s.has([]string{"A-2", "2026-03-14T02:03:00.000000Z", "paid"}, []string{"A-1", "2026-03-14T01:00:00.000000Z", "canceled"})
	_, err = m.Collect(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"A-1-a paid 0 2026-03-14T02:00:00.120000Z", "A-2-a paid 0 2026-03-14T02:00:00.120000Z"},
		rows(t, m, "select item_id || ' ' || item_status || ' ' || is_exchange || ' ' || shipped_at from order_items order by item_id"),
		"a later form replaces items, an earlier one changes nothing")
	require.NoError(t, m.Close())
	require.NotEmpty(t, rows(t, open(t, s, path), "select state from sync_state"))
}

// A program that reads the file is waited for.
func TestCollect_fileLocked(t *testing.T) {
	t.Parallel()
	s, path := newSeller(t), filepath.Join(t.TempDir(), "orders?.db")
	m := open(t, s, path)
	s.has([]string{"A-1", at, "paid"})
	other, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	tx, err := other.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.ErrorIs(t, tx.QueryRowContext(t.Context(), "select order_no from orders").Scan(new(string)), sql.ErrNoRows)
	s.listed = func() { time.AfterFunc(200*time.Millisecond, func() { _ = tx.Rollback() }) }
	_, err = m.Collect(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"A-1"}, rows(t, m, "select order_no from orders"))
}

// A missing column would lose a member of every order. Lists have tables of their own, or none.
func TestTables_everyMemberHasColumn(t *testing.T) {
	t.Parallel()
	m := open(t, newSeller(t), filepath.Join(t.TempDir(), "orders.db"))
	for table, of := range map[string]reflect.Type{
		"orders": reflect.TypeFor[sellerapi.Order](), "order_items": reflect.TypeFor[sellerapi.OrderItem](),
	} {
		var want []string
		for i := range of.NumField() {
			if field := of.Field(i); field.Type.Kind() != reflect.Slice {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				want = append(want, name)
			}
		}
		if table == "order_items" {
			want = append(want, "order_no")
		}
		require.ElementsMatch(t, want, rows(t, m, fmt.Sprintf("select name from pragma_table_info('%s')", table)))
	}
}

func collected(t *testing.T, s *seller, orders ...[]string) *mirror.Mirror {
	t.Helper()
	m := open(t, s, filepath.Join(t.TempDir(), "orders.db"))
	s.has(orders...)
	_, err := m.Collect(t.Context())
	require.NoError(t, err)
	return m
}

const at = "2026-03-14T02:00:00.000000Z"

// Only what is open is shipped, and the outcome of each row is reported. What is shipped in the same parcel already is left,
// everything else that does not go out is a refusal.
func TestShip_onlyOpenItemsEachToldOf(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, []string{"A-1", at, "paid", "paid", "preparing", "shipping", "delivered", "shipping", "returned"},
		[]string{"A-2", at, "paid"}, []string{"A-3", at, "paid"})
	_, err := m.DB().ExecContext(t.Context(),
		"update order_items set carrier_name = 'CJ대한통운', tracking_no = '1' where item_status = 'shipping'")
	require.NoError(t, err)
	s.refuse = map[string]string{"A-2": "ORDER_NOT_FOUND", "A-3": "ORDER_ITEM_HAS_ACTIVE_CLAIM"}
	s.doubt = map[string]string{"1": "a doubt"}
	wrong := row("A-1", "A-1-a", sellerapi.CarrierCJ, "9")
	wrong.Wrong = "row 9: a reason"
	outcomes, err := m.Ship(t.Context(), []mirror.Row{
		row("A-1", "A-1-a", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-b", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-c", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-a", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-d", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-e", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-f", sellerapi.CarrierPost, "1"),
		row("A-1", "A-1-g", sellerapi.CarrierCJ, "1"),
		row("A-2", "A-2-a", sellerapi.CarrierPost, "2"),
		row("A-3", "A-3-a", sellerapi.CarrierPost, "3"),
		row("A-9", "A-9-a", sellerapi.CarrierPost, "4"),
		wrong,
	})
	require.NoError(t, err)
	require.Equal(t, []mirror.Outcome{
		{"A-1", "A-1-b", "refused", "the replacement of an exchange goes out with reship of its claim"},
		{"A-1", "A-1-d", "left", "shipping"},
		{"A-1", "A-1-e", "refused", "delivered in another parcel"},
		{"A-1", "A-1-f", "refused", "shipping in another parcel"},
		{"A-1", "A-1-g", "refused", "returned"},
		{"A-9", "A-9-a", "refused", "not in the mirror"},
		{"A-1", "A-1-a", "refused", "row 9: a reason"},
		{"A-1", "A-1-a", "shipped", "TRACKING_NO_SUSPICIOUS: a doubt"},
		{"A-1", "A-1-c", "shipped", "TRACKING_NO_SUSPICIOUS: a doubt"},
		{"A-2", "A-2-a", "refused", "ORDER_NOT_FOUND: a text"},
		{"A-3", "A-3-a", "refused", "ORDER_ITEM_HAS_ACTIVE_CLAIM: a text"},
	}, outcomes)
	require.Equal(t, []sellerapi.BatchShipmentRequest{{Items: []sellerapi.BatchShipmentEntry{
		{OrderNo: "A-1", ItemIDs: []string{"A-1-a", "A-1-c"}, CarrierName: sellerapi.CarrierCJ, TrackingNo: "1"},
		{OrderNo: "A-2", ItemIDs: []string{"A-2-a"}, CarrierName: sellerapi.CarrierPost, TrackingNo: "2"},
		{OrderNo: "A-3", ItemIDs: []string{"A-3-a"}, CarrierName: sellerapi.CarrierPost, TrackingNo: "3"},
	}}}, s.requests)
	require.Empty(t, rows(t, m, "select request from outbox"))
}

func row(orderNo, itemID string, carrier sellerapi.Carrier, trackingNo string) mirror.Row {
	return mirror.Row{OrderNo: orderNo, ItemID: itemID, Carrier: carrier, TrackingNo: trackingNo}
}

// Of two parcels with one item, the first is shipped and the second refused: each reports its own outcome.
func TestShip_sameItemTwice(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, []string{"A-1", at, "paid"})
	outcomes, err := m.Ship(t.Context(), []mirror.Row{
		row("A-1", "A-1-a", sellerapi.CarrierCJ, "1"),
		row("A-1", "A-1-a", sellerapi.CarrierCJ, "2"),
	})
	require.NoError(t, err)
	require.Equal(t, []mirror.Outcome{
		{"A-1", "A-1-a", "shipped", ""}, {"A-1", "A-1-a", "refused", "SHIPMENT_STATE_CONFLICT: a text"},
	}, outcomes)
}

// The parcels may have been registered: only the same request with the same key is safe.
func TestBatch_withoutAnswerRepeatsKey(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, []string{"A-1", at, "paid"})
	row := row("A-1", "A-1-a", sellerapi.CarrierCJ, "1")
	s.breaks = 1
	_, err := m.Ship(t.Context(), []mirror.Row{row})
	require.True(t, sellerapi.Temporary(err), "%v", err)
	require.Len(t, rows(t, m, "select request from outbox"), 1)
	outcomes, err := m.Ship(t.Context(), []mirror.Row{row})
	require.NoError(t, err)
	require.Equal(t, []mirror.Outcome{{"A-1", "A-1-a", "shipped", ""}}, outcomes)
	require.Equal(t, slices.Repeat(s.keys[:1], 2), s.keys)
	require.Empty(t, rows(t, m, "select request from outbox"))
}

func TestBatch_refusedForgottenUnlessKeyWrong(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, []string{"A-1", at, "paid"})
	for status, left := range map[int]int{401: 1, 403: 1, 302: 1, 422: 0} {
		s.status = status
		outcomes, err := m.Ship(t.Context(), []mirror.Row{row("A-1", "A-1-a", sellerapi.CarrierCJ, "1")})
		require.Equal(t, left > 0, err != nil, "%v", err)
		require.Len(t, rows(t, m, "select request from outbox"), left, status)
		if left == 0 {
			require.Equal(t, "refused", outcomes[0].What)
			require.Contains(t, outcomes[0].Why, "VALIDATION_ERROR")
		}
		s.status = 422
		_, err = m.Ship(t.Context(), nil)
		require.NoError(t, err)
	}
}

// A long list is split into batches and entries of the maximum sizes.
func TestShip_longListIsSplit(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, append([]string{"A-1", at}, slices.Repeat([]string{"paid"}, 801)...))
	list := make([]mirror.Row, 0, 801)
	for i, id := range rows(t, m, "select item_id from order_items") {
		tracking := "1" // of 201 items in one parcel, besides a replacement, which is not sent
		if i > 201 {
			tracking = strconv.Itoa(i)
		}
		list = append(list, mirror.Row{OrderNo: "A-1", ItemID: id, Carrier: sellerapi.CarrierCJ, TrackingNo: tracking})
	}
	outcomes, err := m.Ship(t.Context(), list)
	require.NoError(t, err)
	require.Len(t, outcomes, 801)
	require.Len(t, s.requests, 2)
	require.Equal(t, [2]int{500, 101}, [2]int{len(s.requests[0].Items), len(s.requests[1].Items)})
	require.Equal(t, [2]int{200, 1}, [2]int{len(s.requests[0].Items[0].ItemIDs), len(s.requests[0].Items[1].ItemIDs)})
	require.NotEqual(t, s.keys[0], s.keys[1])
}

// Files are read as spreadsheets write them. What is not certainly such a file is refused, with the line or row.
func TestReadRows_files(t *testing.T) {
	t.Parallel()
	const head = "order_no,item_id,carrier,tracking_no\r\n"
	got, err := mirror.ReadRows(strings.NewReader("\uFEFF" + head + "\"A-1\",i-1, CJ대한통운,6123-4567 8904\r\n\r\n"))
	require.NoError(t, err)
	require.Equal(t, []mirror.Row{row("A-1", "i-1", sellerapi.CarrierCJ, "612345678904")}, got)
	for text, want := range map[string]string{
		"":                                  "no rows",
		head:                                "no rows",
		"order_no,item_id,carrier\nA,b,c\n": "wrong number of fields",
		"a,b,c,d\nA,b,c,d\n":                "the first line is",
		head + "A-1,i-1\n":                  "wrong number of fields",
		head + "A-1,i-1,\"c,t\n":            "line 2, column 14",
		head + "A-1,\"국산\" 쌀,CJ대한통운,1\n":         "line 2, column 12",
		head + "A-1,국산 \"쌀\",CJ대한통운,1\n":         "line 2, column 12",
		head + "A-1,i-1,CJ대한통운,=\"6012\"\n":      "line 2, column 25",
		head + "A-1,\"국산 \"\"쌀\"\"\",CJ대한통운,1\n": "row 2 has a quotation mark in a cell",
		head + "A-1,i-1,\xb4\xeb\xc7\xd1,1\n":    "not UTF-8",
	} {
		_, err := mirror.ReadRows(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// A cell that is not certainly what its column says costs its row, not the others.
func TestReadRows_cells(t *testing.T) {
	t.Parallel()
	const head = "order_no,item_id,carrier,tracking_no\n"
	for line, want := range map[string]string{
		"A-1,i-1,CJ대한통운,6.12345678901E11":           "tracking_no is '6.12345678901E11', want one number of digits",
		"A-1,i-1,CJ대한통운,6.12346E+11":                "want one number",
		"A-1,i-1,CJ대한통운,'612345678904":              "want one number",
		"A-1,i-1,CJ대한통운,\"612345678904, 61234567\"": "want one number",
		"A-1,i-1,CJ대한통운,\"612345678904\n61234567\"": "want one number",
		"A-1,i-1,CJ대한통운,612345678904.0":             "want one number",
		"A-1,i-1,CJ대한통운,６１２３":                       "want one number",
		"A-1,i-1,CJ대한통운,":                           "want one number",
		"A-1,i-1,CJ대한통운,612346000000":               "looks rounded",
		"A-1,i-1,FEDEX,612345678904":                "carrier is 'FEDEX', want one of CJ대한통운, ",
		",i-1,CJ대한통운,612345678904":                  "empty",
		"A-1,,CJ대한통운,612345678904":                  "empty",
	} {
		got, err := mirror.ReadRows(strings.NewReader(head + line + "\nA-2,i-2,CJ대한통운,612345678904\n"))
		require.NoError(t, err, line)
		require.Len(t, got, 2)
		require.True(t, strings.HasPrefix(got[0].Wrong, "row 2: "), got[0].Wrong)
		require.Contains(t, got[0].Wrong, want)
		require.Empty(t, got[1].Wrong)
	}
}

// The program collects, ships the items that a file lists and reports the outcomes.
func TestRun_collectsShipsAndTells(t *testing.T) {
	t.Parallel()
	s, dir := newSeller(t), t.TempDir()
	s.has([]string{"A-1", at, "paid"})
	list := filepath.Join(dir, "today.csv")
	require.NoError(t, os.WriteFile(list, []byte("order_no,item_id,carrier,tracking_no\nA-1,A-1-a,CJ대한통운,1\n"), 0o600))
	environment := func(name string) string {
		return map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": "vpk_test_secret"}[name]
	}
	run := func(ctx context.Context, arguments ...string) (string, error) {
		var out bytes.Buffer
		err := mirror.Run(ctx, append([]string{"-db", filepath.Join(dir, "orders.db")}, arguments...), environment, &out)
		return out.String(), err
	}
	out, err := run(t.Context(), "-once", "-ship", list)
	require.NoError(t, err)
	require.Equal(t, "collected 1 orders\nshipped A-1 A-1-a \ncollected 1 orders\n", out)
	s.doubt = map[string]string{"1": "a doubt"}
	out, err = run(t.Context(), "-once", "-ship", list)
	require.EqualError(t, err, "0 items were refused, 1 have a doubtful number")
	require.Contains(t, out, "shipped A-1 A-1-a TRACKING_NO_SUSPICIOUS: a doubt\n")
	s.refuse["A-1"] = "ORDER_ITEM_NOT_SHIPPABLE"
	out, err = run(t.Context(), "-once", "-ship", list)
	require.EqualError(t, err, "1 items were refused, 0 have a doubtful number")
	require.Contains(t, out, "refused A-1 A-1-a ORDER_ITEM_NOT_SHIPPABLE: a text\n")

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = run(ended)
	require.ErrorIs(t, err, context.Canceled)
	_, err = run(t.Context(), "-once", "-ship", filepath.Join(dir, "none.csv"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Error(t, mirror.Run(t.Context(), nil, func(string) string { return "" }, &bytes.Buffer{}))
}
