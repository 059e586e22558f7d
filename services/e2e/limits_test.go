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
