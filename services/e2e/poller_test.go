package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// overlap is the period that the specification recommends to read again in each round.
const overlap = 10 * time.Minute

// copyOf is a client's own store: orders by number, overwritten by later versions.
type copyOf map[string]stacktest.Order

func (c copyOf) upsert(orders []stacktest.Order) {
	for _, order := range orders {
		c[order.OrderNo] = order
	}
}

// A client that does what the specification recommends ends up with exactly what the service has.
func TestPoller_recommendedMissesNothing(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	client, mine := s.Client(seller.ID), copyOf{}
	began := time.Now()
	writing := startWriters(t, s, seller.ID, 4, 30)
	writing.whileWriting(func() {
		round := time.Now()
		mine.upsert(client.Walk(t, "100", "updated_at_gte", began.Add(-overlap).UTC().Format(time.RFC3339)))
		began = round
	})
	requireComplete(t, mine, writing.wait(t), client.Walk(t, "100"))
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
