package mirror_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
	"sellerapi.dev/proto/clients/go/example/mirror"
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

// Only paid items are shipped, and the outcome of each row is reported.
func TestShip_onlyPaidItemsEachToldOf(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, []string{"A-1", at, "paid", "paid", "shipping"}, []string{"A-2", at, "paid"}, []string{"A-3", at, "paid"})
	s.refuse = map[string]string{"A-2": "ORDER_NOT_FOUND", "A-3": "ORDER_ITEM_HAS_ACTIVE_CLAIM"}
	outcomes, err := m.Ship(t.Context(), []mirror.Row{
		{"A-1", "A-1-a", sellerapi.CarrierCJ, "1"},
		{"A-1", "A-1-b", sellerapi.CarrierCJ, "1"},
		{"A-1", "A-1-a", sellerapi.CarrierCJ, "1"},
		{"A-1", "A-1-c", sellerapi.CarrierCJ, "1"},
		{"A-2", "A-2-a", sellerapi.CarrierPost, "2"},
		{"A-3", "A-3-a", sellerapi.CarrierPost, "3"},
		{"A-9", "A-9-a", sellerapi.CarrierPost, "4"},
	})
	require.NoError(t, err)
	require.Equal(t, []mirror.Outcome{
		{"A-1", "A-1-c", "left", "shipping"},
		{"A-9", "A-9-a", "left", "not in the mirror"},
		{"A-1", "A-1-a", "shipped", ""},
		{"A-1", "A-1-b", "shipped", ""},
		{"A-2", "A-2-a", "refused", "ORDER_NOT_FOUND: a text"},
		{"A-3", "A-3-a", "refused", "ORDER_ITEM_HAS_ACTIVE_CLAIM: a text"},
	}, outcomes)
	require.Equal(t, []sellerapi.BatchShipmentRequest{{Items: []sellerapi.BatchShipmentEntry{
		{OrderNo: "A-1", ItemIDs: []string{"A-1-a", "A-1-b"}, CarrierName: sellerapi.CarrierCJ, TrackingNo: "1"},
		{OrderNo: "A-2", ItemIDs: []string{"A-2-a"}, CarrierName: sellerapi.CarrierPost, TrackingNo: "2"},
		{OrderNo: "A-3", ItemIDs: []string{"A-3-a"}, CarrierName: sellerapi.CarrierPost, TrackingNo: "3"},
	}}}, s.requests)
	require.Empty(t, rows(t, m, "select request from outbox"))
}

// Of two parcels with one item, the first is shipped and the second refused: each reports its own outcome.
func TestShip_sameItemTwice(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, []string{"A-1", at, "paid"})
	outcomes, err := m.Ship(t.Context(), []mirror.Row{{"A-1", "A-1-a", sellerapi.CarrierCJ, "1"}, {"A-1", "A-1-a", sellerapi.CarrierCJ, "2"}})
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
	row := mirror.Row{OrderNo: "A-1", ItemID: "A-1-a", Carrier: sellerapi.CarrierCJ, TrackingNo: "1"}
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
	row := mirror.Row{OrderNo: "A-1", ItemID: "A-1-a", Carrier: sellerapi.CarrierCJ, TrackingNo: "1"}
	for status, left := range map[int]int{401: 1, 403: 1, 422: 0} {
		s.status = status
		_, err := m.Ship(t.Context(), []mirror.Row{row})
		require.Error(t, err)
		require.Len(t, rows(t, m, "select request from outbox"), left, status)
		s.status = 422
		_, _ = m.Ship(t.Context(), nil)
	}
}

// A long list is split into batches and entries of the maximum sizes.
func TestShip_longListIsSplit(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	m := collected(t, s, append([]string{"A-1", at}, slices.Repeat([]string{"paid"}, 801)...))
	list := make([]mirror.Row, 0, 801)
	for i, id := range rows(t, m, "select item_id from order_items") {
		tracking := "1" // of 201 items in one parcel
		if i > 200 {
			tracking = fmt.Sprint("T", i)
		}
		list = append(list, mirror.Row{OrderNo: "A-1", ItemID: id, Carrier: sellerapi.CarrierCJ, TrackingNo: tracking})
	}
	outcomes, err := m.Ship(t.Context(), list)
	require.NoError(t, err)
	require.Len(t, outcomes, 801)
	require.Len(t, s.requests, 2)
	require.Equal(t, [2]int{500, 102}, [2]int{len(s.requests[0].Items), len(s.requests[1].Items)})
	require.Equal(t, [2]int{200, 1}, [2]int{len(s.requests[0].Items[0].ItemIDs), len(s.requests[0].Items[1].ItemIDs)})
	require.NotEqual(t, s.keys[0], s.keys[1])
}

// Files are read as spreadsheets write them, and any other format is refused.
func TestReadRows_asSpreadsheetsWrite(t *testing.T) {
	t.Parallel()
	got, err := mirror.ReadRows(strings.NewReader("\uFEFForder_no,item_id,carrier,tracking_no\r\nA-1,i-1,CJ대한통운,\"6123, 4567\"\r\n\r\n"))
	require.NoError(t, err)
	require.Equal(t, []mirror.Row{{"A-1", "i-1", sellerapi.CarrierCJ, "6123, 4567"}}, got)
	for _, text := range []string{"", "order_no,item_id,carrier\n", "a,b,c,d\n", "order_no,item_id,carrier,tracking_no\nA-1,i-1\n"} {
		_, err := mirror.ReadRows(strings.NewReader(text))
		require.Error(t, err, text)
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
	s.refuse["A-1"] = "ORDER_ITEM_NOT_SHIPPABLE"
	out, err = run(t.Context(), "-once", "-ship", list)
	require.EqualError(t, err, "1 items were refused")
	require.Contains(t, out, "refused A-1 A-1-a ORDER_ITEM_NOT_SHIPPABLE: a text\n")

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = run(ended)
	require.ErrorIs(t, err, context.Canceled)
	_, err = run(t.Context(), "-once", "-ship", filepath.Join(dir, "none.csv"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Error(t, mirror.Run(t.Context(), nil, func(string) string { return "" }, &bytes.Buffer{}))
}
