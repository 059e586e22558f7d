package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// orderTables are all tables with rows of an order, except the directories.
var orderTables = []string{
	"orders", "seller_orders", "shipments", "lines", "status_changes", "operator_acts", "claim_holds", "claim_hold_items", "claim_touches",
}

// ended returns an order of two sellers with every kind of change: a part of an item was returned, an operator has corrected another
// and confirmed it, the third was confirmed by the customer.
func ended(t *testing.T) *shop {
	t.Helper()
	h := opened(t, order.ClaimReturn, 1)
	ctx := t.Context()
	h.ok(h.s.Touch(ctx, "C-1", "collecting"))
	_, err := h.s.Settle(ctx, "C-1")
	h.ok(err)
	_, err = h.s.Correct(ctx, h.no, h.id(2).String(), order.Correction{To: order.Shipping, Parcel: &parcels[1]}, act("a-1"))
	h.ok(err)
	h.must(h.deliver(h.call(2)))
	other := Process{SellerID: h.b, OrderNo: h.no, ItemIDs: []string{h.id(3).String()}}
	h.must(h.s.ShipAlone(ctx, other, parcels[0]))
	_, err = h.s.Correct(ctx, h.no, h.id(3).String(), order.Correction{To: order.Delivered, Parcel: &parcels[0]}, act("a-2"))
	h.ok(err)
	operator := act("a-3")
	_, err = h.s.Confirm(ctx, h.no, []string{h.id(2).String()}, &operator)
	h.ok(err)
	_, err = h.s.Confirm(ctx, h.no, []string{h.id(1).String(), h.id(3).String()}, nil)
	h.ok(err)
	return h
}

// archive archives the order, however recently it was changed.
func (h *shop) archive() *shop {
	h.t.Helper()
	archived, err := h.s.Archive(h.t.Context(), DueOrder{SellerID: h.a, OrderNo: h.no}, 0)
	require.NoError(h.t, err)
	require.True(h.t, archived)
	return h
}

// rows returns all rows of the order, by table, as the database prints them.
func (h *shop) rows() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	for _, table := range orderTables {
		var text string
		err := h.db.Pool.QueryRow(h.t.Context(), "select coalesce(json_agg(t order by t::text), '[]')::text from "+table+" t").Scan(&text)
		require.NoError(h.t, err, table)
		all[table] = text
	}
	return all
}

// The detail is the same as before, for each seller of the order, and the lists no longer show it. All rows except those of the
// directories are gone, and come back unchanged.
func TestArchive_detailStaysListsEnd(t *testing.T) {
	t.Parallel()
	h := ended(t)
	before, rows := map[uuid.UUID]*order.Order{h.a: h.seen(h.a), h.b: h.seen(h.b)}, h.rows()
	h.archive()
	for seller, seen := range before {
		require.Equal(t, seen, h.seen(seller))
		require.Empty(t, walk(t, h.s, seller, order.Filter{}, 10))
		require.Empty(t, walk(t, h.s, seller, order.Filter{No: h.no}, 10))
	}
	for _, table := range orderTables {
		require.NotEqual(t, "[]", rows[table], "%s has rows before", table)
		require.Zero(t, h.count(table), table)
	}
	require.Equal(t, 2, h.count("archived_orders"))
	require.Equal(t, []int{1, 4, 1, 1, 3}, []int{
		h.count("order_numbers"), h.count("item_ids"), h.count("member_orders"), h.count("hold_numbers"), h.count("act_ids"),
	})

	h.read() // as a writer does
	require.Equal(t, rows, h.rows())
	require.Zero(t, h.count("archived_orders"))
}

// Only an order that can no longer change is archived, with all its parts, and only after its time.
func TestArchive_whatHasNotEnded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		shop  func(*testing.T) *shop
		after time.Duration
	}{
		"delivered":        {shop: func(t *testing.T) *shop { t.Helper(); return newShop(t).delivered() }},
		"claimed":          {shop: func(t *testing.T) *shop { t.Helper(); return opened(t, order.ClaimReturn, 1) }},
		"changed recently": {shop: ended, after: time.Hour},
		"another's item open": {shop: func(t *testing.T) *shop {
			t.Helper()
			h := newShop(t).delivered()
			_, err := h.s.Confirm(t.Context(), h.no, h.call(1, 2).ItemIDs, nil)
			h.ok(err)
			return h
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := test.shop(t)
			archived, err := h.s.Archive(t.Context(), DueOrder{SellerID: h.a, OrderNo: h.no}, test.after)
			require.NoError(t, err)
			require.False(t, archived)
			require.Zero(t, h.count("archived_orders"))
		})
	}
}

// The sweep finds an order by its home once its time has come, archives it once, and leaves orders that have not ended.
func TestArchiveEnded_sweep(t *testing.T) {
	t.Parallel()
	h := ended(t)
	place(t, h.s, ordertest.New("O-2", ordertest.Epoch, h.a))
	for after, archived := range map[time.Duration]int{time.Hour: 0, time.Nanosecond: 2} {
		sweeper := sweep.New(h.s.ArchiveEnded(after), telemetrytest.Discard(t))
		for range 2 {
			more, err := sweeper.Once(t.Context())
			require.NoError(t, err)
			require.False(t, more)
		}
		if after == time.Nanosecond {
			require.Equal(t, archived, h.count("archived_orders"))
		}
	}
	require.Equal(t, 1, h.count("orders"))
	again, err := h.s.Archive(t.Context(), DueOrder{SellerID: h.a, OrderNo: h.no}, 0)
	require.NoError(t, err)
	require.False(t, again, "the order is restored already")
}

