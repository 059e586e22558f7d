package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// A seller cannot find out which orders other sellers have: the responses are equal byte for byte, because the request ids are
// the same here.
func TestDetail_404InvisibleOrders(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.place(ordertest.New("OTHERS", ordertest.Epoch, uuid.New()), ordertest.New("PENDING", time.Time{}, s.seller),
		ordertest.New("FAILED", time.Time{}, s.seller), ordertest.New("EXPIRED", time.Time{}, s.seller))
	_, err := s.store.EndPayment(t.Context(), "FAILED", order.PaymentFailed, time.Time{})
	require.NoError(t, err)
	_, err = s.store.EndPayment(t.Context(), "EXPIRED", order.PaymentExpired, time.Time{})
	require.NoError(t, err)
	unknown := s.get("/open/v1/orders/UNKNOWN")
	require.Equal(t, http.StatusNotFound, unknown.status)
	require.Equal(t, "ORDER_NOT_FOUND", unknown.code())
	require.Equal(t, map[string]any{"request_id": "the-request", "doc_url": "/docs/errors/ORDER_NOT_FOUND"}, unknown.Meta.ErrorData)
	require.Equal(t, "null", string(unknown.Data))
	for name, target := range map[string]string{
		"order of another seller": "OTHERS", "pending": "PENDING", "failed": "FAILED", "expired": "EXPIRED",
		"too long": strings.Repeat("A", 65), "long": strings.Repeat("A", 64), "in lower case": "others",
		"with a NUL": "OTHERS%00", "invalid UTF-8": "%ff", "with a slash": "OTHERS%2Fx", "blank": "%20", "hangul": "%EC%A3%BC%EB%AC%B8",
		"quotes": "%27%20or%20true--", "the word batch": "batch",
	} {
		a := s.get("/open/v1/orders/" + target)
		require.Equal(t, unknown.body, a.body, name)
		require.Equal(t, unknown.header, a.header, name)
		require.Equal(t, "0", a.header.Get(principal.RowsHeader), name)
	}
}

// The detail counts as one row and takes no parameters.
func TestDetail_oneRowNoParameters(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.place(ordertest.New("A-1", ordertest.Epoch, s.seller))
	a := s.get("/open/v1/orders/A-1")
	require.Equal(t, http.StatusOK, a.status)
	require.Equal(t, "1", a.header.Get(principal.RowsHeader))
	a = s.get("/open/v1/orders/A-1?limit=1")
	require.Equal(t, http.StatusUnprocessableEntity, a.status)
	require.Equal(t, "VALIDATION_ERROR", a.code())
	require.Equal(t, []string{"query.limit"}, a.fields())
	require.Equal(t, "0", a.header.Get(principal.RowsHeader))
}

// Only callers whose principal is signed and has the scope for reading are served.
func TestRead_needsScopeAndSignature(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.place(ordertest.New("A-1", ordertest.Epoch, s.seller))
	for _, target := range []string{"/open/v1/orders", "/open/v1/orders/A-1"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, s.send(request).status)
		a := s.getAs(target, principal.Principal{SellerID: s.seller, Scopes: []principal.Scope{"orders:write", "qna:read"}})
		require.Equal(t, http.StatusForbidden, a.status)
		require.Equal(t, "SCOPE_FORBIDDEN", a.code())
		require.Equal(t, "orders:read", a.Meta.ErrorData["required_scope"])
		a = s.getAs(target, principal.Principal{SellerID: s.seller, Scopes: []principal.Scope{"orders:read"}})
		require.Equal(t, http.StatusOK, a.status)
	}
}
