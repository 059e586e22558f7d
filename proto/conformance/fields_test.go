package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// Every response is the envelope, with data in successes and without in failures.
func TestResponses_areEnvelopes(t *testing.T) {
	t.Parallel()
	responses(parsed(t), func(where string, status int, response *openapi3.Response) {
		schema := response.Content["application/json"].Schema.Value
		require.Len(t, response.Content, 1, where)
		require.Equal(t, []string{"data", "meta"}, keys(schema.Properties), where)
		require.ElementsMatch(t, []string{"data", "meta"}, schema.Required, where)
		meta, data := schema.Properties["meta"], schema.Properties["data"]
		if status < 400 {
			require.Equal(t, "#/components/schemas/SuccessMeta", meta.Ref, where)
			require.False(t, data.Value.Type.Includes("null"), where)
			return
		}
		require.Equal(t, "#/components/schemas/FailureMeta", meta.Ref, where)
		require.True(t, data.Value.Type.Is("null"), where)
	})
	for _, name := range []string{"SuccessMeta", "FailureMeta"} {
		meta := parsed(t).Components.Schemas[name].Value
		require.Equal(t, []string{"code", "error_code", "error_data", "message"}, keys(meta.Properties))
		require.ElementsMatch(t, keys(meta.Properties), meta.Required)
	}
}

// The members of every object as promised to clients: "?" after a name means that it may be absent, "?" after a type that it
// may be null.
func TestObjects_promisedFields(t *testing.T) {
	t.Parallel()
	schemas := parsed(t).Components.Schemas
	var lines []string
	for _, name := range keys(schemas) {
		schema := schemas[name].Value
		if len(schema.Properties) == 0 || strings.HasSuffix(name, "Envelope") {
			continue
		}
		lines = append(lines, name)
		for _, property := range keys(schema.Properties) {
			label := property
			if !slices.Contains(schema.Required, property) {
				label += "?"
			}
			lines = append(lines, "  "+label+": "+typeOf(schema.Properties[property]))
		}
	}
	promised(t, "testdata/fields.txt", lines)
}

// typeOf returns a short name of a type: that of the component if the schema refers to one without a simpler name, otherwise
// that of the type.
func typeOf(ref *openapi3.SchemaRef) string {
	schema := ref.Value
	name := strings.TrimPrefix(ref.Ref, "#/components/schemas/")
	kind := ""
	if schema.Type != nil {
		kind = schema.Type.Slice()[0]
	}
	switch {
	case schema.Format == "date-time":
		kind = "time"
	case schema.Format == "uuid":
		kind = "uuid"
	case kind == "":
		kind = "any"
	case name != "" && kind != "integer" && !schema.Type.Includes("null"):
		return name
	case kind == "array":
		return "[]" + typeOf(schema.Items)
	}
	if schema.Type.Includes("null") {
		kind += "?"
	}
	return kind
}

// Requests have the size limits that the server enforces: the minimum and maximum number of characters or elements.
func TestRequestsHaveTheirLimits(t *testing.T) {
	t.Parallel()
	schemas := parsed(t).Components.Schemas
	for path, most := range map[string]uint64{
		"ItemsRequest.item_ids": 200, "BatchShipmentRequest.items": 500, "ShipmentRequest.carrier_name": 50,
		"ShipmentRequest.tracking_no": 60, "ShipmentRequest.logistics_company": 100, "RejectRequest.memo": 1000,
		"InspectRequest.memo": 1000, "AnswerRequest.content": 4000, "ParcelRequest.tracking_no": 60,
	} {
		name, property, _ := strings.Cut(path, ".")
		schema := schemas[name].Value.Properties[property].Value
		bound := schema.MaxLength
		if schema.Type.Includes("array") {
			bound = schema.MaxItems
			require.EqualValues(t, 1, schema.MinItems, path)
		}
		require.NotNil(t, bound, path)
		require.Equal(t, most, *bound, path)
	}
	require.True(t, schemas["ItemIds"].Value.UniqueItems)
	require.Equal(t, []any{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"}, schemas["CarrierName"].Value.Enum)
}

// Additions to the original specification must be recognizable as such: clients may not rely on them elsewhere.
func TestAdditionsAreMarked(t *testing.T) {
	t.Parallel()
	schemas := parsed(t).Components.Schemas
	for _, path := range []string{
		"Order.seller_order_status", "OrderItem.auto_confirm_at", "OrderItem.origin_item_id", "OrderItem.split_from_claim_no",
		"OrderItem.ship_by",
		"Claim.inspection_due_at", "Claim.payment_due_at", "Inquiry.answer", "ShipmentResult.warnings",
		"BatchShipmentResult.warnings",
	} {
		name, property, _ := strings.Cut(path, ".")
		require.Contains(t, schemas[name].Value.Properties[property].Value.Description, "Addition", path)
	}
}
