package conformance_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// published are all codes that were ever promised to clients, with their statuses. Written down here a second time on
// purpose: a code that disappears from the document, or moves to another status, breaks clients.
var published = map[string]int{
	"ORDER_BATCH_ERROR":                200,
	"SHIPMENT_FIELDS_REQUIRED":         400,
	"SHIPMENT_INPUT_INVALID":           400,
	"CLAIM_MEMO_REQUIRED":              400,
	"API_KEY_REQUIRED":                 401,
	"INVALID_API_KEY":                  401,
	"SCOPE_FORBIDDEN":                  403,
	"ORDER_NOT_FOUND":                  404,
	"CLAIM_NOT_FOUND":                  404,
	"QNA_NOT_FOUND":                    404,
	"ORDER_ITEM_NOT_FOUND":             404,
	"IDEMPOTENCY_KEY_REUSED":           409,
	"IDEMPOTENCY_IN_PROGRESS":          409,
	"IDEMPOTENCY_UNRESOLVED":           409,
	"ORDER_ITEM_NOT_PREPARABLE":        409,
	"ORDER_ITEM_NOT_SHIPPABLE":         409,
	"ORDER_ITEM_NOT_DELIVERABLE":       409,
	"ORDER_ITEM_HAS_ACTIVE_CLAIM":      409,
	"SHIPMENT_STATE_CONFLICT":          409,
	"EXCHANGE_ITEM_NOT_PREPARABLE":     409,
	"EXCHANGE_ITEM_NOT_RESHIPPING":     409,
	"CLAIM_NOT_APPROVABLE":             409,
	"CLAIM_NOT_REJECTABLE":             409,
	"CLAIM_NOT_COLLECTABLE":            409,
	"CLAIM_NOT_COLLECT_DONE":           409,
	"CLAIM_NOT_INSPECTABLE":            409,
	"CLAIM_NOT_RESHIPPABLE":            409,
	"EXCHANGE_ITEM_SHIP_FAILED":        409,
	"QNA_ALREADY_ANSWERED":             409,
	"QNA_ANSWER_UNRESOLVED":            409,
	"IDEMPOTENCY_RESULT_EXPIRED":       410,
	"VALIDATION_ERROR":                 422,
	"IDEMPOTENCY_KEY_REQUIRED":         422,
	"IDEMPOTENCY_KEY_TOO_LONG":         422,
	"INVALID_CURSOR":                   422,
	"STATUS_CHANGED_FILTER_INCOMPLETE": 422,
	"STATUS_CHANGED_RANGE_INVALID":     422,
	"SHIPMENT_CARRIER_NOT_ALLOWED":     422,
	"RATE_LIMITED":                     429,
	"RATE_LIMIT_UNAVAILABLE":           503,
}

// inBatch are the codes of a batch shipment's failed entries.
var inBatch = []string{
	"ORDER_BATCH_ERROR", "SHIPMENT_FIELDS_REQUIRED", "SHIPMENT_INPUT_INVALID", "ORDER_NOT_FOUND", "ORDER_ITEM_NOT_FOUND",
	"ORDER_ITEM_NOT_SHIPPABLE", "ORDER_ITEM_HAS_ACTIVE_CLAIM", "SHIPMENT_STATE_CONFLICT", "EXCHANGE_ITEM_NOT_RESHIPPING",
	"SHIPMENT_CARRIER_NOT_ALLOWED",
}

func TestCodes_usedWithTheirStatus(t *testing.T) {
	t.Parallel()
	used := map[string]int{"ORDER_BATCH_ERROR": 200} // stands in the entries of a batch only
	responses(parsed(t), func(where string, status int, response *openapi3.Response) {
		for _, code := range codes(response) {
			if code != "" {
				require.Equal(t, published[code], status, "%s: %s", where, code)
				used[code] = status
			}
		}
	})
	require.Equal(t, published, used)
}

func TestTheListOfCodesIsWhole(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	all := slices.Sorted(maps.Keys(published))
	alone := slices.DeleteFunc(slices.Clone(all), func(code string) bool { return code == "ORDER_BATCH_ERROR" })
	require.ElementsMatch(t, alone, extensible(document.Components.Schemas["ErrorCode"].Value))
	failed := document.Components.Schemas["FailedEntry"].Value.Properties["error_code"].Value
	require.Equal(t, inBatch, extensible(failed))
}

var tableRow = regexp.MustCompile("(?m)^\\| (\\d{3}) \\| `([A-Z_]+)` \\| (yes)? ?\\| [^|]+ \\|$")

func TestTheTableOfErrorsIsWhole(t *testing.T) {
	t.Parallel()
	var batch []string
	rows := map[string]int{}
	for _, row := range tableRow.FindAllStringSubmatch(parsed(t).Info.Description, -1) {
		status, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		rows[row[2]] = status
		if row[3] == "yes" {
			batch = append(batch, row[2])
		}
	}
	require.Equal(t, published, rows)
	require.ElementsMatch(t, inBatch, batch)
}

