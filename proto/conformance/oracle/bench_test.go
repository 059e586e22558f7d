package oracle_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
)

// A slow oracle would be left out of the tests that send the most requests.
func BenchmarkCheckOfARequest(b *testing.B) {
	checker, err := oracle.New()
	require.NoError(b, err)
	body := []byte(`{"item_ids":["0195923e-8c11-7b3a-9f02-51d3c0a7e4b1"],"carrier_name":"한진택배","tracking_no":"1"}`)
	r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/open/v1/orders/A-1/shipment", nil)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "k")
	for b.Loop() {
		if err := checker.CheckRequest(r, body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckOfAPage(b *testing.B) {
	checker, err := oracle.New()
	require.NoError(b, err)
	answer := orders(b)
	body, err := json.Marshal(answer.body)
	require.NoError(b, err)
	r := httptest.NewRequestWithContext(b.Context(), answer.method, answer.target, nil)
	for b.Loop() {
		if _, err := checker.Check(r, answer.status, answer.header, body); err != nil {
			b.Fatal(err)
		}
	}
}
