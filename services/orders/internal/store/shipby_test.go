package store

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func (h *shop) setShipBy(at time.Time, numbers ...int) bool {
	h.t.Helper()
	changed, err := h.s.SetShipBy(h.t.Context(), h.no, h.call(numbers...).ItemIDs, at)
	require.NoError(h.t, err)
	return changed
}

// A seller's list is filtered by the seller's own items that are still to be shipped, whatever happens to them, and the order is
// changed for every seller only when a time changes.
func TestSetShipBy_filterFollowsItems(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	at := ordertest.Epoch.AddDate(1, 0, 0)
	due := func() bool { return h.listed(order.Filter{ShipBy: &at}) }
	require.False(t, due())
	require.True(t, h.setShipBy(at.Add(time.Microsecond), 1, 2, 3))
	require.False(t, due())
	before := h.seen(h.b).UpdatedAt
	require.True(t, h.setShipBy(at, 1))
	require.True(t, due())
	require.True(t, h.seen(h.b).UpdatedAt.After(before))
	require.Empty(t, walk(t, h.s, h.b, order.Filter{ShipBy: &at}, 10), "the other seller's item is later")

	before = h.seen(h.a).UpdatedAt
	require.False(t, h.setShipBy(at, 1))
	require.Equal(t, before, h.seen(h.a).UpdatedAt)
	h.must(h.prepare(h.call(1)))
	require.True(t, due())
	h.must(h.ship(h.call(1), parcels[0]))
	require.False(t, due())
	require.False(t, h.setShipBy(at.Add(time.Hour), 1), "it has been shipped")
	_, err := h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Preparing}, act("a-1"))
	require.NoError(t, err)
	require.True(t, due())
	require.True(t, h.setShipBy(time.Time{}, 1, 2, 3))
	require.False(t, due())
}

// before calls a function before a statement is executed.
type before struct {
	postgres.Querier

	statement string
	call      func()
}

func (b before) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if sql == b.statement {
		b.call()
	}
	return b.Querier.Query(ctx, sql, args...)
}

// Where too many orders are to be shipped for the first statement, and few for the second, because one was shipped in between,
// the others are found.
func TestList_shippedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	at := ordertest.Epoch.AddDate(1, 0, 0)
	other := ordertest.New("O-2", ordertest.Epoch, h.a)
	other.Parts[0].Lines[0].ShipBy = at
	place(t, h.s, other)
	require.True(t, h.setShipBy(at, 1, 2))
	db := before{postgres.OfSeller(h.s.pool, h.a), queries.SQL("CountToShip"), func() { h.must(h.ship(h.call(1, 2), parcels[0])) }}
	page, err := h.s.bounded(1, 100).list(t.Context(), db, h.a, order.Filter{ShipBy: &at}, nil, 10)
	require.NoError(t, err)
	require.Equal(t, []string{"O-2"}, numbers(page.Rows))
}
