package conformance_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"sellerapi.dev/proto/openapi"
)

func TestTheDocumentIsValidOpenAPI31(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	require.NoError(t, document.Validate(t.Context(), openapi3.EnableMultiError()))
	require.Equal(t, "3.1.0", document.OpenAPI)
	require.Equal(t, "1.0.0", document.Info.Version)
}

// The document names the system that serves it, wherever that is: a host that is written down is wrong everywhere else, and some
// readers refuse what a variable may have beside its default.
func TestTheServerIsTheOneThatAnswers(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	require.Len(t, document.Servers, 1)
	require.Equal(t, "/", document.Servers[0].URL)
	require.Empty(t, document.Servers[0].Variables)
}

// Generators of code make a type of each of these, in one name space.
func TestComponentsOfAllKindsHaveDifferentNames(t *testing.T) {
	t.Parallel()
	components, kinds := parsed(t).Components, map[string][]string{}
	note := func(kind string, names []string) {
		for _, name := range names {
			kinds[name] = append(kinds[name], kind)
		}
	}
	note("schema", slices.Collect(maps.Keys(components.Schemas)))
	note("response", slices.Collect(maps.Keys(components.Responses)))
	note("parameter", slices.Collect(maps.Keys(components.Parameters)))
	note("request body", slices.Collect(maps.Keys(components.RequestBodies)))
	for name, all := range kinds {
		require.Len(t, all, 1, "%s: %v", name, all)
	}
}

// operations are the whole interface: id, method, path, scope.
var operations = [][4]string{
	{"list_orders", "GET", "/open/v1/orders", "orders:read"},
	{"get_order", "GET", "/open/v1/orders/{order_no}", "orders:read"},
	{"prepare_order", "POST", "/open/v1/orders/{order_no}/preparation", "orders:write"},
	{"ship_order", "POST", "/open/v1/orders/{order_no}/shipment", "orders:write"},
	{"ship_orders", "POST", "/open/v1/orders/batch/shipment", "orders:write"},
	{"deliver_order", "POST", "/open/v1/orders/{order_no}/delivery", "orders:write"},
	{"list_claims", "GET", "/open/v1/claims", "claims:read"},
	{"get_claim", "GET", "/open/v1/claims/{claim_no}", "claims:read"},
	{"approve_claim", "POST", "/open/v1/claims/{claim_no}/approve", "claims:write"},
	{"reject_claim", "POST", "/open/v1/claims/{claim_no}/reject", "claims:write"},
	{"pickup_claim", "POST", "/open/v1/claims/{claim_no}/pickup", "claims:write"},
	{"collect_done_claim", "POST", "/open/v1/claims/{claim_no}/collect-done", "claims:write"},
	{"inspect_claim", "POST", "/open/v1/claims/{claim_no}/inspect", "claims:write"},
	{"reship_claim", "POST", "/open/v1/claims/{claim_no}/reship", "claims:write"},
	{"list_inquiries", "GET", "/open/v1/qna", "qna:read"},
	{"answer_inquiry", "POST", "/open/v1/qna/{qna_id}/answer", "qna:write"},
}

func TestDocument_operationsAndScopes(t *testing.T) {
	t.Parallel()
	all := calls(parsed(t))
	require.Len(t, all, 16)
	for _, want := range operations {
		got := all[want[0]]
		require.Equal(t, want, [4]string{want[0], got.method, got.path, want[3]})
		require.Equal(t, []any{want[3]}, got.spec.Extensions["x-scopes"], want[0])
		require.Contains(t, got.spec.Description, "Needs the scope `"+want[3]+"`.", "people read it there")
		require.Nil(t, got.spec.Security, "%s must need the key as everything does", want[0])
	}
}

// Routers are held against this list, so it has to be that of the document.
func TestTheListOfOperationsIsTheDocuments(t *testing.T) {
	t.Parallel()
	list, err := openapi.Operations()
	require.NoError(t, err)
	require.Len(t, list, 18, "the sixteen, and the document itself twice")
	listed := map[string]openapi.Operation{}
	for _, operation := range list {
		listed[operation.ID] = operation
	}
	for _, want := range operations {
		require.Equal(t, openapi.Operation{ID: want[0], Method: want[1], Path: want[2], Scope: want[3]}, listed[want[0]])
	}
	require.Equal(t, "GET /open/v1/openapi.json", listed["get_openapi_json"].Route())
	require.Empty(t, listed["get_openapi_yaml"].Scope)
	require.Equal(t, "POST /open/v1/orders/:order_no/shipment", listed["ship_order"].Route())
}

