package app

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/services/console/internal/pages"
)

// schema is a schema of the contract, as far as its members go.
type schema struct {
	Properties map[string]json.RawMessage
}

func schemas(t *testing.T) map[string]schema {
	t.Helper()
	var document struct {
		Components struct{ Schemas map[string]schema }
	}
	require.NoError(t, json.Unmarshal(openapi.JSON().Bytes(), &document))
	return document.Components.Schemas
}

// Each member of a record is shown, or knowingly left out because it is of a customer: a member that the contract gets is in
// neither list.
func TestShapes_coverContract(t *testing.T) {
	t.Parallel()
	all := schemas(t)
	const inTable = "items"
	for _, test := range []struct {
		service                       operation.Service
		schema, itemSchema            string
		ofCustomers, textsOfItem, own []string
	}{
		{operation.Orders, "Order", "OrderItem", []string{
			"orderer_name", "orderer_phone", "recipient_name", "recipient_phone", "zipcode", "address1", "address2", "ship_memo",
		}, []string{"warnings"}, []string{"order_no", inTable}},
		{operation.Claims, "Claim", "ClaimItem", nil, nil, []string{"claim_no", inTable}},
		{operation.QnA, "Inquiry", "", []string{"body", "member_display_name", "image_urls"}, nil, []string{"qna_id"}},
	} {
		require.ElementsMatch(t, names(all[test.schema]),
			slices.Concat(roots(shapes[test.service].members), test.ofCustomers, test.own), test.schema)
		require.ElementsMatch(t, names(all[test.itemSchema]),
			slices.Concat(shapes[test.service].items, test.textsOfItem), test.itemSchema)
	}
	for parent, name := range map[string]string{"refund_breakdown": "RefundBreakdown", "answer": "InquiryAnswer"} {
		for _, shape := range shapes {
			for _, member := range shape.members {
				if root, inner, nested := strings.Cut(member, "."); nested && root == parent {
					require.Contains(t, all[name].Properties, inner)
				}
			}
		}
	}
}

func names(of schema) []string {
	list := make([]string, 0, len(of.Properties))
	for name := range of.Properties {
		list = append(list, name)
	}
	return list
}

// roots returns the members without what stands after a dot, each once.
func roots(members []string) []string {
	var list []string
	for _, member := range members {
		if root, _, _ := strings.Cut(member, "."); !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}

// Values are shown as the interface has them; members without a value, and columns without one in any item, are not.
func TestRecordView(t *testing.T) {
	t.Parallel()
	record, err := structpb.NewStruct(map[string]any{
		"type": "return", "available_actions": []any{"approve", "reject"}, "refund_amount": 1234567.0, "already_done": false,
		"completed_at": nil, "refund_breakdown": map[string]any{"goods": 1000.0}, "recipient_name": "Kim Yuna",
		"items": []any{map[string]any{"item_id": "a", "quantity": 2.0}, map[string]any{"item_id": "b", "option_name": "blue"}},
	})
	require.NoError(t, err)
	require.Equal(t, &pages.Record{
		Facts: []pages.Fact{
			{Name: "type", Value: "return"},
			{Name: "available_actions", Value: "approve, reject"},
			{Name: "already_done", Value: "false"},
			{Name: "refund_amount", Value: "1234567"},
			{Name: "refund_breakdown.goods", Value: "1000"},
		},
		Items: []pages.RecordColumn{
			{Name: "item_id", Values: []string{"a", "b"}},
			{Name: "quantity", Values: []string{"2", ""}},
			{Name: "option_name", Values: []string{"", "blue"}},
		},
	}, recordView(record, shapes[operation.Claims]))
	require.Equal(t, &pages.Record{}, recordView(nil, shapes[operation.QnA]))
	empty, err := structpb.NewStruct(map[string]any{"available_actions": []any{}})
	require.NoError(t, err)
	require.Equal(t, []pages.Fact{{Name: "available_actions", Value: "–"}}, recordView(empty, shapes[operation.Claims]).Facts)
}

// Every operation that names a record has an owner whose records have a shape; one of a later gateway has none.
func TestOwnerOf(t *testing.T) {
	t.Parallel()
	for _, op := range operation.All() {
		if strings.Contains(op.Path, "/:") {
			require.Contains(t, shapes, ownerOf(op.Name), op.Name)
		}
	}
	require.Empty(t, ownerOf("later"))
}
