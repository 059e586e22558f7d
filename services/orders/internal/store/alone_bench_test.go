package store

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/allinone/launch"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// BenchmarkShipBatch ships orders of one seller, eight side by side, on a server that forces its writes to disk: as batches do,
// with a transaction of PostgreSQL's own instead of one in two batches, and with the clock ticked for each.
//
//	go test ./internal/store -run '^$' -bench ShipBatch -benchtime 40x
func BenchmarkShipBatch(b *testing.B) {
	s := newDurable(b)
	seller := uuid.New()
	side := func(name string, ship func(ctx context.Context, instant *Instant, call Process) error) ordertest.Side {
		var calls []Process
		return ordertest.Side{
			Name:    name,
			Prepare: func() { calls = placeCalls(b, s, seller, batchOrders) },
			Run: func() {
				instant := &Instant{}
				running, ctx := errgroup.WithContext(b.Context())
				running.SetLimit(8)
				for _, call := range calls {
					running.Go(func() error { return ship(ctx, instant, call) })
				}
				require.NoError(b, running.Wait())
			},
		}
	}
	alone := func(ctx context.Context, instant *Instant, call Process) error {
		_, err := s.ShipAlone(ctx, instant, call, parcels[0])
		return err
	}
	b.Run("transaction", func(b *testing.B) {
		ordertest.Compare(b, side("two-batches", alone), side("InTx", s.shipInTx))
	})
	b.Run("clock", func(b *testing.B) {
		ordertest.Compare(b, side("shared", alone), side("ticked", func(ctx context.Context, _ *Instant, call Process) error {
			return alone(ctx, &Instant{at: time.Unix(0, 0), taken: time.Now().Add(time.Hour)}, call)
		}))
	})
}

// batchOrders is how many orders a turn ships.
const batchOrders = 200

// shipInTx is ShipAlone in a transaction that begins and commits in round trips of its own.
func (s *Store) shipInTx(ctx context.Context, instant *Instant, call Process) error {
	at, err := instant.of(ctx, postgres.OfSeller(s.pool, call.SellerID), call.SellerID)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, postgres.OfSeller(s.pool, call.SellerID), func(ctx context.Context, tx pgx.Tx) error {
		o, err := lockOrder(ctx, tx, call.SellerID, call.OrderNo, call.SellerID)
		if err != nil {
			return err
		}
		stamp := queueStamp
		if happenAt(o, at) {
			stamp = queueSharedStamp
		}
		decided, err := o.Ship(call.SellerID, call.ItemIDs, parcels[0])
		if err != nil {
			return err
		}
		_, err = s.saveWith(ctx, tx, o, &decided.Plan, stamp)
		return err
	})
}

// newDurable returns a store on a server of its own that forces its writes to disk.
func newDurable(b *testing.B) *Store {
	b.Helper()
	server, err := launch.Postgres(b.Context(), filepath.Join(b.TempDir(), "postgres"), launch.Options{Durable: true})
	require.NoError(b, err)
	b.Cleanup(func() {
		require.NoError(b, server.Stop())
		require.NoError(b, launch.Forget(server.Dir))
	})
	config := postgres.Config{URL: secret.New(server.URL), Settings: Settings()}
	require.NoError(b, postgres.Migrate(b.Context(), config, "orders", Migrations()))
	pool, err := postgres.Open(b.Context(), config, "orders", telemetry.Discard(b))
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	return New(pool, order.DefaultTerms())
}

// placeCalls places so many orders and returns the calls that ship them.
func placeCalls(b *testing.B, s *Store, seller uuid.UUID, n int) []Process {
	b.Helper()
	placements, calls := make([]order.Placement, n), make([]Process, n)
	for i := range placements {
		placements[i] = ordertest.New("S-"+uuid.NewString(), ordertest.Epoch, seller)
		calls[i] = Process{SellerID: seller, OrderNo: placements[i].No, ItemIDs: []string{placements[i].Parts[0].Lines[0].ID.String()}}
	}
	place(b, s, placements...)
	return calls
}
