package store

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

var parcels = []carrier.Shipment{
	{Carrier: carrier.CJLogistics, TrackingNo: "690000000011"}, {Carrier: carrier.Lotte, TrackingNo: "200000000001"},
}

// shop is a store with an order of two sellers: two items of the first and one of the second, all paid.
type shop struct {
	t      *testing.T
	s      *Store
	db     *pgtest.DB
	no     string
	a, b   uuid.UUID
	placed order.Placement
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s, db := setup(t)
	return newShopOn(t, s, db)
}

func newShopOn(t *testing.T, s *Store, db *pgtest.DB) *shop {
	t.Helper()
	return newShopOf(t, s, db, uuid.New(), uuid.New())
}

func newShopOf(t *testing.T, s *Store, db *pgtest.DB, a, b uuid.UUID) *shop {
	t.Helper()
	h := &shop{t: t, s: s, db: db, no: "O-1", a: a, b: b}
	h.placed = ordertest.New(h.no, ordertest.Epoch, h.a, h.b)
	h.placed.Parts[0].Lines = append(h.placed.Parts[0].Lines, ordertest.NewLine())
	place(t, h.s, h.placed)
	return h
}

// id returns the id of the n-th item, counted from 1 over both sellers.
func (h *shop) id(n int) uuid.UUID {
	for _, part := range h.placed.Parts {
		if n <= len(part.Lines) {
			return part.Lines[n-1].ID
		}
		n -= len(part.Lines)
	}
	h.t.Fatal("no such item")
	return uuid.Nil
}

func (h *shop) call(numbers ...int) order.ProcessCommand {
	call := order.ProcessCommand{SellerID: h.a, OrderNo: h.no}
	for _, n := range numbers {
		call.ItemIDs = append(call.ItemIDs, h.id(n).String())
	}
	return call
}

func (h *shop) inTx(do func(ctx context.Context, tx postgres.Tx) (order.ProcessResult, error)) (order.ProcessResult, error) {
	h.t.Helper()
	var done order.ProcessResult
	err := postgres.InTx(h.t.Context(), postgres.OfSeller(h.s.pool, h.a), func(ctx context.Context, tx pgx.Tx) error {
		var err error
		done, err = do(ctx, postgres.Pass(tx))
		return err
	})
	return done, err
}

func (h *shop) prepare(call order.ProcessCommand) (order.ProcessResult, error) {
	return h.inTx(func(ctx context.Context, tx postgres.Tx) (order.ProcessResult, error) {
		return h.s.Prepare(ctx, tx, call)
	})
}

func (h *shop) deliver(call order.ProcessCommand) (order.ProcessResult, error) {
	return h.inTx(func(ctx context.Context, tx postgres.Tx) (order.ProcessResult, error) {
		return h.s.Deliver(ctx, tx, call)
	})
}

func (h *shop) ship(call order.ProcessCommand, parcel carrier.Shipment) (order.ProcessResult, error) {
	return h.s.ShipAlone(h.t.Context(), call, parcel)
}

func (h *shop) must(done order.ProcessResult, err error) order.ProcessResult {
	h.t.Helper()
	require.NoError(h.t, err)
	return done
}

func (h *shop) delivered() *shop {
	h.t.Helper()
	h.must(h.ship(h.call(1, 2), parcels[0]))
	h.must(h.deliver(h.call(1, 2)))
	return h
}

func (h *shop) seen(seller uuid.UUID) *order.Order {
	h.t.Helper()
	found, err := h.s.Find(h.t.Context(), seller, h.no)
	require.NoError(h.t, err)
	return found
}

func (h *shop) count(table string) int {
	h.t.Helper()
	var n int
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select count(*) from "+table).Scan(&n))
	return n
}

func (h *shop) listed(filter order.Filter) bool {
	h.t.Helper()
	return len(walk(h.t, h.s, h.a, filter, 10)) == 1
}

