package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Clients branch on the envelope; a router's plain text or redirect would make them fail while parsing it.
func TestUnknownPath_notFoundEnvelope(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	key := s.Seller(t).Key
	for _, path := range []string{
		"/", "/open", "/open/", "/open/v1", "/open/v1/", "/open/v2/orders", "/Open/v1/orders", "/open/v1/Orders", "/open/v1/orders/",
		"/open/v1//orders", "//open/v1/orders", "/open/v1/orders/X/", "/open/v1/orders/X/unknown", "/open/v1/orders/X/shipment/Y",
		"/open/v1/qna/X", "/open/v1/claims/X/cancel", "/open/v1/../v1/orders", "/open/v1/./orders", "/open%2Fv1/orders", "/metrics",
		"/readyz", "/debug/pprof/", "/favicon.ico", "/orders.v1.Intake/PlaceOrders", "/open/v1/orders%3Flimit=1", "/open/v1/orders;x=1",
	} {
		answer := s.Do(t, stacktest.Call{Path: path, Key: key})
		stacktest.RequireFailure(t, answer, http.StatusNotFound, "")
		require.Empty(t, answer.Header.Get("Location"), path)
	}
}

// A wrong method is refused with the methods that the path allows.
func TestWrongMethod_namesTheRightOnes(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	key := s.Seller(t).Key
	methods := []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"}
	for _, operation := range operations {
		if strings.HasSuffix(operation.path, "/batch/shipment") {
			continue // GET /orders/{order_no} does not match it, but /orders/{order_no}/shipment does; see below
		}
		for _, method := range methods {
			if method == operation.method {
				continue
			}
			call := operation.call(key, "X", "Y")
			call.Method, call.Body = method, nil
			answer := s.Do(t, call)
			stacktest.RequireFailure(t, answer, http.StatusMethodNotAllowed, "")
			require.Equal(t, operation.method, answer.Header.Get("Allow"), "%s %s", method, call.Path)
		}
	}
	answer := s.Do(t, stacktest.Call{Method: http.MethodGet, Path: "/open/v1/orders/batch/shipment", Key: key})
	stacktest.RequireFailure(t, answer, http.StatusMethodNotAllowed, "")
}

// A HEAD response has no body to check, but HEAD must not be answered like GET.
func TestWrongMethod_head(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, operation := range operations {
		if operation.method != http.MethodGet {
			continue
		}
		call := operation.call(seller.Key, "X", "")
		call.Method = http.MethodHead
		answer := s.Raw(t, call)
		require.Equal(t, http.StatusMethodNotAllowed, answer.Status, operation.path)
		require.Equal(t, http.MethodGet, answer.Header.Get("Allow"))
		require.Empty(t, answer.Body)
	}
}

// A body above the limit of its operation is refused.
func TestBody_tooLarge(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	key := s.Seller(t).Key
	for _, operation := range operations {
		if operation.method != http.MethodPost {
			continue
		}
		limit := 1 << 20
		if strings.HasSuffix(operation.path, "/batch/shipment") {
			limit = 4 << 20
		}
		call := operation.call(key, "X", "Y")
		call.Body = slices.Concat([]byte(`{"padding":"`), make([]byte, limit), []byte(`"}`))
		stacktest.RequireFailure(t, s.Do(t, call), http.StatusRequestEntityTooLarge, "")
	}
}
