package e2e

import (
	"net/http"
	"slices"
	"strings"
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

func TestQuery_unknownEnumValue(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	orderStates := []string{"paid", "preparing", "shipping", "delivered", "confirmed", "partially_claimed", "canceled"}
	for param, allowed := range map[string][]string{
		"order_status": orderStates, "item_status": itemStates, "status_changed_to": itemStates,
	} {
		for _, value := range []string{"", " ", "PAID", "paid ", "pending", "failed", "expired", "cancelled", "paid,shipping", "결제"} {
			query := []string{param, value}
			if param == "status_changed_to" {
				query = append(query, "status_changed_at_gte", "2026-01-01T00:00:00Z")
			}
			problem := stacktest.RequireInvalid(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", query...)), "query."+param)[0]
			require.ElementsMatch(t, allowed, problem["allowed"], "%s=%q", param, value)
		}
	}
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

// A parameter that is given twice is refused, even with the same value.
func TestQuery_parameterGivenTwice(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for param, value := range orderParams {
		query := []string{param, value, param, value}
		stacktest.RequireInvalid(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", query...)), "query."+param)
	}
}

// A range that ends before it begins is refused.
func TestQuery_reversedRange(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, name := range []string{"paid_at", "updated_at"} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders",
			name+"_gte", "2026-01-01T00:00:00.000001Z", name+"_lte", "2026-01-01T00:00:00Z"))
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
	}
}

// A malformed query is refused with the envelope.
func TestQuery_unreadable(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, query := range []string{
		"limit=%zz", "limit=%", "limit=%1", "%zz=1", "limit=1;cursor=x", ";", "limit=1&a;b", "order_no=%ff%fe", "order_no=%00",
		"order_no=a%0Ab", "order_no=", "order_no=%20", "order_no=" + strings.Repeat("9", 200), "=1",
	} {
		answer := s.Do(t, stacktest.Call{Path: "/open/v1/orders?" + query, Key: seller.Key})
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
	}
}

// All problems of a query are reported at once.
func TestQuery_allProblemsAtOnce(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	answer := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/orders",
		"limit", "0", "item_status", "lost", "paid_at_gte", "yesterday", "pages", "1"))
	stacktest.RequireInvalid(t, answer, "query.limit", "query.item_status", "query.paid_at_gte", "query.pages")
}

// Empty pairs in a query are ignored.
func TestQuery_emptyPairsMeanNothing(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, query := range []string{"?", "?&", "?&&limit=1&"} {
		answer := s.Do(t, stacktest.Call{Path: "/open/v1/orders" + query, Key: seller.Key})
		require.Equal(t, http.StatusOK, answer.Status, query)
	}
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
