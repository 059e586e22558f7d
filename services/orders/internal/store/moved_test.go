package store

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// When a seller's clock has moved past the deadline, the sweep confirms the seller's purchases at the moved time, behind
// row-level security, and no other seller's. A new order arrives at that time.
func TestConfirmPurchases_movedClock(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	require.NoError(t, postgres.MakeClocksMovable(t.Context(), db.Config, db.Schema))
	now := time.Now()
	seller, other := uuid.New(), uuid.New()
	for no, of := range map[string]uuid.UUID{"O-1": seller, "O-2": other} {
		p := ordertest.New(no, now.Add(-3*time.Hour), of)
		ordertest.History(&p.Parts[0].Lines[0], now.Add(-3*time.Hour), time.Hour, order.Shipping, order.Delivered)
		place(t, s, p)
	}
	require.NoError(t, postgres.InTx(t.Context(), postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		_, err := postgres.MoveSellerClock(ctx, tx, seller, nil, 8*24*time.Hour)
		return err
	}))
	require.Empty(t, s.due(t, 10), "not by the wall clock")
	moved, err := postgres.SellerNow(t.Context(), postgres.OfSeller(s.pool, seller), seller)
	require.NoError(t, err)
	sweeper := sweep.New(s.ConfirmPurchases(), telemetrytest.Discard(t))
	for _, wanted := range []int{1, 0} {
		done, err := sweeper.Due(t.Context(), seller, moved)
		require.NoError(t, err)
		require.Equal(t, wanted, done)
	}
	confirmed, err := s.Find(t.Context(), seller, "O-1")
	require.NoError(t, err)
	require.Equal(t, order.Confirmed, confirmed.Items[0].State)
	require.WithinDuration(t, moved, confirmed.Items[0].ConfirmedAt, time.Hour)
	require.WithinDuration(t, moved, confirmed.UpdatedAt, time.Hour)
	left, err := s.Find(t.Context(), other, "O-2")
	require.NoError(t, err)
	require.Equal(t, order.Delivered, left.Items[0].State)
	place(t, s, ordertest.New("O-3", moved, seller))
	fresh, err := s.Find(t.Context(), seller, "O-3")
	require.NoError(t, err)
	require.WithinDuration(t, moved, fresh.PaidAt, time.Hour)
}
