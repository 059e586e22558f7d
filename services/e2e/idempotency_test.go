package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Reads have no idempotency; they ignore the header.
func TestReadsIgnoreTheHeader(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	call := stacktest.Get(seller.Key, "/open/v1/orders")
	call.Header = http.Header{"Idempotency-Key": {"same"}}
	require.JSONEq(t, `{"list":[],"next_cursor":null}`, string(s.Do(t, call).Data))
	order := s.PlaceNew(t, seller.ID)
	page := stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, s.Do(t, call))
	require.Equal(t, []string{order.GetOrderNo()}, orderNos(page.List))
}
