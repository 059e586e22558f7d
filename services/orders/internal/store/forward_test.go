package store

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// follower keeps a copy of a seller's orders, as a client does that reads forwards.
type follower struct {
	s      *Store
	seller uuid.UUID
	after  paging.Position
	copied map[uuid.UUID]order.Order
}

func newFollower(s *Store, seller uuid.UUID) *follower {
	return &follower{s: s, seller: seller, after: paging.Beginning(), copied: map[uuid.UUID]order.Order{}}
}

// read reads a page, and stores it with the position after it. It reports whether there was more.
func (f *follower) read(t *testing.T, limit int) bool {
	t.Helper()
	page, err := f.s.Forward(context.WithoutCancel(t.Context()), f.seller, f.after, limit)
	require.NoError(t, err)
	require.LessOrEqual(t, len(page.Rows), limit)
	for _, o := range page.Rows {
		require.NotContains(t, o.No, "CANARY")
		require.True(t, o.UpdatedAt.After(f.copied[o.ID].UpdatedAt), "each version comes once, in the order of the changes")
		f.copied[o.ID] = o
	}
	f.after = page.End
	return page.More
}

func (f *follower) requireExact(t *testing.T) {
	t.Helper()
	for more := true; more; {
		more = f.read(t, 7)
	}
	all := walk(t, f.s, f.seller, order.Filter{}, 100)
	require.NotEmpty(t, all)
	require.Len(t, f.copied, len(all))
	for _, o := range all {
		require.Equal(t, o, f.copied[o.ID])
	}
}

// What is read forwards is what the list has, from its end, also among equal times. A time begins with the changes at that time.
func TestForward_listFromItsEnd(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	for _, prefix := range []string{"A", "B", "C"} {
		place(t, s,
			ordertest.New(prefix+"-1", ordertest.Epoch, seller),
			ordertest.New(prefix+"-2", ordertest.Epoch, seller, uuid.New()),
			ordertest.New(prefix+"-UNPAID", time.Time{}, seller), ordertest.New(prefix+"-CANARY", ordertest.Epoch, uuid.New()))
	}
	all := walk(t, s, seller, order.Filter{}, 100)
	require.Len(t, all, 6)
	for _, limit := range []int{1, 4, 6, 100} {
		var got []order.Order
		for after, more := paging.Beginning(), true; more; {
			page, err := s.Forward(t.Context(), seller, after, limit)
			require.NoError(t, err)
			got, after, more = append(got, page.Rows...), page.End, page.More
		}
		require.Len(t, got, len(all))
		for n := range got {
			require.Equal(t, all[len(all)-1-n], got[n])
		}
	}
	page, err := s.Forward(t.Context(), seller, paging.Since(all[1].UpdatedAt), 10)
	require.NoError(t, err)
	require.Equal(t, []order.Order{all[1], all[0]}, page.Rows, "both have one time")
	page, err = s.Forward(t.Context(), seller, paging.Since(all[0].UpdatedAt.Add(time.Hour)), 10)
	require.NoError(t, err)
	require.Empty(t, page.Rows)
	require.Equal(t, page.Clock, page.End.UpdatedAt, "no later than the clock")
}

// A reader that stores page and position together has an exact copy, however many writers there are between its pages.
func TestForward_copyEqualsList(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	sellers := []uuid.UUID{uuid.New(), uuid.New()}
	group := writers(t.Context(), s, 15, uuid.New(), sellers...)
	var over atomic.Bool
	finished := make(chan error, 1)
	go func() {
		err := group.Wait()
		over.Store(true)
		finished <- err
	}()
	f := newFollower(s, sellers[0])
	for !over.Load() {
		f.read(t, 3)
	}
	require.NoError(t, <-finished)
	f.requireExact(t)
}

// A reader sees every change that was acknowledged before, wherever its pages are read.
func TestForward_replica(t *testing.T) {
	t.Parallel()
	s, pair, pages := replicated(t)
	h := newShopOn(t, s, &pair.DB)
	calls := h.ordersOf(4)
	f := newFollower(s, h.a)
	f.requireExact(t)
	pair.Pause(t)
	for _, call := range calls {
		h.must(s.ShipAlone(t.Context(), call, parcels[0]))
		require.False(t, f.read(t, 100))
		f.requireExact(t)
	}
	require.Positive(t, pages("primary_behind"))
	pair.Resume(t)
	f.requireExact(t)
	require.Positive(t, pages("replica"))
}

// A page forwards is served by the index of the list alone, from the beginning and from far inside, also by a plan that was made
// for empty tables.
func TestForward_servedByIndex(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	empty := filled{db: db, secured: db.AsService(t), seller: uuid.New(), now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	for size, f := range map[string]filled{"empty": empty, "many": fill(t, filledOrders)} {
		for name, after := range map[string]paging.Position{
			"beginning": paging.Beginning(), "inside": paging.Since(f.now.Add(-700 * 24 * time.Hour)),
		} {
			statement, args := forwardStatement(f.seller, after, 51)
			root := f.explain(t, statement, args)
			if size == "many" {
				requireServed(t, root, "seller_orders_latest", flatCost, name)
				continue
			}
			require.Contains(t, root.indexes(), "seller_orders_latest", name)
			root.visit(func(node plan) { require.NotContains(t, fullReads, node.Type, name) })
		}
	}
}
