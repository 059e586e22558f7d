package store

import (
	"math/bits"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// The kind of an order has at least the bits of the states that its items are in, so that no list leaves an order out. It has
// exactly these while no item ended, and when all items are in one state. There are few kinds.
func TestKind_hasBitsOfStates(t *testing.T) {
	t.Parallel()
	f := fill(t, 300)
	f.exec(t, `update seller_orders so set line_states = n.n
		from (select order_id, row_number() over (order by order_id) as n from seller_orders) n
		where n.order_id = so.order_id and n.n <= 255`)
	rows, err := f.db.Pool.Query(t.Context(), "select distinct line_states, kind & 255 from seller_orders")
	require.NoError(t, err)
	type pair struct{ States, Kind uint16 }
	pairs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pair])
	require.NoError(t, err)
	require.Len(t, pairs, int(anyState))
	kinds := map[uint16]bool{}
	for _, one := range pairs {
		require.Equal(t, one.States, one.States&one.Kind, "states %b, kind %b", one.States, one.Kind)
		if one.States < 16 || bits.OnesCount16(one.States) == 1 {
			require.Equal(t, one.States, one.Kind)
		}
		kinds[one.Kind] = true
	}
	require.LessOrEqual(t, len(kinds), 27)
}
