package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

const batchPath = "/open/v1/orders/batch/shipment"

func entryOf(orderNo string, ids ...string) body { return shipped(ids...).with("order_no", orderNo) }

func (d *session) batch(t *testing.T, entries ...body) stacktest.Answer {
	t.Helper()
	return d.client.Do(t, stacktest.PostJSON(t, "", batchPath, body{"items": entries}))
}

func (d *session) batchDone(t *testing.T, entries ...body) stacktest.BatchResult {
	t.Helper()
	return stacktest.RequireOK[stacktest.BatchResult](t, d.batch(t, entries...))
}

func requireFailed(t *testing.T, want []stacktest.BatchFailed, got []stacktest.BatchFailed) {
	t.Helper()
	for i := range got {
		require.NotEmpty(t, got[i].Message)
		got[i].Message = ""
	}
	require.Equal(t, want, got)
}

// Lines in every state, in one batch: those that ship, those that were shipped like that before and those that
// cannot be shipped, each counted as succeeded or failed.
func TestShipBatch_sameAsSingleShipments(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	var entries []body
	var succeeded []string
	var failed []stacktest.BatchFailed
	add := func(orderNo, id, code string, entry body) {
		entries = append(entries, entry)
		switch code {
		case "":
			succeeded = append(succeeded, id)
		case "ORDER_NOT_FOUND":
			failed = append(failed, stacktest.BatchFailed{OrderNo: orderNo, ItemIDs: []string{}, ErrorCode: code})
		default:
			failed = append(failed, stacktest.BatchFailed{OrderNo: orderNo, ItemIDs: []string{id}, ErrorCode: code})
		}
	}
	for state, code := range map[string]string{
		"paid": "", "preparing": "", "shipping": "", "delivered": "", "confirmed": "",
		"canceled": "ORDER_ITEM_NOT_SHIPPABLE", "returned": "ORDER_ITEM_NOT_SHIPPABLE", "exchanged": "ORDER_ITEM_NOT_SHIPPABLE",
	} {
		orderNo, ids := d.place(t, stacktest.InState(state))
		add(orderNo, ids[0], code, entryOf(orderNo, ids...))
	}
	orderNo, ids := d.place(t, stacktest.InState("shipping"))
	add(orderNo, ids[0], "SHIPMENT_STATE_CONFLICT", entryOf(orderNo, ids...).without("logistics_company"))
	orderNo, ids = d.place(t)
	d.HoldLine(t, ids[0])
	add(orderNo, ids[0], "ORDER_ITEM_HAS_ACTIVE_CLAIM", entryOf(orderNo, ids...))
	orderNo, ids = d.place(t)
	d.MakeExchangeLine(t, ids[0], "waiting")
	add(orderNo, ids[0], "EXCHANGE_ITEM_NOT_RESHIPPING", entryOf(orderNo, ids...))
	orderNo, ids = d.place(t)
	stranger := uuid.NewString()
	add(orderNo, stranger, "ORDER_ITEM_NOT_FOUND", entryOf(orderNo, stranger))
	add(orderNo, "x", "ORDER_ITEM_NOT_FOUND", entryOf(orderNo, "x"))
	unpaid, unpaidIDs := d.place(t, stacktest.Unpaid)
	theirs, theirIDs := openSession(t).place(t)
	for no, id := range map[string]string{"T0": ids[0], unpaid: unpaidIDs[0], theirs: theirIDs[0], "주문": ids[0], strings.Repeat("A", 65): ids[0]} {
		add(no, id, "ORDER_NOT_FOUND", entryOf(no, id))
	}
	result := d.batchDone(t, entries...)
	require.Equal(t, succeeded, result.Succeeded)
	requireFailed(t, failed, result.Failed)
	require.Equal(t, len(succeeded), result.Summary.Succeeded)
	require.Equal(t, len(failed), result.Summary.Failed)
	again := d.batchDone(t, entries...)
	require.Equal(t, succeeded, again.Succeeded, "the same shipments succeed again")
}

// Invalid values in one entry fail only that entry, with the code of the single shipment.
func TestShipBatch_invalidParcelFailsItsEntry(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	entries := make([]body, 0, len(refusedParcels)+1)
	failed := make([]stacktest.BatchFailed, 0, len(refusedParcels))
	for i, row := range refusedParcels {
		no := fmt.Sprintf("T%d", i) // this order does not exist, which is checked only after the parcel
		entries = append(entries, body{
			"order_no": no, "item_ids": []string{"x"}, "carrier_name": row.carrier, "tracking_no": row.number, "logistics_company": row.logistics,
		})
		failed = append(failed, stacktest.BatchFailed{OrderNo: no, ItemIDs: []string{"x"}, ErrorCode: row.code})
	}
	result := d.batchDone(t, append(entries, entryOf(orderNo, ids...))...)
	require.Equal(t, ids, result.Succeeded)
	requireFailed(t, failed, result.Failed)
	require.Equal(t, "shipping", d.order(t, orderNo).OrderStatus)
}