// However many orders cannot be archived because another seller's items have not ended, those behind them are.
func TestArchiveEnded_behindUnfinished(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	home, other := uuid.New(), uuid.New()
	end := func(part *order.Part) {
		ordertest.History(&part.Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered, order.Confirmed)
	}
	for i := range 51 {
		o := ordertest.New(fmt.Sprintf("O-%d", i), ordertest.Epoch, home, other)
		end(&o.Parts[0])
		if i == 50 {
			end(&o.Parts[1])
		}
		place(t, s, o)
	}
	find, done := s.ArchiveEnded(0).Find, 0
	for range 52 / 2 {
		items, err := find(t.Context(), 2)
		require.NoError(t, err)
		for _, item := range items {
			if err := item.Do(t.Context()); err == nil {
				done++
			} else {
				require.ErrorIs(t, err, sweep.ErrSkipped, item.Key)
			}
		}
	}
	require.Equal(t, 1, done)
	var archived []string
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select array_agg(distinct order_no) from archived_orders").Scan(&archived))
	require.Equal(t, []string{"O-50"}, archived)
}

// Orders that changed at one instant are not torn apart: none is left between two searches.
func TestEndedOrders_ofOneInstant(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	for i := range 5 {
		o := ordertest.New(fmt.Sprintf("O-%d", i), ordertest.Epoch, uuid.New())
		ordertest.History(&o.Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered, order.Confirmed)
		place(t, s, o)
	}
	_, err := db.Pool.Exec(t.Context(), `update seller_orders set updated_at = case when order_id in
		(select order_id from orders where order_no < 'O-4') then timestamptz '2026-01-02' else timestamptz '2026-01-03' end`)
	require.NoError(t, err)
	first, err := s.EndedOrders(t.Context(), 0, 2, EndedOrder{})
	require.NoError(t, err)
	require.Len(t, first, 4)
	next, err := s.EndedOrders(t.Context(), 0, 2, first[3])
	require.NoError(t, err)
	require.Len(t, next, 1)
	require.Equal(t, "O-4", next[0].OrderNo)
}

// After an operator brings an order back, the lists show it as just changed; an order that is not archived stays unchanged.
func TestBringBack_changedAndListed(t *testing.T) {
	t.Parallel()
	h := ended(t)
	back, err := h.s.BringBack(t.Context(), h.no)
	require.NoError(t, err)
	require.False(t, back)
	before := h.seen(h.a)
	h.archive()
	back, err = h.s.BringBack(t.Context(), h.no)
	require.NoError(t, err)
	require.True(t, back)
	after := h.seen(h.a)
	require.True(t, after.UpdatedAt.After(before.UpdatedAt))
	require.True(t, h.listed(order.Filter{}))
	before.UpdatedAt = after.UpdatedAt
	require.Equal(t, before, after)
}

// A member's data are deleted everywhere, also from an archive that was written later.
func TestForget_archivedOrder(t *testing.T) {
	t.Parallel()
	h := ended(t).archive()
	forgotten, err := h.s.Forget(t.Context(), h.placed.MemberID)
	require.NoError(t, err)
	require.Equal(t, 1, forgotten)
	require.Zero(t, h.seen(h.a).Contact)
	h.archive()
	require.Zero(t, h.seen(h.b).Contact)
	var kept []string
	require.NoError(t, h.db.Pool.QueryRow(t.Context(), "select array_agg(content::text) from archived_orders").Scan(&kept))
	for _, text := range kept {
		require.NotContains(t, text, h.placed.Contact.RecipientName)
		require.NotContains(t, text, h.placed.Contact.Address1)
	}
}

// A reader gets the same result while an order moves to and from the archive.
func TestArchive_racesReadersAndWriters(t *testing.T) {
	t.Parallel()
	h := ended(t)
	ctx, before := t.Context(), h.seen(h.b)
	var wg sync.WaitGroup
	failures := make(chan error, 400)
	for range 4 {
		wg.Go(func() {
			for range 15 {
				_, err := h.s.Archive(ctx, DueOrder{SellerID: h.a, OrderNo: h.no}, 0)
				failures <- err
			}
		})
		wg.Go(func() {
			for range 15 {
				_, err := h.deliver(h.call(1, 2))
				failures <- err
				failures <- h.s.Touch(ctx, "C-1", "collecting")
			}
		})
		wg.Go(func() {
			for range 30 {
				found, err := h.s.Find(context.WithoutCancel(ctx), h.b, h.no)
				if err == nil && !sameOrder(found, before) {
					err = fmt.Errorf("found %+v", found)
				}
				failures <- err
			}
		})
	}
	wg.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
}

// sameOrder reports whether two views are equal.
func sameOrder(a, b *order.Order) bool {
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return string(first) == string(second)
}
