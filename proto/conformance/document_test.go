package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"sellerapi.dev/proto/openapi"
)

// The document is valid OpenAPI 3.1.
func TestDocument_validOpenAPI31(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	require.NoError(t, document.Validate(t.Context(), openapi3.EnableMultiError()))
	require.Equal(t, "3.1.0", document.OpenAPI)
	require.Equal(t, "1.0.0", document.Info.Version)
}

// The document refers to the system that serves it, wherever that is: a fixed host would be wrong everywhere else, and some
// readers reject what a server variable can contain apart from its default.
func TestDocument_serverIsTheAnsweringOne(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	require.Len(t, document.Servers, 1)
	require.Equal(t, "/", document.Servers[0].URL)
	require.Empty(t, document.Servers[0].Variables)
}

// Code generators create a type for each of these, in one name space.
func TestComponents_namesDifferAcrossKinds(t *testing.T) {
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

func TestDocument_operationsAndScopes(t *testing.T) {
	t.Parallel()
	for name, call := range calls(parsed(t)) {
		scopes, _ := call.spec.Extensions["x-scopes"].([]any)
		needs := "Needs a key of any scope."
		if len(scopes) > 0 {
			needs = fmt.Sprintf("Needs the scope `%s`.", scopes[0])
		}
		require.LessOrEqual(t, len(scopes), 1, name)
		require.Contains(t, call.spec.Description, needs, "people read it there")
		require.Nil(t, call.spec.Security, "%s must need the key as everything does", name)
	}
}

// Routers are compared with this list, so it must equal that of the document.
func TestOperations_listMatchesDocument(t *testing.T) {
	t.Parallel()
	list, err := openapi.Operations()
	require.NoError(t, err)
	listed := map[string]openapi.Operation{}
	for _, operation := range list {
		listed[operation.ID] = operation
	}
	all := calls(parsed(t))
	require.Len(t, listed, len(all)+2, "and the document itself, twice")
	for name, call := range all {
		scopes, _ := call.spec.Extensions["x-scopes"].([]any)
		require.Equal(t, openapi.Operation{
			ID: name, Summary: call.spec.Summary, Tag: call.spec.Tags[0], Method: call.method, Path: call.path,
			Scope: strings.Trim(fmt.Sprint(scopes), "[]"),
		}, listed[name])
	}
	require.Equal(t, "GET /open/v1/openapi.json", listed["get_openapi_json"].Route())
	require.Empty(t, listed["get_openapi_yaml"].Scope)
	require.Equal(t, "POST /open/v1/orders/:order_no/shipment", listed["ship_order"].Route())
}

// Everything requires an API key, except for the document itself.
func TestDocument_nothingElseWithoutKey(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	require.Equal(t, openapi3.SecurityRequirements{{"ApiKey": {}}}, document.Security)
	for _, path := range []string{"/open/v1/openapi.json", "/open/v1/openapi.yaml"} {
		require.Empty(t, *document.Paths.Value(path).Get.Security)
	}
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
		if name == "check_shipments" {
			require.Nil(t, key, "nothing is stored")
			continue
		}
		require.True(t, key.Required, name)
		require.EqualValues(t, 200, *key.Schema.Value.MaxLength, name)
	}
}

// JSON and YAML are the same document, with its members in the same order.
func TestDocument_sameInJSONAndYAML(t *testing.T) {
	t.Parallel()
	require.Equal(t, members(t, openapi.YAML()), members(t, openapi.JSON()))
	require.Contains(t, string(openapi.JSON().Bytes()[:60]), `{"openapi":"3.1.0","info":{`, "the order of members is kept")
}

// members returns the content of a document independently of its notation.
func members(t *testing.T, document openapi.Document) any {
	t.Helper()
	var read, normal any
	require.NoError(t, yaml.Unmarshal(document.Bytes(), &read)) // JSON is YAML
	text, err := json.Marshal(read)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &normal))
	return normal
}

// A caller that modifies the returned bytes does not modify the document.
func TestDocument_immutableFromOutside(t *testing.T) {
	t.Parallel()
	clear(openapi.YAML().Bytes())
	require.Contains(t, string(openapi.YAML().Bytes()), "openapi: 3.1.0")
}

// An open list in a response may grow, so the contract must not declare it as closed. A closed list in a request is what the
// server enforces.
func TestEnums_closedInRequestsOpenInAnswers(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	requestSchemas := onlyRequested(document)
	require.Contains(t, requestSchemas, "ShipmentRequest")
	fixed := []string{"SuccessMeta"} // meta.code of a success is always 200
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

func onlyRequested(document *openapi3.T) []string {
	requested, answered := map[string]bool{}, map[string]bool{}
	for _, c := range calls(document) {
		for _, ref := range c.spec.Parameters {
			reach(ref.Value.Schema, requested)
		}
		if c.spec.RequestBody != nil {
			reach(c.spec.RequestBody.Value.Content["application/json"].Schema, requested)
		}
	}
	responses(document, func(_ string, _ int, response *openapi3.Response) {
		reach(response.Content["application/json"].Schema, answered)
	})
	return slices.DeleteFunc(slices.Collect(maps.Keys(requested)), func(name string) bool { return answered[name] })
}

func reach(ref *openapi3.SchemaRef, names map[string]bool) {
	if name, isComponent := strings.CutPrefix(ref.Ref, "#/components/schemas/"); isComponent {
		if names[name] {
			return
		}
		names[name] = true
	}
	for _, property := range ref.Value.Properties {
		reach(property, names)
	}
	for _, one := range ref.Value.OneOf {
		reach(one, names)
	}
	if ref.Value.Items != nil {
		reach(ref.Value.Items, names)
	}
}

// walk visits a schema and its nested schemas, without following references.
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
