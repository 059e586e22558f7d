package store

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// points are the points of all lines, in the order of orders and codes.
func points(t *testing.T, h *shop) []int64 {
	t.Helper()
	rows, err := h.db.Pool.Query(t.Context(), "select points_amount from lines order by order_id, seq")
	require.NoError(t, err)
	amounts, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	return amounts
}

// migratePoints lets the lines be as they were before they had points, and migrates them.
func migratePoints(t *testing.T, h *shop) {
	t.Helper()
	text, err := fs.ReadFile(Migrations(), "00010_points.sql")
	require.NoError(t, err)
	_, err = h.db.Pool.Exec(t.Context(), "alter table lines drop column points_amount")
	require.NoError(t, err)
	_, err = h.db.Pool.Exec(t.Context(), string(text), pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
}

// Orders of before get their points as new ones do, to the last one: a customer who cancels gets back what was paid, as it was.
func TestMigrations_pointsOfBefore(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	r := rand.New(rand.NewPCG(1, 2))
	sellers := []uuid.UUID{h.a, h.b}
	placements := make([]order.Placement, 0, 60)
	for n := range 60 {
		p := ordertest.Random(r, fmt.Sprintf("R-%d", n), sellers)
		for i := range p.Parts {
			part := &p.Parts[i]
			part.Charges.PointUsed = r.Int64N(400_000)
			last := &part.Lines[len(part.Lines)-1]
			if r.IntN(3) == 0 { // the last line has little room, or none, for the rest
				last.Discount = last.UnitPrice*last.Quantity - min(1, last.UnitPrice)*r.Int64N(2)
			}
		}
		placements = append(placements, p)
	}
	place(t, h.s, placements...)
	placed := points(t, h)
	require.NotZero(t, placed[len(placed)-1]+placed[len(placed)-2]+placed[len(placed)-3])
	migratePoints(t, h)
	require.Equal(t, placed, points(t, h))
}

// The points of a line go with its pieces, those of an exchanged one to the line that stands in, and the next reader finds them.
// Then the same for an order of before.
func TestPoints_followTheGoods(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 1) // 500 points on two lines of two pieces for the same
	require.Equal(t, []int64{250, 250, 500}, points(t, h))
	wanted := []order.Replacement{{ItemID: h.id(1), OptionName: "화이트 / L", Paid: 12_400, Points: 125}}
	_, err := h.s.AddExchangeItems(t.Context(), "C-1", wanted)
	require.NoError(t, err)
	require.Equal(t, []int64{250, 250, 500, 125}, points(t, h))
	_, err = h.s.ShipExchange(t.Context(), "C-1", "reship@1", parcels[1])
	require.NoError(t, err)
	require.Equal(t, []int64{125, 250, 500, 125, 125}, points(t, h))
	locked := h.read()
	require.Equal(t, []int64{125, 125, 0}, []int64{locked.Item(h.id(1)).Points, locked.Items[4].Points, locked.ShippingPoints(h.a)})
	require.Equal(t, int64(500), locked.Seller(h.b).PointUsed)

	// Points that have been divided are divided among three lines now, of which two have one piece.
	migratePoints(t, h)
	require.Equal(t, []int64{125, 250, 500, 125, 125}, points(t, h))
}