// What an operation can refuse is worth as much as what it can return. Written out so that a change of a shared response
// shows here for each operation that it reaches.
func TestEveryOperationHasItsCodes(t *testing.T) {
	t.Parallel()
	const (
		key      = " 409 IDEMPOTENCY_KEY_REUSED IDEMPOTENCY_IN_PROGRESS"
		input    = " 422 VALIDATION_ERROR IDEMPOTENCY_KEY_REQUIRED IDEMPOTENCY_KEY_TOO_LONG"
		shipment = " 400 SHIPMENT_FIELDS_REQUIRED SHIPMENT_INPUT_INVALID 422 SHIPMENT_CARRIER_NOT_ALLOWED"
		items    = " 404 ORDER_NOT_FOUND ORDER_ITEM_NOT_FOUND 409 ORDER_ITEM_HAS_ACTIVE_CLAIM" + key + input
		claim    = " 404 CLAIM_NOT_FOUND 409 IDEMPOTENCY_UNRESOLVED" + key + input
	)
	want := map[string]string{
		"list_orders":        "422 VALIDATION_ERROR INVALID_CURSOR STATUS_CHANGED_FILTER_INCOMPLETE STATUS_CHANGED_RANGE_INVALID",
		"get_order":          "404 ORDER_NOT_FOUND 422 VALIDATION_ERROR",
		"prepare_order":      items + " 409 ORDER_ITEM_NOT_PREPARABLE EXCHANGE_ITEM_NOT_PREPARABLE",
		"ship_order":         items + shipment + " 409 ORDER_ITEM_NOT_SHIPPABLE SHIPMENT_STATE_CONFLICT EXCHANGE_ITEM_NOT_RESHIPPING",
		"ship_orders":        key + input,
		"deliver_order":      items + " 409 ORDER_ITEM_NOT_DELIVERABLE",
		"list_claims":        "422 VALIDATION_ERROR INVALID_CURSOR",
		"get_claim":          "404 CLAIM_NOT_FOUND 422 VALIDATION_ERROR",
		"approve_claim":      claim + " 409 CLAIM_NOT_APPROVABLE",
		"reject_claim":       claim + " 409 CLAIM_NOT_REJECTABLE",
		"pickup_claim":       claim + shipment + " 409 CLAIM_NOT_COLLECTABLE",
		"collect_done_claim": claim + " 409 CLAIM_NOT_COLLECT_DONE",
		"inspect_claim":      claim + " 400 CLAIM_MEMO_REQUIRED 409 CLAIM_NOT_INSPECTABLE",
		"reship_claim":       claim + shipment + " 409 CLAIM_NOT_RESHIPPABLE EXCHANGE_ITEM_SHIP_FAILED",
		"list_inquiries":     "422 VALIDATION_ERROR INVALID_CURSOR",
		"answer_inquiry":     "404 QNA_NOT_FOUND 409 QNA_ALREADY_ANSWERED QNA_ANSWER_UNRESOLVED" + key + input,
	}
	for name, c := range calls(parsed(t)) {
		expected := words(want[name])
		expected = append(expected, everywhere...)
		if c.method == "POST" {
			expected = append(expected, "410 IDEMPOTENCY_RESULT_EXPIRED", "413 ")
		}
		if c.spec.RequestBody != nil {
			expected = append(expected, "415 ")
		}
		var got []string
		for status, ref := range c.spec.Responses.Map() {
			for _, code := range codes(ref.Value) {
				got = append(got, status+" "+code)
			}
		}
		require.ElementsMatch(t, expected, got, name)
	}
}

// everywhere are the refusals that every operation shares; those without a code end in a blank.
var everywhere = []string{
	"401 API_KEY_REQUIRED", "401 INVALID_API_KEY", "403 SCOPE_FORBIDDEN", "429 RATE_LIMITED", "500 ", "502 ",
	"503 RATE_LIMIT_UNAVAILABLE", "503 ", "504 ",
}

// words turns "404 A B 409 C" into "404 A", "404 B", "409 C".
func words(text string) []string {
	var list []string
	status := ""
	for word := range strings.FieldsSeq(text) {
		if word[0] >= '0' && word[0] <= '9' {
			status = word
			continue
		}
		list = append(list, status+" "+word)
	}
	return list
}

func TestTheDescriptionOfAResponseNamesItsCodes(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`([A-Z]+(?:_[A-Z]+)+)`")
	responses(parsed(t), func(where string, _ int, response *openapi3.Response) {
		matches := named.FindAllStringSubmatch(*response.Description, -1)
		mentioned := make([]string, 0, len(matches))
		for _, match := range matches {
			mentioned = append(mentioned, match[1])
		}
		listed := slices.DeleteFunc(codes(response), func(code string) bool { return code == "" })
		require.ElementsMatch(t, listed, mentioned, where)
	})
}

// extensible are the values of an open list.
func extensible(schema *openapi3.Schema) []string {
	listed, _ := schema.Extensions["x-extensible-enum"].([]any)
	values := make([]string, 0, len(listed))
	for _, value := range listed {
		values = append(values, fmt.Sprint(value))
	}
	return values
}
