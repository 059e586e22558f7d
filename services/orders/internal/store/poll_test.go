package store

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// writers place orders, paid and unpaid, of all the sellers, and pay the unpaid ones, until the rounds are over. canary has
// orders of its own.
func writers(ctx context.Context, s *Store, rounds int, canary uuid.UUID, sellers ...uuid.UUID) *errgroup.Group {
	group, ctx := errgroup.WithContext(ctx)
	for writer := range 6 {
		group.Go(func() error {
			for round := range rounds {
				prefix := fmt.Sprintf("W-%d-%d", writer, round)
				now, err := s.Now(ctx)
				if err != nil {
					return err
				}
				// Each writer names the sellers in another order: the clocks must still be locked in the same order.
				mine := append(append([]uuid.UUID{}, sellers[writer%len(sellers):]...), sellers[:writer%len(sellers)]...)
				batch := []order.Placement{
					ordertest.New(prefix+"-A", now, mine...), ordertest.New(prefix+"-B", time.Time{}, mine...),
					ordertest.New(prefix+"-C", now, mine[0]), ordertest.New(prefix+"-CANARY", now, canary),
				}
				if _, err := s.Place(ctx, batch); err != nil {
					return err
				}
				if _, err := s.EndPayment(ctx, prefix+"-B", order.PaymentPaid, now); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group
}

// A client polls with "changed since the largest updated_at that I have seen". Whatever is written concurrently, it misses
// nothing.
func TestList_strictPollerMissesNothing(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	sellers := []uuid.UUID{uuid.New(), uuid.New()}
	canary := uuid.New()
	group := writers(t.Context(), s, 25, canary, sellers...)
	requireNothingMissed(t, s, sellers[0], group)
}

// requireNothingMissed polls strictly until the writers have finished, and fails if it has not seen the final state of
// everything.
func requireNothingMissed(t *testing.T, s *Store, seller uuid.UUID, group *errgroup.Group) {
	t.Helper()
	var over atomic.Bool
	finished := make(chan error, 1)
	go func() {
		err := group.Wait()
		over.Store(true)
		finished <- err
	}()

	seen := map[string]time.Time{}
	since := time.Time{}
	for last := false; !last; {
		last = over.Load() // one more poll after the end
		filter := order.Filter{Updated: order.Range{From: ptr(since)}}
		for _, o := range walk(t, s, seller, filter, 7) {
			require.NotContains(t, o.No, "CANARY")
			seen[o.No] = o.UpdatedAt
			if o.UpdatedAt.After(since) {
				since = o.UpdatedAt
			}
		}
	}
	require.NoError(t, <-finished)

	there := walk(t, s, seller, order.Filter{}, 100)
	require.NotEmpty(t, there)
	var missed []string
	for _, o := range there {
		if !o.UpdatedAt.Equal(seen[o.No]) {
			missed = append(missed, o.No)
		}
	}
	require.Empty(t, missed, "of %d", len(there))
}

// A walk through pages of any size, during concurrent writes: no order occurs twice, none that existed before and did not
// change is missing, and none is another seller's.
func TestList_walkAmongWriters(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller, canary := uuid.New(), uuid.New()
	there := make([]order.Placement, 120)
	for i := range there {
		there[i] = ordertest.New(fmt.Sprintf("T-%03d", i), ordertest.Epoch, seller)
	}
	// Three batches: 40 orders each share one updated_at.
	place(t, s, there[:40]...)
	place(t, s, there[40:80]...)
	place(t, s, there[80:]...)
	group := writers(t.Context(), s, 15, canary, seller, uuid.New())
	for _, limit := range []int{1, 3, 7, 50, 100} {
		seen := map[string]bool{}
		var last *order.Order
		for _, o := range walk(t, s, seller, order.Filter{}, limit) {
			require.False(t, seen[o.No], "%s came twice in pages of %d", o.No, limit)
			require.NotContains(t, o.No, "CANARY")
			seen[o.No] = true
			if last != nil {
				require.True(t, o.UpdatedAt.Before(last.UpdatedAt) || o.UpdatedAt.Equal(last.UpdatedAt) &&
					bytes.Compare(o.ID[:], last.ID[:]) < 0)
			}
			last = &o
		}
		for _, placement := range there {
			require.True(t, seen[placement.No], "%s is missing in pages of %d", placement.No, limit)
		}
	}
	require.NoError(t, group.Wait())
}

// An order that changes during a client's walk moves to the front and does not occur again after the position.
func TestList_changedOrderIsNotMetTwice(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	for i := range 5 {
		place(t, s, ordertest.New(fmt.Sprintf("C-%d", i), ordertest.Epoch, seller))
	}
	place(t, s, ordertest.New("C-PENDING", time.Time{}, seller))
	first, err := s.List(t.Context(), seller, order.Filter{}, nil, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"C-4", "C-3"}, numbers(first.Rows))
	_, err = s.EndPayment(t.Context(), "C-PENDING", order.PaymentPaid, ordertest.Epoch)
	require.NoError(t, err)
	second, err := s.List(t.Context(), seller, order.Filter{}, first.Next, 50)
	require.NoError(t, err)
	require.Equal(t, []string{"C-2", "C-1", "C-0"}, numbers(second.Rows))
	require.Equal(t, "C-PENDING", walk(t, s, seller, order.Filter{}, 50)[0].No)
}
