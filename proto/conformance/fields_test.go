package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

func TestEveryAnswerIsTheEnvelope(t *testing.T) {
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

// fields are the members of every object, in their order: "?" after a name says that it may be absent, "?" after a type
// that it may be null. Written down here a second time on purpose: this is what clients were told.
var fields = map[string]string{
	"OrderList": "list:[]Order next_cursor:string?",
	"Order": `order_no:string order_status:OrderState paid_at:time updated_at:time currency:string
		seller_items_amount:integer seller_discount_amount:integer seller_point_used_amount:integer
		seller_paid_amount:integer seller_shipping_fee_base:integer seller_shipping_fee_paid:integer
		orderer_name:string? orderer_phone:string? recipient_name:string? recipient_phone:string? zipcode:string?
		address1:string? address2?:string ship_memo?:string items:[]OrderItem seller_order_status:OrderState`,
	"OrderItem": `item_id:uuid item_code:string product_name:string option_name:string quantity:integer list_price:integer
		unit_price:integer line_amount:integer discount_amount:integer line_paid_amount:integer item_status:ItemState
		is_exchange:boolean has_active_claim:boolean carrier_name:string? tracking_no:string? logistics_company:string?
		shipped_at:time? delivered_at:time? confirmed_at:time? auto_confirm_at:time? origin_item_id:uuid?
		split_from_claim_no:string?`,
	"ClaimList": "list:[]Claim next_cursor:string?",
	"Claim": `claim_no:string order_no:string type:string status:string available_actions:[]ClaimAction fault:string
		reason_code:string refund_amount:integer? claim_shipping_fee:integer? price_difference:integer?
		requested_at:time completed_at:time? updated_at:time collect_carrier_name:string? collect_tracking_no:string?
		inspect_result:string? reship_carrier_name:string? reship_tracking_no:string? items:[]ClaimItem
		inspection_due_at:time? payment_due_at:time? refund_breakdown:any`,
	"RefundBreakdown": `goods:integer shipping:integer fee:integer price_difference:integer points:integer money:integer`,
	"ClaimItem": `item_code:string item_id:uuid quantity:integer product_name:string option_name:string
		exchange_option_name:string?`,
	"InquiryList": "list:[]Inquiry next_cursor:string?",
	"Inquiry": `qna_id:uuid product_id:uuid product_name:string category:string body:string is_secret:boolean
		member_display_name:string status:InquiryState image_urls:[]string created_at:time updated_at:time answer:any`,
	"InquiryAnswer":     "content:string answered_at:time",
	"InquiryAnswered":   "qna_id:uuid status:InquiryState converged:boolean answered_at:time updated_at:time answer:InquiryAnswer",
	"PreparationResult": "order_no:string order_status:OrderState updated_at:time items:[]PreparedItem",
	"PreparedItem":      "item_id:uuid item_code:string item_status:ItemState already_done:boolean",
	"ShipmentResult":    "order_no:string order_status:OrderState updated_at:time items:[]ShippedItem warnings?:Warnings",
	"DeliveryResult":    "order_no:string order_status:OrderState updated_at:time items:[]ShippedItem",
	"ShippedItem": `item_id:uuid item_code:string item_status:ItemState already_done:boolean tracking_no:string
		carrier_name:string`,
	"BatchShipmentResult":  "succeeded:[]uuid failed:[]FailedEntry summary:BatchSummary warnings?:Warnings",
	"FailedEntry":          "order_no:string order_item_public_ids:[]string error_code:string message:string",
	"BatchSummary":         "succeeded:integer failed:integer",
	"Warning":              "field:string code:string reason:string message:string",
	"FieldError":           "field:string code:string message:string allowed?:[]string",
	"ItemsRequest":         "item_ids:ItemIds",
	"ShipmentRequest":      "item_ids:ItemIds carrier_name:CarrierName tracking_no:TrackingNumber logistics_company?:string?",
	"BatchShipmentRequest": "items:[]BatchShipmentEntry",
	"BatchShipmentEntry": `order_no:string item_ids:ItemIds carrier_name:CarrierName tracking_no:TrackingNumber
		logistics_company?:string?`,
	"RejectRequest":  "memo:string",
	"ParcelRequest":  "carrier_name:CarrierName tracking_no:TrackingNumber",
	"InspectRequest": "result:string memo?:string?",
	"AnswerRequest":  "content:string",
}

func TestEveryObjectHasItsFieldsWithTheirTypes(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	for name, want := range fields {
		schema := document.Components.Schemas[name].Value
		var got []string
		for _, property := range keys(schema.Properties) {
			label := property
			if !slices.Contains(schema.Required, property) {
				label += "?"
			}
			got = append(got, label+":"+typeOf(schema.Properties[property]))
		}
		require.ElementsMatch(t, strings.Fields(want), got, name)
	}
	described := append(keys(fields), "SuccessMeta", "FailureMeta", "Failure", "ErrorData", "ItemProblem")
	for name, ref := range document.Components.Schemas {
		if len(ref.Value.Properties) > 0 && !strings.HasSuffix(name, "Envelope") {
			require.Contains(t, described, name)
		}
	}
}

// typeOf is a short name: of the component where the schema is one that has no simpler name, else of the type.
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

// limits are the sizes that the server enforces on requests: least and most characters or elements.
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

// parameters are the query parameters of the lists, in their order.
func TestListsHaveTheirFilters(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"list_orders": `paid_at_gte paid_at_lte updated_at_gte updated_at_lte order_status item_status order_no
			status_changed_to status_changed_at_gte status_changed_at_lte limit cursor`,
		"list_claims":    "type status requested_at_gte requested_at_lte updated_at_gte updated_at_lte limit cursor",
		"list_inquiries": "status updated_at_gte updated_at_lte limit cursor",
	}
	for name, c := range calls(parsed(t)) {
		var got []string
		for _, ref := range c.spec.Parameters {
			if ref.Value.In == openapi3.ParameterInQuery {
				got = append(got, ref.Value.Name)
				require.False(t, ref.Value.Required, name)
			}
		}
		require.Equal(t, strings.Fields(want[name]), append([]string{}, got...), name)
	}
}

// What was added to the first description must be recognisable as such: clients may not rely on it elsewhere.
func TestAdditionsAreMarked(t *testing.T) {
	t.Parallel()
	schemas := parsed(t).Components.Schemas
	for _, path := range []string{
		"Order.seller_order_status", "OrderItem.auto_confirm_at", "OrderItem.origin_item_id", "OrderItem.split_from_claim_no",
		"Claim.inspection_due_at", "Claim.payment_due_at", "Inquiry.answer", "ShipmentResult.warnings",
		"BatchShipmentResult.warnings",
	} {
		name, property, _ := strings.Cut(path, ".")
		require.Contains(t, schemas[name].Value.Properties[property].Value.Description, "Addition", path)
	}
}
