package store

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
)

// Changes of an order and shipments in a batch wait for the clock of their seller in a statement of their own, and what they
// wait is measured as that of other changes is.
func TestClockWait_ofProcessCalls(t *testing.T) {
	t.Parallel()
	const wait = 300 * time.Millisecond
	for name, change := range map[string]func(h *shop, calls []order.ProcessCommand) error{
		"alone": func(h *shop, calls []order.ProcessCommand) error {
			_, err := h.s.ShipAlone(h.t.Context(), calls[0], parcels[0])
			return err
		},
		"together": func(h *shop, calls []order.ProcessCommand) error {
			_, err := h.s.ShipTogether(h.t.Context(), h.a, inParcel(0, calls...))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newShop(t)
			calls := h.ordersOf(2)
			tel := telemetrytest.Discard(t)
			h.s = New(h.db.Open(t, tel), order.DefaultTerms())
			var group errgroup.Group
			require.ErrorIs(t, postgres.InTx(t.Context(), postgres.OfSeller(h.db.Pool, h.a), func(ctx context.Context, tx pgx.Tx) error {
				_, err := postgres.TickSellers(ctx, tx, []uuid.UUID{h.a})
				require.NoError(t, err)
				group.Go(func() error { return change(h, calls) })
				require.Eventually(t, func() bool {
					var waits bool
					require.NoError(t, h.db.Pool.QueryRow(ctx, `select exists (select from pg_locks l join pg_stat_activity a using (pid)
						where a.datname = current_database() and clock_timestamp() - l.waitstart > $1)`, wait).Scan(&waits))
					return waits
				}, time.Minute, 10*time.Millisecond, "the change waits")
				return context.Canceled
			}), context.Canceled)
			require.NoError(t, group.Wait())
			found, err := testutil.GatherAndCount(tel.Registry, telemetry.SellerClockWait.Name)
			require.NoError(t, err)
			require.Equal(t, 1, found)
			families, err := tel.Registry.Gather()
			require.NoError(t, err)
			for _, family := range families {
				if family.GetName() == telemetry.SellerClockWait.Name {
					require.Equal(t, h.a.String(), family.GetMetric()[0].GetLabel()[0].GetValue())
					require.GreaterOrEqual(t, family.GetMetric()[0].GetGauge().GetValue(), wait.Seconds())
				}
			}
		})
	}
}
