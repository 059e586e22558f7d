package store

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func (h *shop) ordersOf(n int) []order.ProcessCommand {
	h.t.Helper()
	placements, calls := make([]order.Placement, n), make([]order.ProcessCommand, n)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("S-%03d", i), ordertest.Epoch, h.a)
		calls[i] = order.ProcessCommand{
			SellerID: h.a, OrderNo: placements[i].No, ItemIDs: []string{placements[i].Parts[0].Lines[0].ID.String()},
		}
	}
	place(h.t, h.s, placements...)
	return calls
}

func inParcel(n int, calls ...order.ProcessCommand) []order.ShipCommand {
	shipments := make([]order.ShipCommand, len(calls))
	for i, call := range calls {
		shipments[i] = order.ShipCommand{ProcessCommand: call, Parcel: parcels[n]}
	}
	return shipments
}

// Orders that are shipped together get the same result as if each had been shipped alone, at one time.
func TestShipTogether_asAlone(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.ordersOf(4)
	alone := h.must(h.s.ShipAlone(t.Context(), calls[3], parcels[0]))
	before := alone.UpdatedAt

	outcomes, err := h.s.ShipTogether(t.Context(), h.a, inParcel(0, calls...))
	require.NoError(t, err)
	for i, outcome := range outcomes[:3] {
		require.NoError(t, outcome.Err)
		h.no = calls[i].OrderNo
		seen := h.seen(h.a)
		require.Equal(t, alone.Status, seen.Status)
		require.Equal(t, order.ProcessResult{
			OrderNo: h.no, Status: order.StatusShipping, UpdatedAt: seen.UpdatedAt,
			Items: []order.ProcessedItem{{Item: outcome.Done.Items[0].Item}},
		}, outcome.Done)
		require.Equal(t, outcomes[0].Done.UpdatedAt, seen.UpdatedAt, "one tick of the clock")
		require.True(t, seen.UpdatedAt.After(before))
		item := seen.Items[0]
		require.Equal(t, parcels[0], item.Parcel())
		require.False(t, item.ShippedAt.After(seen.UpdatedAt))
		entered := order.ChangeFilter{To: order.Shipping, At: order.Range{From: &item.ShippedAt, Until: &item.ShippedAt}}
		require.Contains(t, numbers(walk(t, h.s, h.a, order.Filter{Change: &entered}, 10)), h.no)
	}
	require.NoError(t, outcomes[3].Err)
	require.True(t, outcomes[3].Done.Items[0].AlreadyDone)
	require.Equal(t, before, outcomes[3].Done.UpdatedAt, "an unchanged order keeps updated_at")
	require.Equal(t, 4, h.count("shipments"))
}

// A refusal affects its order only, and nothing of that order is written.
func TestShipTogether_refusals(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.ordersOf(4)
	h.must(h.s.ShipAlone(t.Context(), calls[0], parcels[1]))
	h.no = calls[1].OrderNo
	held := h.hold("C-1", order.ClaimCancel, 1)
	held.Items[0].ItemID = uuid.MustParse(calls[1].ItemIDs[0])
	_, err := h.open(held)
	require.NoError(t, err)
	calls[2].ItemIDs = []string{"not-an-id"}

	outcomes, err := h.s.ShipTogether(t.Context(), h.a, inParcel(0, calls...))
	require.NoError(t, err)
	require.ErrorIs(t, outcomes[0].Err, apierr.ShipmentStateConflict)
	require.ErrorIs(t, outcomes[1].Err, apierr.OrderItemHasActiveClaim)
	require.ErrorIs(t, outcomes[2].Err, apierr.OrderItemNotFound)
	require.NoError(t, outcomes[3].Err)
	require.Equal(t, 2, h.count("shipments"))
}

// Orders of several sellers and locked ones are left to separate calls, which the batch does not wait for. Orders of
// other sellers and unknown ones are reported as not found without a separate call.
func TestShipTogether_apart(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.ordersOf(2)
	unknown := calls[0]
	unknown.OrderNo = "UNKNOWN"
	place(t, h.s, ordertest.New("OTHERS", ordertest.Epoch, h.b))
	others := calls[0]
	others.OrderNo = "OTHERS"
	locking, err := h.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = locking.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = lockOrder(t.Context(), locking, h.a, calls[1].OrderNo, h.a)
	require.NoError(t, err)

	outcomes, err := h.s.ShipTogether(t.Context(), h.a, inParcel(0, h.call(1), calls[1], unknown, others, calls[0]))
	require.NoError(t, err)
	for i, want := range []error{order.ErrApart, order.ErrApart, apierr.OrderNotFound, apierr.OrderNotFound, nil} {
		require.ErrorIs(t, outcomes[i].Err, want, "%d", i)
	}
	require.Equal(t, 1, h.count("shipments"))
}