func TestOnlyTheDocumentItselfNeedsNoKey(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	require.Equal(t, openapi3.SecurityRequirements{{"ApiKey": {}}}, document.Security)
	for _, path := range []string{"/open/v1/openapi.json", "/open/v1/openapi.yaml"} {
		require.Empty(t, *document.Paths.Value(path).Get.Security)
	}
	require.Len(t, document.Paths.Map(), 18)
}

func TestDocument_idempotencyKeyOfProcessCalls(t *testing.T) {
	t.Parallel()
	for name, c := range calls(parsed(t)) {
		key := c.spec.Parameters.GetByInAndName("header", "Idempotency-Key")
		if c.method == http.MethodGet {
			require.Nil(t, key, name)
			require.Nil(t, c.spec.RequestBody, name)
			continue
		}
		require.True(t, key.Required, name)
		require.EqualValues(t, 200, *key.Schema.Value.MaxLength, name)
	}
}

func TestJSONAndYAMLAreTheSameDocument(t *testing.T) {
	t.Parallel()
	var fromJSON, fromYAML any
	require.NoError(t, json.Unmarshal(openapi.JSON().Bytes(), &fromJSON))
	require.NoError(t, yaml.Unmarshal(openapi.YAML().Bytes(), &fromYAML))
	again, err := json.Marshal(fromYAML)
	require.NoError(t, err)
	var normal any
	require.NoError(t, json.Unmarshal(again, &normal))
	require.Equal(t, normal, fromJSON)
	require.Contains(t, string(openapi.JSON().Bytes()[:60]), `{"openapi":"3.1.0","info":{`, "the order of members is kept")
}

func TestTheDocumentIsServedWithItsVersion(t *testing.T) {
	t.Parallel()
	for _, document := range []openapi.Document{openapi.JSON(), openapi.YAML()} {
		get := func(tags ...string) *httptest.ResponseRecorder {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.Header["If-None-Match"] = tags
			w := httptest.NewRecorder()
			document.ServeHTTP(w, r)
			require.Equal(t, document.ETag(), w.Header().Get("ETag"))
			return w
		}
		for _, tags := range [][]string{nil, {`"other"`}, {`"a", "b"`}, {document.ETag()[1:]}} {
			w := get(tags...)
			require.Equal(t, http.StatusOK, w.Code, tags)
			require.Equal(t, document.Bytes(), w.Body.Bytes())
			require.Equal(t, document.ContentType(), w.Header().Get("Content-Type"))
		}
		for _, tags := range [][]string{{document.ETag()}, {"W/" + document.ETag()}, {`"a"`, `"b", ` + document.ETag()}, {"*"}} {
			w := get(tags...)
			require.Equal(t, http.StatusNotModified, w.Code, tags)
			require.Zero(t, w.Body.Len())
		}
	}
	require.NotEqual(t, openapi.JSON().ETag(), openapi.YAML().ETag())
}

func TestNobodyCanChangeTheDocument(t *testing.T) {
	t.Parallel()
	clear(openapi.YAML().Bytes())
	require.Contains(t, string(openapi.YAML().Bytes()), "openapi: 3.1.0")
}

// An open list in an answer may grow, so a client must not be told that it is closed. A closed list in a request is what
// the server enforces.
func TestEnums_closedInRequestsOpenInAnswers(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	fixed := []string{"SuccessMeta"} // meta.code of a success is 200 and stays it
	for name, ref := range document.Components.Schemas {
		isRequest := slices.Contains(requestSchemas, name)
		walk(name, ref.Value, func(where string, schema *openapi3.Schema) {
			if isRequest {
				require.NotContains(t, schema.Extensions, "x-extensible-enum", where)
			} else if !slices.Contains(fixed, name) {
				require.Empty(t, schema.Enum, where)
			}
		})
	}
}

// requestSchemas are the components that only requests are made of.
var requestSchemas = []string{
	"RequestTime", "ItemStatusFilter", "ItemsRequest", "ItemIds", "CarrierName", "TrackingNumber", "LogisticsCompany",
	"ShipmentRequest", "BatchShipmentRequest", "BatchShipmentEntry", "RejectRequest", "ParcelRequest", "InspectRequest",
	"AnswerRequest",
}

// walk visits a schema and those in it, without following references.
func walk(where string, schema *openapi3.Schema, visit func(where string, schema *openapi3.Schema)) {
	visit(where, schema)
	for name, property := range schema.Properties {
		if property.Ref == "" {
			walk(where+"."+name, property.Value, visit)
		}
	}
	if schema.Items != nil && schema.Items.Ref == "" {
		walk(where+"[]", schema.Items.Value, visit)
	}
}