// A shipment changes the order in every view, for every seller of it.
func TestShip_changesOrderEverywhere(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	company := "가온물류"
	parcel := carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "412345678901", Logistics: &company}
	before := map[uuid.UUID]time.Time{h.a: h.seen(h.a).UpdatedAt, h.b: h.seen(h.b).UpdatedAt}
	done := h.must(h.ship(h.call(2), parcel))

	mine, others := h.seen(h.a), h.seen(h.b)
	item := mine.Items[1]
	require.Equal(t, order.Shipping, item.State)
	require.Equal(t, parcel, item.Parcel())
	require.True(t, item.ShippedAt.After(before[h.a]) && !item.ShippedAt.After(mine.UpdatedAt))
	require.Equal(t, order.Paid, mine.Items[0].State)
	require.Equal(t, order.ProcessResult{
		OrderNo: h.no, Status: order.StatusPaid, UpdatedAt: mine.UpdatedAt, Items: []order.ProcessedItem{{Item: done.Items[0].Item}},
	}, done)
	require.Equal(t, h.id(2), done.Items[0].Item.ID)
	require.True(t, mine.UpdatedAt.After(before[h.a]))
	require.True(t, others.UpdatedAt.After(before[h.b]), "order_status is over the items of all sellers")

	entered := order.ChangeFilter{To: order.Shipping, At: order.Range{From: &item.ShippedAt, Until: &item.ShippedAt}}
	require.True(t, h.listed(order.Filter{ItemState: order.Shipping, Change: &entered}))
	require.False(t, h.listed(order.Filter{ItemState: order.Preparing}), "the item never was preparing")
	require.True(t, h.listed(order.Filter{ItemState: order.Paid}), "the other item is still preparing")

	h.must(h.ship(h.call(1), parcel))
	require.Equal(t, order.StatusShipping, h.seen(h.a).SellerStatus)
	require.Equal(t, order.StatusPaid, h.seen(h.a).Status)
	require.False(t, h.listed(order.Filter{ItemState: order.Paid}))
}

// Items take all the steps to the customer, in one parcel, and then their confirmation period begins.
func TestProcess_wholeWayToCustomer(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	require.Equal(t, order.Preparing, h.must(h.prepare(h.call(1, 2))).Items[0].Item.State)
	h.delivered()
	for _, item := range h.seen(h.a).Items {
		require.Equal(t, order.Delivered, item.State)
		require.Equal(t, item.DeliveredAt.Add(8*24*time.Hour), item.AutoConfirmAt)
	}
	require.Equal(t, 1, h.count("shipments"), "both items are in one parcel")
}

// A repetition of a call changes neither times nor history.
func TestProcess_repetitionLeavesNoTrace(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	steps := []func() (order.ProcessResult, error){
		func() (order.ProcessResult, error) { return h.prepare(h.call(1, 2)) },
		func() (order.ProcessResult, error) { return h.ship(h.call(1, 2), parcels[0]) },
		func() (order.ProcessResult, error) { return h.deliver(h.call(1, 2)) },
	}
	for _, step := range steps {
		h.must(step())
		mine, others, changes := h.seen(h.a), h.seen(h.b), h.count("status_changes")
		again := h.must(step())
		for _, item := range again.Items {
			require.True(t, item.AlreadyDone)
		}
		require.Equal(t, mine.UpdatedAt, again.UpdatedAt)
		require.Equal(t, mine.Status, again.Status)
		require.Equal(t, mine, h.seen(h.a))
		require.Equal(t, others, h.seen(h.b))
		require.Equal(t, changes, h.count("status_changes"))
	}
	require.Equal(t, 1, h.count("shipments"))
}

func TestProcess_invisibleOrdersNotFound(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	place(t, h.s, ordertest.New("PENDING", time.Time{}, h.a))
	for name, call := range map[string]order.ProcessCommand{
		"unknown":        {SellerID: h.a, OrderNo: "UNKNOWN", ItemIDs: h.call(1).ItemIDs},
		"another seller": {SellerID: uuid.New(), OrderNo: h.no, ItemIDs: h.call(1).ItemIDs},
		"pending":        {SellerID: h.a, OrderNo: "PENDING", ItemIDs: h.call(1).ItemIDs},
		"none":           {SellerID: h.a, ItemIDs: h.call(1).ItemIDs},
	} {
		_, err := h.prepare(call)
		require.ErrorIs(t, err, apierr.OrderNotFound, name)
	}
	_, err := h.prepare(h.call(1, 3))
	require.ErrorIs(t, err, apierr.OrderItemNotFound, "the third item belongs to the other seller")
	require.Equal(t, order.Paid, h.seen(h.a).Items[0].State)
}