// A database whose clock is set back gives orders that are shipped together no time before that of an earlier change.
func TestShipTogether_clockSetBack(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.ordersOf(2)
	ahead := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	for _, statement := range []string{"update seller_orders set updated_at = $1", "update seller_clock set last = $1"} {
		_, err := h.db.Pool.Exec(t.Context(), statement, ahead)
		require.NoError(t, err)
	}
	outcomes, err := h.s.ShipTogether(t.Context(), h.a, inParcel(0, calls...))
	require.NoError(t, err)
	for _, outcome := range outcomes {
		item := outcome.Done.Items[0].Item
		require.True(t, item.ShippedAt.After(ahead))
		require.False(t, item.ShippedAt.After(outcome.Done.UpdatedAt))
	}
}

// Two batches of one seller ship the same orders in opposite order: there is no deadlock, and each order is shipped once.
func TestShipTogether_sameOrders(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := h.ordersOf(40)
	var group errgroup.Group
	for range 4 {
		group.Go(func() error {
			for shipments := inParcel(0, calls...); len(shipments) > 0; shipments = shipments[10:] {
				if _, err := h.s.ShipTogether(t.Context(), h.a, shipments[:10]); err != nil {
					return err
				}
			}
			return nil
		})
		group.Go(func() error {
			for shipments := inParcel(0, calls...); len(shipments) > 0; shipments = shipments[:len(shipments)-10] {
				if _, err := h.s.ShipTogether(t.Context(), h.a, shipments[len(shipments)-10:]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	for _, call := range calls { // orders that were locked each time were left out
		h.must(h.s.ShipAlone(t.Context(), call, parcels[0]))
	}
	require.Equal(t, len(calls), h.count("shipments"))
}

// Many transactions ship in groups while others advance the clock. A client that asks for "changed since the largest updated_at
// that I have seen" gets all changes.
func TestShipTogether_strictPoller(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	shipments := inParcel(0, h.ordersOf(240)...)
	group, ctx := errgroup.WithContext(t.Context())
	var next atomic.Int64
	for range 4 {
		group.Go(func() error {
			for n := int(next.Add(1) - 1); n*8 < len(shipments); n = int(next.Add(1) - 1) {
				if _, err := h.s.ShipTogether(ctx, h.a, shipments[n*8:n*8+8]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for n := 0; int(next.Load())*8 < len(shipments); n++ {
			if _, err := h.s.Place(ctx, []order.Placement{ordertest.New(fmt.Sprintf("T-%d", n), ordertest.Epoch, h.a)}); err != nil {
				return err
			}
		}
		return nil
	})
	requireNothingMissed(t, h.s, h.a, group)
}

// A failure leaves nothing behind: no change of any order, and no connection in a transaction.
func TestShipTogether_failureLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	shipments := inParcel(0, h.ordersOf(3)...)
	_, err := h.db.Pool.Exec(t.Context(),
		"alter table status_changes add constraint nothing_happens check (not (to_status = 'shipping' and '"+
			shipments[1].ItemIDs[0]+"' = any (item_ids)))")
	require.NoError(t, err)
	_, err = h.s.ShipTogether(t.Context(), h.a, shipments)
	require.True(t, postgres.Violates(err, "nothing_happens"))
	require.Zero(t, h.count("shipments"))
	require.Zero(t, h.db.Pool.Stat().AcquiredConns())
	for _, conn := range h.db.Pool.AcquireAllIdle(t.Context()) {
		require.Equal(t, byte('I'), conn.Conn().PgConn().TxStatus())
		conn.Release()
	}
}

// Orders whose transaction is lost are not reported as shipped, even if its commit may have been executed; and sent again they
// are shipped once.
func TestShipTogether_cut(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{"begin", "LockOwn", "SaveItem", "commit"} {
		for _, way := range pgtest.Ways() {
			t.Run(statement+" "+string(way), func(t *testing.T) {
				t.Parallel()
				h := newShop(t)
				pool, cutter := h.db.OpenCut(t)
				s := New(pool, order.DefaultTerms())
				calls := h.ordersOf(4)
				_, err := s.ShipTogether(t.Context(), h.a, inParcel(0, calls[:2]...)) // statements are prepared now
				require.NoError(t, err)
				cutter.Cut(statement, way)
				_, err = s.ShipTogether(t.Context(), h.a, inParcel(1, calls[2:]...))
				require.ErrorIs(t, err, apierr.Unavailable)
				require.Zero(t, cutter.Pending())
				cutter.AwaitEnd(t) // an order that is still locked would be left to a separate transaction
				again, err := s.ShipTogether(t.Context(), h.a, inParcel(1, calls[2:]...))
				require.NoError(t, err)
				for _, outcome := range again {
					require.NoError(t, outcome.Err)
					require.Equal(t, statement == "commit" && way == pgtest.Unanswered, outcome.Done.Items[0].AlreadyDone)
					require.Equal(t, string(parcels[1].TrackingNo), outcome.Done.Items[0].Item.TrackingNo)
				}
			})
		}
	}
}