// An entry changes all its lines or none; the counts are of lines, also if the order was not found.
func TestShipBatch_countsItemsKeepsEntriesWhole(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	good, goodIDs := d.place(t, lines(3))
	bad, badIDs := d.place(t, lines(3))
	d.HoldLine(t, badIDs[2])
	before := d.text(t, bad)
	result := d.batchDone(t, entryOf(bad, badIDs...), entryOf(good, goodIDs...), entryOf("T0", "a", "b"))
	require.Equal(t, goodIDs, result.Succeeded)
	requireFailed(t, []stacktest.BatchFailed{
		{OrderNo: bad, ItemIDs: badIDs, ErrorCode: "ORDER_ITEM_HAS_ACTIVE_CLAIM"}, {OrderNo: "T0", ItemIDs: []string{}, ErrorCode: "ORDER_NOT_FOUND"},
	}, result.Failed)
	require.Equal(t, []int{3, 5}, []int{result.Summary.Succeeded, result.Summary.Failed})
	require.Equal(t, before, d.text(t, bad))
}

// Two parcels of one order are shipped in the order of the batch.
func TestShipBatch_severalEntriesOfOneOrder(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t, lines(2))
	result := d.batchDone(t,
		entryOf(orderNo, ids[0]).with("tracking_no", "1111111111"), entryOf(orderNo, ids[1]).with("tracking_no", "2222222222"),
		entryOf(orderNo, ids[0]).with("tracking_no", "3333333333"), entryOf(orderNo, ids[0]).with("tracking_no", "1111-1111-11"))
	require.Equal(t, ids, result.Succeeded, "each line once, despite two entries for the first")
	requireFailed(t, []stacktest.BatchFailed{{OrderNo: orderNo, ItemIDs: ids[:1], ErrorCode: "SHIPMENT_STATE_CONFLICT"}}, result.Failed)
	items := d.order(t, orderNo).Items
	require.Equal(t, []string{"1111111111", "2222222222"}, []string{*items[0].TrackingNo, *items[1].TrackingNo})
}

// An entry that fails unexpectedly does not affect the others.
func TestShipBatch_unexpectedErrorFailsItsEntry(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	poisoned, poisonedIDs := d.place(t)
	first, firstIDs := d.place(t)
	last, lastIDs := d.place(t)
	poison(t, d.Stack, poisonedIDs[0])
	before := d.text(t, poisoned)
	result := d.batchDone(t, entryOf(first, firstIDs...), entryOf(poisoned, poisonedIDs...), entryOf(last, lastIDs...))
	require.Equal(t, []string{firstIDs[0], lastIDs[0]}, result.Succeeded)
	requireFailed(t, []stacktest.BatchFailed{{OrderNo: poisoned, ItemIDs: poisonedIDs, ErrorCode: "ORDER_BATCH_ERROR"}}, result.Failed)
	require.Equal(t, before, d.text(t, poisoned))
	stacktest.RequireFailure(t, d.do(t, "shipment", poisoned, shipped(poisonedIDs...)), http.StatusInternalServerError, "")
}

// poison makes every change of a line fail in the database, until the end of the test.
func poison(t *testing.T, s *stacktest.Stack, itemID string) {
	t.Helper()
	name := "poison_" + strings.ReplaceAll(itemID, "-", "")
	conn, ctx := s.SQL(t), context.WithoutCancel(t.Context())
	run := func(statement string) {
		_, err := conn.Exec(ctx, statement)
		require.NoError(t, err)
	}
	t.Cleanup(func() { run("alter table orders.lines drop constraint " + name) })
	run("alter table orders.lines add constraint " + name + " check (item_id <> '" + itemID + "') not valid")
}

