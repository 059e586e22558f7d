package mirror_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli/example/mirror"
	sellerapi "sellerapi.dev/proto/clients/go"
)

type seller struct {
	*httptest.Server

	mu     sync.Mutex
	orders []map[string]any
	// keys are the idempotency keys of the received batches, requests their parcels.
	keys     []string
	requests []sellerapi.BatchShipmentRequest
	// breaks is for how many batches the connection breaks after they were received; status is the status that
	// refuses them.
	breaks int
	status int
	// refuse are the orders that are not shipped, with the reason.
	refuse map[string]string
	// doubt are the tracking numbers that the server doubts, with the reason.
	doubt  map[string]string
	listed func()
}

func newSeller(t *testing.T) *seller {
	t.Helper()
	s := &seller{refuse: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /open/v1/orders", s.list)
	mux.HandleFunc("POST /open/v1/orders/batch/shipment", s.ship)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// codes are the codes of refusals; what comes from elsewhere has none.
var codes = map[int]any{401: "INVALID_API_KEY", 403: "SCOPE_FORBIDDEN", 422: "VALIDATION_ERROR"}

func answer(w http.ResponseWriter, status int, data any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"meta": map[string]any{"code": status, "message": "a text", "error_code": codes[status], "error_data": nil}, "data": data,
	})
}

func (s *seller) list(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listed != nil {
		s.listed()
	}
	answer(w, http.StatusOK, map[string]any{"list": s.orders, "next_cursor": nil})
}

func (s *seller) ship(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var request sellerapi.BatchShipmentRequest
	_ = json.NewDecoder(r.Body).Decode(&request)
	s.keys, s.requests = append(s.keys, r.Header.Get("Idempotency-Key")), append(s.requests, request)
	if s.breaks > 0 {
		s.breaks--
		panic(http.ErrAbortHandler)
	}
	if s.status != 0 {
		answer(w, s.status, nil)
		return
	}
	result := sellerapi.BatchShipmentResult{Succeeded: []string{}, Failed: []sellerapi.FailedEntry{}}
	parcels := map[string]string{} // of the items that this batch ships
	for i, entry := range request.Items {
		code, refused := s.refuse[entry.OrderNo]
		if slices.ContainsFunc(entry.ItemIDs, func(id string) bool { return parcels[id] != "" && parcels[id] != entry.TrackingNo }) {
			code, refused = "SHIPMENT_STATE_CONFLICT", true
		}
		if reason, doubted := s.doubt[entry.TrackingNo]; doubted && !refused {
			result.Warnings = append(result.Warnings, sellerapi.Warning{
				Field: fmt.Sprintf("items[%d].tracking_no", i), Code: "TRACKING_NO_SUSPICIOUS", Message: reason,
			})
		}
		if !refused {
			result.Succeeded = append(result.Succeeded, entry.ItemIDs...)
			for _, id := range entry.ItemIDs {
				parcels[id] = entry.TrackingNo
			}
			continue
		}
		failure := sellerapi.FailedEntry{Index: int64(i), OrderNo: entry.OrderNo, ErrorCode: sellerapi.Code(code), Message: "a text"}
		if code != "ORDER_NOT_FOUND" {
			failure.OrderItemPublicIDs = entry.ItemIDs
		}
		result.Failed = append(result.Failed, failure)
	}
	answer(w, http.StatusOK, result)
}

// has sets the orders: number, time of the change, then the status of each item.
func (s *seller) has(orders ...[]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders = nil
	for _, order := range orders {
		items := make([]map[string]any, 0, len(order)-2)
		for i, status := range order[2:] {
			items = append(items, map[string]any{
				"item_id": order[0] + "-" + string(rune('a'+i)), "item_status": status, "is_exchange": i == 1,
				"shipped_at": "2026-03-14T02:00:00.120000Z",
			})
		}
		s.orders = append(s.orders, map[string]any{
			"order_no": order[0], "updated_at": order[1], "paid_at": "2026-03-14T02:00:00.120000Z",
			"recipient_name": "이서연", "items": items,
		})
	}
}

func open(t *testing.T, s *seller, path string) *mirror.Mirror {
	t.Helper()
	// On a reused connection, net/http itself retries a request with an idempotency key.
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	client, err := sellerapi.New(s.URL, "vpk_test_secret", sellerapi.WithRetry(sellerapi.RetryPolicy{Attempts: 1}),
		sellerapi.WithHTTPClient(fresh))
	require.NoError(t, err)
	m, err := mirror.Open(t.Context(), path, client)
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func rows(t *testing.T, m *mirror.Mirror, query string) []string {
	t.Helper()
	result, err := m.DB().QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, result.Close()) }()
	all := []string{}
	for result.Next() {
		var one string
		require.NoError(t, result.Scan(&one))
		all = append(all, one)
	}
	require.NoError(t, result.Err())
	return slices.Clip(all)
}
