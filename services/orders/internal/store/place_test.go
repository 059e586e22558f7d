package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func itemIDs(p order.Placement) []uuid.UUID {
	var ids []uuid.UUID
	for _, part := range p.Parts {
		for _, line := range part.Lines {
			ids = append(ids, line.ID)
		}
	}
	return ids
}

func rowCount(t *testing.T, db *pgtest.DB, table string) int {
	t.Helper()
	var count int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select count(*) from "+table).Scan(&count))
	return count
}

// Placing the same order again changes nothing and returns the same item ids.
func TestPlace_againChangesNothing(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	a, b := uuid.New(), uuid.New()
	placement := ordertest.New("A-1", ordertest.Epoch, a, b)
	first, err := s.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)
	require.Equal(t, []order.PlaceResult{{Outcome: order.Placed, ItemIDs: itemIDs(placement)}}, first)
	before := walk(t, s, a, order.Filter{}, 50)

	again, err := s.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)
	require.Equal(t, []order.PlaceResult{{Outcome: order.AlreadyPlaced, ItemIDs: itemIDs(placement)}}, again)

	other := ordertest.New("A-1", ordertest.Epoch, a, b)
	conflict, err := s.Place(t.Context(), []order.Placement{other})
	require.NoError(t, err)
	require.Equal(t, []order.PlaceResult{{Outcome: order.PlaceConflict}}, conflict)

	require.Equal(t, before, walk(t, s, a, order.Filter{}, 50), "a repetition changes nothing")
}

// A number that occurs twice in a batch is placed once; other content under it is a conflict.
func TestPlace_numberTwiceInBatch(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	one, other, fresh := ordertest.New("A-1", ordertest.Epoch, seller), ordertest.New("A-1", ordertest.Epoch, seller),
		ordertest.New("A-0", ordertest.Epoch, seller)
	results, err := s.Place(t.Context(), []order.Placement{one, other, fresh, one})
	require.NoError(t, err)
	require.Equal(t, []order.PlaceResult{
		{Outcome: order.Placed, ItemIDs: itemIDs(one)},
		{Outcome: order.PlaceConflict},
		{Outcome: order.Placed, ItemIDs: itemIDs(fresh)},
		{Outcome: order.AlreadyPlaced, ItemIDs: itemIDs(one)},
	}, results)
	require.Equal(t, 2, rowCount(t, db, "orders"))
	require.Equal(t, 2, rowCount(t, db, "lines"))
}

// Items without an id get one and keep it when the order is placed again.
func TestPlace_itemsWithoutIDGetOne(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	placement := ordertest.New("A-1", ordertest.Epoch, seller)
	placement.Parts[0].Lines = []order.Line{ordertest.NewLine(), ordertest.NewLine(), ordertest.NewLine()}
	placement.Parts[0].Lines[0].ID, placement.Parts[0].Lines[2].ID = uuid.Nil, uuid.Nil
	first, err := s.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)
	ids := first[0].ItemIDs
	require.Len(t, ids, 3)
	require.Equal(t, placement.Parts[0].Lines[1].ID, ids[1])
	require.NotContains(t, ids, uuid.Nil)
	again, err := s.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)
	require.Equal(t, ids, again[0].ItemIDs)
	found, err := s.Find(t.Context(), seller, "A-1")
	require.NoError(t, err)
	for i, item := range found.Items {
		require.Equal(t, ids[i], item.ID)
		require.Equal(t, i+1, item.Seq)
	}
}

func TestPlace_itemIDOfAnotherOrder(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	there := ordertest.New("A-1", ordertest.Epoch, seller)
	place(t, s, there)
	taking := ordertest.New("A-3", ordertest.Epoch, uuid.New(), seller)
	taking.Parts[1].Lines = append(taking.Parts[1].Lines, there.Parts[0].Lines[0])
	_, err := s.Place(t.Context(), []order.Placement{ordertest.New("A-2", ordertest.Epoch, seller), taking})
	var taken *order.TakenError
	require.ErrorAs(t, err, &taken)
	require.Equal(t, order.TakenError{Placement: 1, Part: 1, Line: 1}, *taken)
	require.Equal(t, 1, rowCount(t, db, "orders"))
}

// Two callers place overlapping batches concurrently, as a marketplace that repeats a call does. Every order is placed by
// exactly one of them, and the result tells the other so.
func TestPlace_concurrentDuplicates(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	const orders, callers = 40, 6
	placements := make([]order.Placement, orders)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("D-%02d", i), ordertest.Epoch, seller)
	}
	outcomes, sent := make([][]order.PlaceResult, callers), make([][]order.Placement, callers)
	group, ctx := errgroup.WithContext(t.Context())
	for caller := range callers {
		group.Go(func() error {
			mine := append([]order.Placement{}, placements...)
			r := rand.New(rand.NewPCG(uint64(caller), 0))
			r.Shuffle(orders, func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
			sent[caller] = mine
			var err error
			outcomes[caller], err = s.Place(ctx, mine)
			return err
		})
	}
	require.NoError(t, group.Wait())
	placedBy := 0
	for caller, results := range outcomes {
		for i, result := range results {
			require.NotEqual(t, order.PlaceConflict, result.Outcome)
			require.Equal(t, itemIDs(sent[caller][i]), result.ItemIDs)
			if result.Outcome == order.Placed {
				placedBy++
			}
		}
	}
	require.Equal(t, orders, placedBy)
	require.Equal(t, orders, rowCount(t, db, "seller_orders"))
	require.Equal(t, orders, rowCount(t, db, "status_changes"))
}

