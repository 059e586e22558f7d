package store

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func replicated(tb testing.TB) (*Store, *pgtest.Pair, func(source string) float64) {
	tb.Helper()
	pair := pgtest.NewPair(tb, Migrations())
	tel := telemetrytest.Discard(tb)
	s := New(pair.Replicated(tb, tel, postgres.PlannerSettings()), order.DefaultTerms())
	return s, pair, func(source string) float64 {
		return testutil.ToFloat64(tel.Counter(telemetry.DBPages).WithLabelValues(source))
	}
}

// A list is the same wherever it is read, and shows every change that was acknowledged before, be it a batch of shipments, whose
// orders share one time, or a single one.
func TestList_replica(t *testing.T) {
	t.Parallel()
	s, pair, pages := replicated(t)
	h := newShopOn(t, s, &pair.DB)
	calls := h.ordersOf(6)
	pair.Pause(t)
	there := walk(t, s, h.a, order.Filter{}, 3)
	require.Len(t, there, 7)
	require.Positive(t, pages("replica"))
	require.Zero(t, pages("primary_behind"))

	for n, call := range calls {
		h.must(s.ShipAlone(t.Context(), call, parcels[0]))
		require.Len(t, walk(t, s, h.a, order.Filter{ItemState: order.Shipping}, 3), n+1, "a seller sees its own changes")
	}
	require.Positive(t, pages("primary_behind"))
	changed := walk(t, s, h.a, order.Filter{}, 3)
	pair.Resume(t)
	before := pages("primary_behind")
	require.Equal(t, changed, walk(t, s, h.a, order.Filter{}, 3))
	require.InDelta(t, before, pages("primary_behind"), 0)

	require.NoError(t, pair.Standby.Kill())
	require.Equal(t, changed, walk(t, s, h.a, order.Filter{}, 3))
	require.Positive(t, pages("primary_away"))
}

// A strict poller misses nothing that is placed and shipped while its pages come alternately from the primary and the replica.
func TestList_strictPollerOfReplica(t *testing.T) {
	t.Parallel()
	s, pair, pages := replicated(t)
	h := newShopOn(t, s, &pair.DB)
	calls := h.ordersOf(60)
	group, ctx := errgroup.WithContext(t.Context())
	group.Go(func() error {
		for n, call := range calls {
			if _, err := s.ShipAlone(ctx, call, parcels[0]); err != nil {
				return err
			}
			if _, err := s.Place(ctx, []order.Placement{ordertest.New(fmt.Sprintf("P-%d", n), ordertest.Epoch, h.a,
				uuid.New())}); err != nil {
				return err
			}
		}
		return nil
	})
	requireNothingMissed(t, s, h.a, group)
	require.Positive(t, pages("replica")+pages("primary_behind"))
	require.Zero(t, pages("primary_away"))
}

// BenchmarkListReplica reads pages of 50 orders from the primary and from the replica, a hundred per iteration.
//
//	go test ./internal/store -run '^$' -bench 'ListReplica$' -benchtime 20x
func BenchmarkListReplica(b *testing.B) {
	replica, pair, pages := replicated(b)
	pool := *replica.pool
	pool.Replica = nil
	primary := New(&pool, order.DefaultTerms())
	seller := uuid.New()
	placements := make([]order.Placement, 200)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("B-%03d", i), ordertest.Epoch, seller)
	}
	place(b, primary, placements...)
	_, err := pair.Pool.Exec(b.Context(), "analyze")
	require.NoError(b, err)
	pair.Pause(b)
	pair.Resume(b)
	read := func(s *Store) func() {
		return func() {
			for range 100 {
				page, err := s.List(b.Context(), seller, order.Filter{}, nil, 50)
				require.NoError(b, err)
				require.Len(b, page.Rows, 50)
			}
		}
	}
	ordertest.Compare(b, ordertest.Side{Name: "replica", Run: read(replica)}, ordertest.Side{Name: "primary", Run: read(primary)})
	require.Zero(b, pages("primary_away")+pages("primary_behind"))
}
