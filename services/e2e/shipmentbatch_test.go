package e2e

import (
	"context"
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
	for no, id := range map[string]string{
		"T0": ids[0], unpaid: unpaidIDs[0], theirs: theirIDs[0], "주문": ids[0],
		strings.Repeat("A", 65): ids[0],
	} {
		add(no, id, "ORDER_NOT_FOUND", entryOf(no, id))
	}
	for code, wrong := range map[string][2]string{
		"SHIPMENT_CARRIER_NOT_ALLOWED": {"carrier_name", "DHL"}, "SHIPMENT_FIELDS_REQUIRED": {"tracking_no", " "},
		"SHIPMENT_INPUT_INVALID": {"tracking_no", "6123\n"},
	} { // the parcel is checked before the order
		add("T1", code, code, entryOf("T1", code).with(wrong[0], wrong[1]))
	}
	checked := d.client.Do(t, stacktest.PostJSON(t, "", checkPath, body{"items": entries}))
	answer := d.batch(t, entries...)
	require.JSONEq(t, string(checked.Body), string(answer.Body), "the check says what the batch then answers")
	result := stacktest.RequireOK[stacktest.BatchResult](t, answer)
	require.Equal(t, succeeded, result.Succeeded)
	requireFailed(t, failed, result.Failed)
	require.Equal(t, len(succeeded), result.Summary.Succeeded)
	require.Equal(t, len(failed), result.Summary.Failed)
	again := d.batchDone(t, entries...)
	require.Equal(t, succeeded, again.Succeeded, "the same shipments succeed again")
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
		{OrderNo: bad, ItemIDs: badIDs, ErrorCode: "ORDER_ITEM_HAS_ACTIVE_CLAIM"},
		{OrderNo: "T0", ItemIDs: []string{}, ErrorCode: "ORDER_NOT_FOUND"},
	}, result.Failed)
	require.Equal(t, []int{3, 5}, []int{result.Summary.Succeeded, result.Summary.Failed})
	require.Equal(t, before, d.text(t, bad))
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

// Warnings say which entry they are about.
func TestShipBatch_warnsByEntry(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	first, firstIDs := d.place(t)
	second, secondIDs := d.place(t)
	result := d.batchDone(t, entryOf(first, firstIDs...).with("tracking_no", "612345678904"), entryOf(second, secondIDs...))
	require.Len(t, result.Succeeded, 2)
	require.Len(t, result.Warnings, 1)
	require.Equal(t, []string{"items[1].tracking_no", "TRACKING_NO_SUSPICIOUS"},
		[]string{result.Warnings[0].Field, result.Warnings[0].Code})
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