// Two workers of a seller ship one item concurrently. The first one decides; nothing is shipped twice.
func TestShip_concurrentOnOneItem(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for round := range 10 {
		h.no = fmt.Sprintf("RACE-%d", round)
		h.placed = ordertest.New(h.no, ordertest.Epoch, h.a)
		place(t, h.s, h.placed)
		same := round%2 == 0
		results, failures := make([]order.ProcessResult, 2), make([]error, 2)
		var running sync.WaitGroup
		for i := range results {
			running.Go(func() {
				parcel := parcels[i]
				if same {
					parcel = parcels[0]
				}
				results[i], failures[i] = h.ship(h.call(1), parcel)
			})
		}
		running.Wait()
		if failures[0] != nil {
			failures[0], failures[1], results[0] = failures[1], failures[0], results[1]
		}
		require.NoError(t, failures[0])
		if same {
			require.NoError(t, failures[1])
			require.NotEqual(t, results[0].Items[0].AlreadyDone, results[1].Items[0].AlreadyDone)
		} else {
			require.ErrorIs(t, failures[1], apierr.ShipmentStateConflict)
		}
		require.Equal(t, results[0].Items[0].Item.Parcel(), h.seen(h.a).Items[0].Parcel())
	}
	require.Equal(t, 10, h.count("shipments"))
}

// The customer requests a cancel while the seller ships. Exactly one of them succeeds.
func TestShip_concurrentCancel(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for round := range 10 {
		h.no = fmt.Sprintf("RACE-%d", round)
		h.placed = ordertest.New(h.no, ordertest.Epoch, h.a)
		place(t, h.s, h.placed)
		var shipping, opening error
		var running sync.WaitGroup
		running.Go(func() { _, shipping = h.ship(h.call(1), parcels[0]) })
		running.Go(func() { _, opening = h.open(h.hold("C-"+h.no, order.ClaimCancel, 1)) })
		running.Wait()
		item := h.seen(h.a).Items[0]
		if shipping == nil {
			require.ErrorIs(t, opening, apierr.ClaimNotApprovable)
			require.Equal(t, order.Shipping, item.State)
		} else {
			require.ErrorIs(t, shipping, apierr.OrderItemHasActiveClaim)
			require.NoError(t, opening)
		}
		require.Equal(t, opening == nil, item.HasActiveClaim)
	}
}

// A database whose clock is set back, as after a failover, must not give a change a time before an earlier change, nor an order
// an older updated_at.
func TestProcess_timeNeverRunsBackwards(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	ahead := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	for _, statement := range []string{"update seller_orders set updated_at = $1", "update seller_clock set last = $1"} {
		_, err := h.db.Pool.Exec(t.Context(), statement, ahead)
		require.NoError(t, err)
	}
	last := ahead
	for _, step := range []func() (order.ProcessResult, error){
		func() (order.ProcessResult, error) { return h.prepare(h.call(1)) },
		func() (order.ProcessResult, error) { return h.ship(h.call(1), parcels[0]) },
		func() (order.ProcessResult, error) { return h.deliver(h.call(1)) },
	} {
		done := h.must(step())
		require.True(t, done.UpdatedAt.After(last))
		last = done.UpdatedAt
	}
	item := h.seen(h.a).Items[0]
	require.True(t, item.ShippedAt.After(ahead) && item.DeliveredAt.After(item.ShippedAt))
	require.False(t, item.DeliveredAt.After(last))
}

// The same when the clock of one seller of the order is ahead of the other's: an operator's change of the other's item has the
// later time, which the other's next call, its updated_at and its lists must not be behind.
func TestCorrect_oneSellersClockAhead(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	ahead := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	for _, statement := range []string{
		"update seller_orders set updated_at = $1 where seller_id = $2",
		"update seller_clock set last = $1 where seller_id = $2",
	} {
		_, err := h.db.Pool.Exec(t.Context(), statement, ahead, h.b)
		require.NoError(t, err)
	}
	_, err := h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Shipping, Parcel: &parcels[0]}, act("a-1"))
	h.ok(err)
	corrected := h.seen(h.a)
	require.True(t, corrected.Items[0].ShippedAt.After(ahead))
	require.False(t, corrected.UpdatedAt.Before(corrected.Items[0].ShippedAt))
	require.True(t, h.listed(changed(order.Shipping, &ahead, nil)))
	done := h.must(h.deliver(h.call(1)))
	delivered := h.seen(h.a).Items[0]
	require.True(t, delivered.DeliveredAt.After(delivered.ShippedAt))
	require.True(t, done.UpdatedAt.After(corrected.UpdatedAt))
	require.False(t, done.UpdatedAt.Before(delivered.DeliveredAt))
	var behind int
	require.NoError(t, h.db.Pool.QueryRow(t.Context(), `
		select count(*) from seller_orders so join seller_clock c using (seller_id) where c.last < so.updated_at`).Scan(&behind))
	require.Zero(t, behind)
}
