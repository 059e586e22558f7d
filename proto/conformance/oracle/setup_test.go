package oracle_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
	"sellerapi.dev/proto/openapi"
)

// loaded is the document, parsed once for all tests, which do not modify it.
var loaded = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(openapi.YAML().Bytes())
})

type sample struct {
	method, target string
	status         int
	header         http.Header
	// body is the decoded body; raw replaces it.
	body map[string]any
	raw  []byte
}

func good(tb testing.TB, method, target string, status int, example string) *sample {
	tb.Helper()
	document, err := loaded()
	require.NoError(tb, err)
	s := &sample{method: method, target: target, status: status, header: http.Header{}}
	for name, value := range map[string]string{
		"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "X-Request-Id": "id-1",
		"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "60",
	} {
		s.header.Set(name, value)
	}
	text, err := json.Marshal(document.Components.Examples[example].Value.Value)
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(text, &s.body))
	if data, ok := s.at("meta")["error_data"].(map[string]any); ok {
		s.header.Set("X-Request-Id", data["request_id"].(string))
	}
	return s
}

// at returns an object in the body: path names members, and "0" is the first element of a list.
func (s *sample) at(path string) map[string]any {
	var value any = s.body
	for step := range strings.SplitSeq(path, ".") {
		switch container := value.(type) {
		case map[string]any:
			value = container[step]
		case []any:
			value = container[0]
		}
	}
	object, _ := value.(map[string]any)
	return object
}

func (s *sample) check(t *testing.T, checker *oracle.Oracle) (oracle.Finding, error) {
	t.Helper()
	body := s.raw
	if body == nil && s.body != nil {
		var err error
		body, err = json.Marshal(s.body)
		require.NoError(t, err)
	}
	r := httptest.NewRequestWithContext(t.Context(), s.method, s.target, nil)
	return checker.Check(r, s.status, s.header, body)
}

func orders(tb testing.TB) *sample {
	tb.Helper()
	return good(tb, http.MethodGet, "/open/v1/orders?limit=2", http.StatusOK, "order_page")
}

func conflict(tb testing.TB) *sample {
	tb.Helper()
	s := good(tb, http.MethodPost, "/open/v1/orders/A-1/shipment", http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
	s.header.Set("X-RateLimit-Limit", "30")
	return s
}

func limited(tb testing.TB) *sample {
	tb.Helper()
	s := good(tb, http.MethodGet, "/open/v1/orders", http.StatusTooManyRequests, "RATE_LIMITED")
	s.header.Set("Retry-After", "17")
	return s
}

func batch(tb testing.TB) *sample {
	tb.Helper()
	s := good(tb, http.MethodPost, "/open/v1/orders/batch/shipment", http.StatusOK, "batch_partly_failed")
	s.header.Set("X-RateLimit-Limit", "30")
	return s
}

func fresh(t *testing.T, options ...oracle.Option) *oracle.Oracle {
	t.Helper()
	checker, err := oracle.New(options...)
	require.NoError(t, err)
	return checker
}