// A batch can have up to 500 entries, and all of them are processed.
func TestShipBatch_500Entries(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orders := d.PlaceMany(t, 500, d.seller.ID)
	entries, want := make([]body, 0, 501), make([]string, 0, 500)
	for i, order := range orders {
		id := order.GetSellers()[0].GetLines()[0].GetItemId()
		entries = append(entries, entryOf(order.GetOrderNo(), id).with("tracking_no", fmt.Sprintf("6%011d", i)))
		want = append(want, id)
	}
	tooMany := d.batch(t, append(entries, entryOf("T0", "x"))...)
	stacktest.RequireInvalid(t, tooMany, "items")
	require.Empty(t, d.client.List(t, "1", "item_status", "shipping").List, "a refused batch has no effect")
	call := stacktest.PostJSON(t, "", batchPath, body{"items": entries})
	answer := d.client.Do(t, call)
	result := stacktest.RequireOK[stacktest.BatchResult](t, answer)
	require.Equal(t, want, result.Succeeded)
	require.Empty(t, result.Failed)
	require.Equal(t, []int{500, 0}, []int{result.Summary.Succeeded, result.Summary.Failed})
	shippedOrders := d.client.Walk(t, "100", "item_status", "shipping")
	require.ElementsMatch(t, numbersOf(orders), orderNos(shippedOrders))
	replayed := d.client.Do(t, call)
	require.Equal(t, string(answer.Body), string(replayed.Body), "byte for byte")
	require.Equal(t, "true", replayed.Header.Get("Idempotent-Replayed"))
}

// A wrong shape anywhere fails the whole batch, and the path in the response says where.
func TestShipBatch_wrongShapeInvalidAsAWhole(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	before := d.text(t, orderNo)
	fine := func() body { return entryOf(orderNo, ids...) }
	for _, row := range []struct {
		field string
		entry body
	}{
		{"order_no", fine().without("order_no")}, {"order_no", fine().with("order_no", "")}, {"order_no", fine().with("order_no", 7)},
		{"item_ids", fine().without("item_ids")}, {"item_ids", fine().with("item_ids", []string{})},
		{"item_ids[0]", fine().with("item_ids", []string{""})}, {"item_ids[1]", fine().with("item_ids", []string{ids[0], ids[0]})},
		{"carrier_name", fine().without("carrier_name")}, {"carrier_name", fine().with("carrier_name", nil)},
		{"tracking_no", fine().without("tracking_no")}, {"tracking_no", fine().with("tracking_no", strings.Repeat("1", 61))},
		{"logistics_company", fine().with("logistics_company", strings.Repeat("가", 101))},
	} {
		stacktest.RequireInvalid(t, d.batch(t, fine(), row.entry), "items[1]."+row.field)
	}
	for _, request := range []body{{}, {"items": nil}, {"items": []body{}}, {"items": "x"}, {"items": fine()}} {
		stacktest.RequireInvalid(t, d.client.Do(t, stacktest.PostJSON(t, "", batchPath, request)), "items")
	}
	require.Equal(t, before, d.text(t, orderNo))
}

// Warnings say which entry they are about.
func TestShipBatch_warnsByEntry(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	first, firstIDs := d.place(t)
	second, secondIDs := d.place(t)
	result := d.batchDone(t, entryOf(first, firstIDs...).with("tracking_no", "612345678904"), entryOf(second, secondIDs...))
	require.Len(t, result.Succeeded, 2)
	require.Len(t, result.Warnings, 1)
	require.Equal(t, []string{"items[1].tracking_no", "TRACKING_NO_SUSPICIOUS"}, []string{result.Warnings[0].Field, result.Warnings[0].Code})
}

// Batches may be longer than other requests; one above their limit is refused without being read.
func TestShipBatch_longerThanOtherRequests(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	padded := func(megabytes int, request body) body {
		return request.with("note", strings.Repeat("x", megabytes<<20))
	}
	stacktest.RequireFailure(t, d.do(t, "shipment", orderNo, padded(2, shipped(ids...))), http.StatusRequestEntityTooLarge, "")
	stacktest.RequireFailure(t, d.batch(t, padded(5, entryOf(orderNo, ids...))), http.StatusRequestEntityTooLarge, "")
	require.Equal(t, ids, d.batchDone(t, padded(2, entryOf(orderNo, ids...))).Succeeded)
}

// A large order can be shipped in one entry.
func TestShipBatch_200ItemsInOneEntry(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t, lines(200))
	result := d.batchDone(t, entryOf(orderNo, ids...))
	require.Equal(t, ids, result.Succeeded)
	require.Equal(t, 200, result.Summary.Succeeded)
	require.Equal(t, "shipping", d.order(t, orderNo).OrderStatus)
	require.Len(t, d.done(t, "delivery", orderNo, of(ids...)).Items, 200)
}
