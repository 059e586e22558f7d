package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

var orderParams = map[string]string{
	"paid_at_gte": "2026-01-01T00:00:00Z", "paid_at_lte": "2026-01-01T00:00:00Z",
	"updated_at_gte": "2026-01-01T00:00:00Z", "updated_at_lte": "2026-01-01T00:00:00Z",
	"order_status": "paid", "item_status": "paid", "order_no": "X", "status_changed_to": "paid",
	"status_changed_at_gte": "2026-01-01T00:00:00Z", "status_changed_at_lte": "2026-01-01T00:00:00Z",
	"limit": "10", "cursor": "x",
}

// A misspelt filter, if ignored, would silently return everything.
func TestQuery_unknownParameter(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for sent, meant := range map[string]string{
		"update_at_gte": "updated_at_gte", "paid_at_get": "paid_at_gte", "Limit": "limit", "item_stauts": "item_status",
		"status_change_to": "status_changed_to", "requested_at_gte": "", "page": "", "한글": "",
	} {
		problem := stacktest.RequireInvalid(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", sent, "1")), "query."+sent)[0]
		if meant != "" {
			require.Contains(t, problem["message"], "did you mean "+meant+"?", sent)
		}
	}
	stacktest.RequireInvalid(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/X", "limit", "1")), "query.limit")
}

// All problems of a query are reported at once.
func TestQuery_allProblemsAtOnce(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	answer := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/orders",
		"limit", "0", "item_status", "lost", "paid_at_gte", "yesterday", "pages", "1"))
	stacktest.RequireInvalid(t, answer, "query.limit", "query.item_status", "query.paid_at_gte", "query.pages")
}

// Every parameter of the specification is known, and no other.
func TestQuery_everySpecifiedParameterKnown(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	answer := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/orders", "unknown", "1"))
	problem := stacktest.RequireInvalid(t, answer, "query.unknown")[0]
	known, ok := problem["allowed"].([]any)
	require.True(t, ok)
	for name := range orderParams {
		require.True(t, slices.Contains(known, any(name)), name)
	}
	require.Len(t, known, len(orderParams))
}