// The same item id is in two orders that are placed concurrently: one of them is refused with the reason, never with an internal
// error.
func TestPlace_concurrentSameItemID(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	for round := range 10 {
		first, second := ordertest.New(fmt.Sprintf("A-%d", round), ordertest.Epoch, seller),
			ordertest.New(fmt.Sprintf("B-%d", round), ordertest.Epoch, seller)
		second.Parts[0].Lines[0].ID = first.Parts[0].Lines[0].ID
		errs := make(chan error, 2)
		for _, placement := range []order.Placement{first, second} {
			go func() {
				_, err := s.Place(context.WithoutCancel(t.Context()), []order.Placement{placement})
				errs <- err
			}()
		}
		one, other := <-errs, <-errs
		if one == nil {
			one, other = other, one
		}
		require.NoError(t, other)
		var taken *order.TakenError
		require.ErrorAs(t, one, &taken)
	}
}

// Lines in one parcel share its row.
func TestPlace_linesShareParcelRow(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	placement := ordertest.New("A-1", ordertest.Epoch, uuid.New(), uuid.New())
	for p := range placement.Parts {
		placement.Parts[p].Lines = []order.Line{ordertest.NewLine(), ordertest.NewLine(), ordertest.NewLine()}
		for k := range placement.Parts[p].Lines {
			ordertest.History(&placement.Parts[p].Lines[k], ordertest.Epoch, time.Hour, order.Shipping)
		}
	}
	empty := ""
	placement.Parts[1].Lines[1].Shipment.LogisticsCompany = &empty
	placement.Parts[1].Lines[2].Shipment.LogisticsCompany = nil
	place(t, s, placement)
	require.Equal(t, 4, rowCount(t, db, "shipments"))
	require.Equal(t, 2*2, rowCount(t, db, "status_changes"), "items that enter a state together share a row")
	for _, part := range placement.Parts {
		found, err := s.Find(t.Context(), part.SellerID, "A-1")
		require.NoError(t, err)
		for i, item := range found.Items {
			require.Equal(t, part.Lines[i].Shipment.LogisticsCompany, item.LogisticsCompany)
		}
	}
}

// An order whose payment is pending is visible to no seller and sends no notification.
func TestPlace_pendingIsInvisible(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	place(t, s, ordertest.New("P-1", time.Time{}, seller))
	require.Empty(t, walk(t, s, seller, order.Filter{}, 50))
	require.Empty(t, walk(t, s, seller, order.Filter{No: "P-1"}, 50))
	_, err := s.Find(t.Context(), seller, "P-1")
	require.ErrorIs(t, err, apierr.OrderNotFound)
	require.Zero(t, rowCount(t, db, "status_changes"))
	require.Zero(t, rowCount(t, db, "seller_clock"), "no notification is due")
}

// An order is found by its sellers only, and each sees only their own part.
func TestFind_onlyByItsSellers(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	a, b := uuid.New(), uuid.New()
	placement := ordertest.New("A-1", ordertest.Epoch, a, b)
	place(t, s, placement)
	for _, seller := range []uuid.UUID{a, b} {
		found, err := s.Find(t.Context(), seller, "A-1")
		require.NoError(t, err)
		wanted, _ := ordertest.View(&placement, seller)
		wanted.ID, wanted.UpdatedAt = found.ID, found.UpdatedAt
		require.Equal(t, &wanted, found)
	}
	_, err := s.Find(t.Context(), uuid.New(), "A-1")
	require.ErrorIs(t, err, apierr.OrderNotFound)
	_, err = s.Find(t.Context(), a, "a-1")
	require.ErrorIs(t, err, apierr.OrderNotFound)
}

// A batch of thousands of orders is placed in one transaction.
func TestPlace_thousandsInOneTransaction(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	db.Config.StatementTimeout = time.Minute // on a loaded machine thousands of rows take a while
	s := New(db.Open(t, telemetrytest.Discard(t)), order.DefaultTerms())
	r := rand.New(rand.NewPCG(5, 6))
	sellers := []uuid.UUID{uuid.New(), uuid.New(), uuid.New(), uuid.New()}
	placements := make([]order.Placement, 5000)
	for i := range placements {
		placements[i] = ordertest.Random(r, fmt.Sprintf("B-%05d", i), sellers)
	}
	started := time.Now()
	place(t, s, placements...)
	t.Logf("placed %d orders with %d lines in %s", len(placements), rowCount(t, db, "lines"),
		time.Since(started).Round(time.Millisecond))
	require.Equal(t, len(placements), rowCount(t, db, "order_numbers"))
	var transactions int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select count(distinct xmin::text) from seller_orders").Scan(&transactions))
	require.Equal(t, 1, transactions)
}

// The time is that of the database, in UTC.
func TestNow_timeOfDatabase(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	now, err := s.Now(t.Context())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), now, time.Minute)
	require.Equal(t, time.UTC, now.Location())
}
