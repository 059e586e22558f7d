package e2e

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

func requireLimited(t *testing.T, answer stacktest.Answer, limit string, most int) {
	t.Helper()
	stacktest.RequireFailure(t, answer, http.StatusTooManyRequests, "RATE_LIMITED")
	data := answer.Meta.ErrorData
	require.Equal(t, limit, data["limit"])
	require.InDelta(t, most, data["max"], 0)
	require.InDelta(t, 60, data["window_seconds"], 0)
	wait, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	require.NoError(t, err)
	require.InDelta(t, wait, data["retry_after"], 0)
	require.Positive(t, wait)
	require.LessOrEqual(t, wait, 60)
}

func requireLeft(t *testing.T, answer stacktest.Answer, most, left int) {
	t.Helper()
	require.Equal(t, strconv.Itoa(most), answer.Header.Get("X-Ratelimit-Limit"))
	require.Equal(t, strconv.Itoa(left), answer.Header.Get("X-Ratelimit-Remaining"))
}

// A burst within the limit is never refused, and the call after it always is, however often it is sent.
func TestReadLimit_60PerMinute(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	s.Undisturbed(t, func(do func(stacktest.Call) stacktest.Answer) {
		seller := s.Seller(t)
		call := stacktest.Get(seller.Key, "/open/v1/orders/NOBODY")
		for n := 1; n <= 60; n++ {
			answer := do(call)
			stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_NOT_FOUND")
			requireLeft(t, answer, 60, 60-n)
		}
		for range 3 {
			answer := do(call)
			requireLimited(t, answer, "read", 60)
			requireLeft(t, answer, 60, 0)
		}
		other, _ := s.IssueKey(t, seller.ID)
		requireLeft(t, do(stacktest.Get(other, "/open/v1/orders")), 60, 59)
		requireLeft(t, do(stacktest.Post(seller.Key, "/open/v1/claims/X/approve", "")), 30, 29)
	})
}

func TestProcessLimit_30PerMinute(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	s.Undisturbed(t, func(do func(stacktest.Call) stacktest.Answer) {
		seller := s.Seller(t)
		for n := 1; n <= 30; n++ {
			requireLeft(t, do(stacktest.Post(seller.Key, "/open/v1/claims/X/approve", "")), 30, 30-n)
		}
		requireLimited(t, do(stacktest.Post(seller.Key, "/open/v1/orders/X/delivery", `{"item_ids":["x"]}`)), "process", 30)
		requireLeft(t, do(stacktest.Get(seller.Key, "/open/v1/orders")), 60, 59)
	})
}

// Rows add up over pages; a detail counts as one.
func TestRowLimit_3000PerMinute(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	s.Undisturbed(t, func(do func(stacktest.Call) stacktest.Answer) {
		seller := s.Seller(t)
		page := stacktest.Get(seller.Key, "/open/v1/orders", "limit", "100")
		detail := stacktest.Get(seller.Key, "/open/v1/orders/"+s.PlaceMany(t, 100, seller.ID)[0].GetOrderNo())
		for range 29 {
			answer := do(page)
			require.Equal(t, http.StatusOK, answer.Status)
			require.Equal(t, "3000", answer.Header.Get("X-Ratelimit-Rows-Limit"))
		}
		require.Equal(t, http.StatusOK, do(detail).Status)
		require.Equal(t, http.StatusOK, do(page).Status, "2,901 rows so far")
		requireLimited(t, do(stacktest.Get(seller.Key, "/open/v1/orders", "limit", "1")), "rows", 3000)
		requireLimited(t, do(detail), "rows", 3000)
	})
}

// known lets the gateway look the keys up beforehand, so that a burst of calls does not wait for the database.
func known(t *testing.T, s *stacktest.Stack, keys ...string) {
	t.Helper()
	for _, key := range keys {
		stacktest.Await(t, "the gateway knows the key", func() bool {
			return s.Raw(t, stacktest.Get(key, "/open/v1/orders/NOBODY")).Status == http.StatusNotFound
		})
	}
}

// Calls that are refused because of the API key or its scope cost none of its budget.
func TestLimits_401And403NotCharged(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	s.Undisturbed(t, func(do func(stacktest.Call) stacktest.Answer) {
		key, _ := s.IssueKey(t, s.Seller(t).ID, "orders:read")
		for range 5 {
			stacktest.RequireFailure(t, do(stacktest.Get(key, "/open/v1/claims")), http.StatusForbidden, "SCOPE_FORBIDDEN")
			stacktest.RequireFailure(t, do(stacktest.Post(key, "/open/v1/claims/X/approve", "")), http.StatusForbidden, "SCOPE_FORBIDDEN")
			stacktest.RequireFailure(t, do(stacktest.Get(key+"x", "/open/v1/orders")), http.StatusUnauthorized, "INVALID_API_KEY")
		}
		requireLeft(t, do(stacktest.Get(key, "/open/v1/orders")), 60, 59)
	})
}
