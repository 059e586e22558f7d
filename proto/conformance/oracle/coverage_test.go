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
)

func TestCoverage_byOperationStatusAndCode(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	promised := checker.Promised()
	require.Equal(t, promised, checker.Unseen())
	require.Contains(t, promised, oracle.Finding{Operation: "ship_order", Status: 409, Code: "SHIPMENT_STATE_CONFLICT"})
	require.Contains(t, promised, oracle.Finding{Operation: "ship_order", Status: 503})
	require.Contains(t, promised, oracle.Finding{Operation: "ship_order", Status: 503, Code: "RATE_LIMIT_UNAVAILABLE"})

	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { _, _ = conflict(t).check(t, checker) })
	}
	group.Wait()
	finding, err := conflict(t).check(t, checker)
	require.NoError(t, err)
	require.Equal(t, "ship_order 409 SHIPMENT_STATE_CONFLICT", finding.String())
	spoiled := orders(t)
	delete(spoiled.body, "data")
	_, err = spoiled.check(t, checker)
	require.Error(t, err)

	require.Equal(t, map[oracle.Finding]int{finding: 9}, checker.Seen())
	require.NotContains(t, checker.Unseen(), finding)
	require.Len(t, checker.Unseen(), len(promised)-1)
}

// Requests are compared with the contract: path, query, idempotency key and body.
func TestCheckRequest_againstContract(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	const shipment = "/open/v1/orders/A-1/shipment"
	const item = `"item_ids":["0195923e-8c11-7b3a-9f02-51d3c0a7e4b1"]`
	for name, one := range map[string]struct {
		method, target, key, body string
		ok                        bool
	}{
		"a list":              {"GET", "/open/v1/orders?limit=100&updated_at_gte=2026-03-14T00:00:00%2B09:00", "", "", true},
		"a page too large":    {"GET", "/open/v1/orders?limit=101", "", "", false},
		"a time with a blank": {"GET", "/open/v1/orders?updated_at_gte=2026-03-14T00:00:00+09:00", "", "", false},
		"an unknown state":    {"GET", "/open/v1/orders?item_status=pending", "", "", false},
		"a shipment":          {"POST", shipment, "k", `{` + item + `,"carrier_name":"한진택배","tracking_no":"1"}`, true},
		"no key":              {"POST", shipment, "", `{` + item + `,"carrier_name":"한진택배","tracking_no":"1"}`, false},
		"a blank key":         {"POST", shipment, "  ", `{` + item + `,"carrier_name":"한진택배","tracking_no":"1"}`, false},
		"a long key": {
			"POST", shipment, strings.Repeat("k", 201),
			`{` + item + `,"carrier_name":"한진택배","tracking_no":"1"}`, false,
		},
		"another carrier":   {"POST", shipment, "k", `{` + item + `,"carrier_name":"DHL","tracking_no":"1"}`, false},
		"no items":          {"POST", shipment, "k", `{"item_ids":[],"carrier_name":"한진택배","tracking_no":"1"}`, false},
		"no body":           {"POST", shipment, "k", ``, false},
		"an unknown member": {"POST", shipment, "k", `{` + item + `,"carrier_name":"한진택배","tracking_no":"1","x":1}`, true},
		"passed":            {"POST", "/open/v1/claims/C-1/inspect", "k", `{"result":"pass"}`, true},
		"failed with memo":  {"POST", "/open/v1/claims/C-1/inspect", "k", `{"result":"fail","memo":"사용 흔적"}`, true},
		"failed without":    {"POST", "/open/v1/claims/C-1/inspect", "k", `{"result":"fail"}`, false},
		"approved":          {"POST", "/open/v1/claims/C-1/approve", "k", ``, true},
		"nowhere":           {"POST", "/open/v1/claims/C-1/aprove", "k", ``, false},
	} {
		r, err := http.NewRequestWithContext(t.Context(), one.method, one.target, strings.NewReader("untouched"))
		require.NoError(t, err)
		if one.key != "" {
			r.Header.Set("Idempotency-Key", one.key)
		}
		r.Header.Set("Content-Type", "application/json")
		err = checker.CheckRequest(r, []byte(one.body))
		require.Equal(t, one.ok, err == nil, "%s: %v", name, err)
	}
}

