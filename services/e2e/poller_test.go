package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// copyOf is a client's own store: orders by number, overwritten by later versions.
type copyOf map[string]stacktest.Order

func (c copyOf) upsert(orders []stacktest.Order) {
	for _, order := range orders {
		c[order.OrderNo] = order
	}
}

// A stricter case: no overlap at all. It works because updated_at has the order of the commits.
func TestPoller_strictMissesNothing(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	client, mine, newest := s.Client(seller.ID), copyOf{}, "1970-01-01T00:00:00Z"
	writing := startWriters(t, s, seller.ID, 8, 60)
	writing.whileWriting(func() {
		page := client.Walk(t, "100", "updated_at_gte", newest)
		mine.upsert(page)
		if len(page) > 0 {
			newest = max(newest, page[0].UpdatedAt)
		}
	})
	requireComplete(t, mine, writing.wait(t), client.Walk(t, "100"))
}

func requireComplete(t *testing.T, mine copyOf, written []string, all []stacktest.Order) {
	t.Helper()
	require.ElementsMatch(t, written, orderNos(all))
	require.Len(t, mine, len(all))
	for _, order := range all {
		require.Equal(t, order, mine[order.OrderNo])
	}
}
