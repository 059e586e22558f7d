package store

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// street are orders of one seller, one item each.
func (h *shop) street(n int) []Process {
	h.t.Helper()
	placements, calls := make([]order.Placement, n), make([]Process, n)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("S-%03d", i), ordertest.Epoch, h.a)
		calls[i] = Process{SellerID: h.a, OrderNo: placements[i].No, ItemIDs: []string{placements[i].Parts[0].Lines[0].ID.String()}}
	}
	place(h.t, h.s, placements...)
	return calls
}

// endless is an instant that does not grow old while a test runs.
func (h *shop) endless() *Instant {
	h.t.Helper()
	i := &Instant{}
	_, err := i.of(h.t.Context(), h.db.Pool, h.a)
	require.NoError(h.t, err)
	i.taken = time.Now().Add(time.Hour)
	return i
}

func TestOrdersShippedAtOneInstantHaveItsTime(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.street(3)
	instant := h.endless()
	for _, call := range calls {
		done := h.must(h.s.ShipAlone(t.Context(), instant, call, parcels[0]))
		require.Equal(t, instant.at, done.UpdatedAt)
		h.no = call.OrderNo
		require.Equal(t, instant.at, h.seen(h.a).UpdatedAt)
		require.Equal(t, instant.at, h.seen(h.a).Items[0].ShippedAt)
	}
	requireSpans(t, h.db)
}

// A change is never given a time at or before that of an earlier change of the order, no matter who shares what.
func TestInstant_laterForChangedOrder(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.street(2)
	instant := h.endless()
	prepared := h.must(h.prepare(calls[0]))
	require.True(t, prepared.UpdatedAt.After(instant.at))
	shipped := h.must(h.s.ShipAlone(t.Context(), instant, calls[0], parcels[0]))
	require.True(t, shipped.UpdatedAt.After(prepared.UpdatedAt))
	require.True(t, shipped.Items[0].Item.ShippedAt.After(prepared.UpdatedAt))

	// The clock has gone on, so another order that shares the instant gets what the clock shows now.
	other := h.must(h.s.ShipAlone(t.Context(), instant, calls[1], parcels[0]))
	require.Equal(t, shipped.UpdatedAt, other.UpdatedAt)
	require.Equal(t, instant.at, other.Items[0].Item.ShippedAt)
}

func TestAnOrderOfSeveralSellersSharesNoInstant(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	instant := h.endless()
	before := h.seen(h.b).UpdatedAt
	done := h.must(h.s.ShipAlone(t.Context(), instant, h.call(1), parcels[0]))
	require.True(t, done.UpdatedAt.After(instant.at))
	require.True(t, h.seen(h.b).UpdatedAt.After(before))
}

func TestAnInstantThatIsTooOldIsTakenAnew(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	instant := &Instant{}
	first, err := instant.of(t.Context(), h.db.Pool, h.a)
	require.NoError(t, err)
	instant.taken = instant.taken.Add(-instantLife)
	second, err := instant.of(t.Context(), h.db.Pool, h.a)
	require.NoError(t, err)
	require.True(t, second.After(first))
}

// The promise of the clock: once someone can see a later time, everything with an earlier one can be seen too.
func TestInstant_clockWaitsForSharers(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.street(2)
	instant := h.endless()
	ctx := t.Context()
	sharing, err := h.db.Pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = sharing.Rollback(context.WithoutCancel(ctx)) }()
	o, err := lockOrder(ctx, sharing, h.a, calls[0].OrderNo, h.a)
	require.NoError(t, err)
	require.True(t, happenAt(o, instant.at))
	decided, err := o.Ship(h.a, calls[0].ItemIDs, parcels[0])
	require.NoError(t, err)
	_, err = h.s.saveWith(ctx, sharing, o, &decided.Plan, queueSharedStamp)
	require.NoError(t, err)

	ticked := make(chan time.Time, 1)
	go func() {
		var later Instant
		at, err := later.of(ctx, h.db.Pool, h.a)
		if err == nil {
			ticked <- at
		}
	}()
	require.Eventually(t, func() bool {
		var waiting bool
		err := h.db.Pool.QueryRow(ctx, "select exists (select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)))",
			sharing.Conn().PgConn().PID()).Scan(&waiting)
		return err == nil && waiting
	}, 10*time.Second, 5*time.Millisecond)
	require.Empty(t, ticked)
	other := h.must(h.s.ShipAlone(ctx, instant, calls[1], parcels[0]))
	require.Equal(t, instant.at, other.UpdatedAt, "others who share do not wait")
	require.NoError(t, sharing.Commit(ctx))
	require.True(t, (<-ticked).After(instant.at))
}

// Many ship at shared instants, others tick the clock beside them. A client that asks for "changed since the largest updated_at
// that I have seen" gets all of it.
func TestAStrictPollerMissesNothingThatSharesAnInstant(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.street(240)
	group, ctx := errgroup.WithContext(t.Context())
	var next atomic.Int64
	for batch := range 2 {
		instant := &Instant{}
		for range 4 {
			group.Go(func() error {
				for n := next.Add(1) - 1; int(n) < len(calls); n = next.Add(1) - 1 {
					if _, err := h.s.ShipAlone(ctx, instant, calls[n], parcels[batch]); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	group.Go(func() error {
		for n := 0; int(next.Load()) < len(calls); n++ {
			if _, err := h.s.Place(ctx, []order.Placement{ordertest.New(fmt.Sprintf("T-%d", n), ordertest.Epoch, h.a)}); err != nil {
				return err
			}
		}
		return nil
	})
	requireNothingMissed(t, h.s, h.a, group)
}

// What could not be done leaves nothing behind: no effect, and no connection in a transaction.
func TestShipAlone_failureLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	call := h.street(1)[0]
	_, err := h.db.Pool.Exec(t.Context(), "alter table status_changes add constraint nothing_happens check (to_status <> 'shipping')")
	require.NoError(t, err)
	instant := h.endless()
	_, err = h.s.ShipAlone(t.Context(), instant, call, parcels[0])
	require.True(t, postgres.Violates(err, "nothing_happens"))
	unknown := call
	unknown.OrderNo = "UNKNOWN"
	_, err = h.s.ShipAlone(t.Context(), instant, unknown, parcels[0])
	require.ErrorIs(t, err, apierr.OrderNotFound)
	require.Zero(t, h.count("shipments"))
	require.Zero(t, h.db.Pool.Stat().AcquiredConns())
	for _, conn := range h.db.Pool.AcquireAllIdle(t.Context()) {
		require.Equal(t, byte('I'), conn.Conn().PgConn().TxStatus())
		conn.Release()
	}
}
