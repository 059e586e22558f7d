package store

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

func points(t *testing.T, h *shop) []int64 {
	t.Helper()
	rows, err := h.db.Pool.Query(t.Context(), "select points_amount from lines order by order_id, seq")
	require.NoError(t, err)
	amounts, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	return amounts
}

// The points of a line follow its pieces, those of an exchanged one move to the replacing line, and the next reader finds them.
func TestPoints_followTheGoods(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 1) // 500 points on two lines of two pieces at the same price
	require.Equal(t, []int64{250, 250, 500}, points(t, h))
	wanted := []order.Replacement{{ItemID: h.id(1), OptionName: "화이트 / L", Paid: 12_400, Points: 125}}
	_, err := h.addExchangeLine(t.Context(), "C-1", wanted)
	require.NoError(t, err)
	require.Equal(t, []int64{250, 250, 500, 125}, points(t, h))
	_, err = h.shipExchangeLine(t.Context(), "C-1", "reship@1", parcels[1])
	require.NoError(t, err)
	require.Equal(t, []int64{125, 250, 500, 125, 125}, points(t, h))
	locked := h.read()
	require.Equal(t, []int64{125, 125, 0}, []int64{locked.Item(h.id(1)).Points, locked.Items[4].Points, locked.ShippingPoints(h.a)})
	require.Equal(t, int64(500), locked.Seller(h.b).PointUsed)
}