// The outcomes of batch entries are promised and recorded as seen like responses.
func TestCoverage_failedBatchEntries(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	entry := func(code string) oracle.Finding {
		return oracle.Finding{Operation: "ship_orders", Status: 200, Code: code}
	}
	require.Contains(t, checker.Promised(), entry("ORDER_BATCH_ERROR"))
	answer := batch(t)
	_, err := answer.check(t, checker)
	require.NoError(t, err)
	seen := map[oracle.Finding]int{entry(""): 1, entry("SHIPMENT_STATE_CONFLICT"): 1, entry("ORDER_NOT_FOUND"): 1}
	require.Equal(t, seen, checker.Seen())
	answer.at("data.failed.0")["error_code"] = "OUT_OF_LUCK"
	_, err = answer.check(t, checker)
	require.ErrorContains(t, err, "/data/failed/0/error_code")
	require.Equal(t, seen, checker.Seen(), "what is wrong is not seen")
}

// The contract describes the responses to unknown paths and methods, which must be seen too.
func TestCoverage_answersWithoutOperation(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	for _, status := range []int{http.StatusNotFound, http.StatusMethodNotAllowed} {
		require.Contains(t, checker.Unseen(), oracle.Finding{Status: status})
	}
}

// If a test sends what the contract forbids and the response is a success, either the test or the contract is wrong.
func TestCheck_doneRequestMatchesContract(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	exchange := func(s *sample, sent string) error {
		r := httptest.NewRequestWithContext(t.Context(), s.method, s.target, nil)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "k")
		body, err := json.Marshal(s.body)
		require.NoError(t, err)
		_, err = checker.CheckExchange(r, []byte(sent), s.status, s.header, body)
		return err
	}
	const entry = `{"order_no":"A-1","item_ids":["0195923e-8c11-7b3a-9f02-51d3c0a7e4b1"],"carrier_name":"%s","tracking_no":"1"}`
	sent := func(carrier string) string { return `{"items":[` + strings.Replace(entry, "%s", carrier, 1) + `]}` }
	done := batch(t)
	done.at("data")["failed"] = []any{}
	require.NoError(t, exchange(done, sent("한진택배")))
	require.ErrorContains(t, exchange(done, sent("DHL")), "carrier_name")
	require.NoError(t, exchange(batch(t), sent("DHL")), "an entry was refused, perhaps this one")
	require.NoError(t, exchange(conflict(t), `{}`), "a refusal says nothing about the request")
	list := orders(t)
	list.target = "/open/v1/orders?limit=1000"
	require.ErrorContains(t, exchange(list, ""), "limit")
}

// The validator that checks responses and requests knows the keywords of OpenAPI 3.0 and type lists. A schema with another
// keyword would silently be checked without it. The one request schema with `if` is checked by another validator.
func TestSchemas_onlyKnownKeywords(t *testing.T) {
	t.Parallel()
	document, err := loaded()
	require.NoError(t, err)
	for name, ref := range document.Components.Schemas {
		if name == "InspectRequest" {
			continue
		}
		require.NoError(t, openapi3.NewSchemaRef("", ref.Value).WalkSubtree(func(where string, inner *openapi3.SchemaRef) error {
			s := inner.Value
			require.True(t, s.Const == nil && s.If == nil && s.Then == nil && s.Else == nil && s.Contains == nil, "%s%s", name, where)
			require.Empty(t, s.PrefixItems, "%s%s", name, where)
			require.Empty(t, s.PatternProperties, "%s%s", name, where)
			require.Empty(t, s.DependentSchemas, "%s%s", name, where)
			require.Empty(t, s.DependentRequired, "%s%s", name, where)
			require.Empty(t, s.AllOf, "%s%s: strictness does not reach through allOf", name, where)
			require.Nil(t, s.PropertyNames, "%s%s", name, where)
			return nil
		}))
	}
}
