package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func numbersOf(orders []*ordersv1.Order) []string {
	numbers := make([]string, len(orders))
	for i, order := range orders {
		numbers[i] = order.GetOrderNo()
	}
	return numbers
}

func orderNos(orders []stacktest.Order) []string {
	numbers := make([]string, len(orders))
	for i, order := range orders {
		numbers[i] = order.OrderNo
	}
	return numbers
}

func requireNoRepetition(t *testing.T, numbers []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, number := range numbers {
		require.False(t, seen[number], "%s came twice", number)
		seen[number] = true
	}
}

func requireNewestFirst(t *testing.T, orders []stacktest.Order) {
	t.Helper()
	for i := 1; i < len(orders); i++ {
		require.GreaterOrEqual(t, orders[i-1].UpdatedAt, orders[i].UpdatedAt)
	}
}
