package market

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A fresh order has a part of every seller of the plan, as many lines of the first as are wanted, and nothing has happened to it.
func TestFresh(t *testing.T) {
	t.Parallel()
	m := setup(t, 100, 2)
	numbers := map[string]bool{}
	for number := range 50 {
		order := m.Fresh(number, base, number%3)
		require.False(t, numbers[order.GetOrderNo()])
		numbers[order.GetOrderNo()] = true
		require.Len(t, order.GetSellers(), 2)
		require.Equal(t, base, order.GetPaidAt().AsTime())
		if number%3 > 0 {
			require.Len(t, order.GetSellers()[0].GetLines(), number%3)
		}
		for _, part := range order.GetSellers() {
			require.NotEmpty(t, part.GetLines())
			for _, line := range part.GetLines() {
				require.Empty(t, line.GetHistory())
				require.Nil(t, line.GetShipment())
			}
		}
	}
}
