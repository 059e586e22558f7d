package store

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// BenchmarkShipTogether ships 500 orders of one seller, in eight concurrent transactions, on a server that forces its writes to
// disk: with 50 orders per transaction as in batches, with other numbers, and with one.
//
//	go test ./internal/store -run '^$' -bench ShipTogether -benchtime 20x
func BenchmarkShipTogether(b *testing.B) {
	s := newDurable(b)
	seller := uuid.New()
	side := func(name string, group int) ordertest.Side {
		var shipments []order.ShipCommand
		return ordertest.Side{
			Name:    name,
			Prepare: func() { shipments = placeShipments(b, s, seller, 500) },
			Run: func() {
				running, ctx := errgroup.WithContext(b.Context())
				running.SetLimit(8)
				for together := range slices.Chunk(shipments, group) {
					running.Go(func() error { return s.shipAll(ctx, seller, together) })
				}
				require.NoError(b, running.Wait())
			},
		}
	}
	for name, group := range map[string]int{"10": 10, "25": 25, "100": 100, "alone": 1} {
		b.Run(name, func(b *testing.B) { ordertest.Compare(b, side("50", 50), side(name, group)) })
	}
}

func (s *Store) shipAll(ctx context.Context, seller uuid.UUID, shipments []order.ShipCommand) error {
	if len(shipments) == 1 {
		_, err := s.ShipAlone(ctx, shipments[0].ProcessCommand, shipments[0].Parcel)
		return err
	}
	outcomes, err := s.ShipTogether(ctx, seller, shipments)
	for i := range outcomes {
		if err == nil {
			err = outcomes[i].Err
		}
	}
	return err
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
	config := postgres.Config{URL: secret.New(server.URL), Settings: postgres.PlannerSettings()}
	require.NoError(b, postgres.Migrate(b.Context(), config, "orders", Migrations()))
	pool, err := postgres.Open(b.Context(), config, "orders", telemetrytest.Discard(b))
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	return New(pool, order.DefaultTerms())
}

func placeShipments(b *testing.B, s *Store, seller uuid.UUID, n int) []order.ShipCommand {
	b.Helper()
	placements, shipments := make([]order.Placement, n), make([]order.ShipCommand, n)
	for i := range placements {
		placements[i] = ordertest.New("S-"+uuid.NewString(), ordertest.Epoch, seller)
		item := placements[i].Parts[0].Lines[0].ID.String()
		shipments[i] = order.ShipCommand{ProcessCommand: order.ProcessCommand{
			SellerID: seller, OrderNo: placements[i].No,
			ItemIDs: []string{item},
		}, Parcel: parcels[0]}
	}
	place(b, s, placements...)
	return shipments
}
