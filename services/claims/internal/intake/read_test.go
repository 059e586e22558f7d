package intake_test

import (
	"math"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/refund"
)

func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	row := apierr.From(err)
	require.Equal(t, apierr.ValidationError, row.Code)
	list, _ := row.Data["errors"].([]any)
	fields := make([]string, 0, len(list))
	for _, element := range list {
		problem, ok := element.(map[string]any)
		require.True(t, ok)
		field, _ := problem["field"].(string)
		fields = append(fields, field)
	}
	return fields
}

func TestRequest_malformedFieldPaths(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	_, err := b.client.RequestClaim(t.Context(), &claimsv1.RequestClaimRequest{RequestedAt: &timestamppb.Timestamp{Nanos: -1}})
	require.Equal(t, []string{"claim_no", "order_no", "seller_id", "requested_at", "type", "reason_code", "items"}, fieldsOf(t, err))

	id := uuid.NewString()
	_, err = b.client.RequestClaim(t.Context(), &claimsv1.RequestClaimRequest{
		ClaimNo: "C/1", OrderNo: strings.Repeat("A", 65), SellerId: "{" + id + "}", Type: "refund", ReasonCode: "because",
		Items: []*claimsv1.ClaimItem{
			{ItemId: id, Quantity: 1},
			{ItemId: id, Quantity: 0, ExchangeUnitPrice: -1},
			{ItemId: "1", Quantity: 1, ExchangeUnitPrice: 1 << 60, ExchangeOptionName: "a\x00"},
		},
	})
	require.Equal(t, []string{
		"claim_no", "order_no", "seller_id", "items[2].item_id", "items[2].exchange_option_name",
		"type", "reason_code", "items[1].quantity", "items[1].item_id", "items[1].exchange_unit_price", "items[2].exchange_unit_price",
	}, fieldsOf(t, err))

	_, err = b.client.RequestClaim(t.Context(), &claimsv1.RequestClaimRequest{
		ClaimNo: "C-1", OrderNo: "O-1", SellerId: id, Type: "exchange", ReasonCode: "etc",
		Items: []*claimsv1.ClaimItem{{ItemId: id, Quantity: 1}},
	})
	require.Equal(t, []string{"items[0].exchange_option_name"}, fieldsOf(t, err))
	_, err = b.client.RequestClaim(t.Context(), &claimsv1.RequestClaimRequest{
		ClaimNo: "C-1", OrderNo: "O-1", SellerId: id, Type: "return", ReasonCode: "etc", Items: make([]*claimsv1.ClaimItem, 201),
	})
	require.Equal(t, []string{"items"}, fieldsOf(t, err))
}

// The option's name and price become a line of the order when the goods are inspected. Values that a line cannot have are refused
// while there is still a caller to report them to.
func TestRequest_impossibleLineValues(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	const name, price = "items[0].exchange_option_name", "items[0].exchange_unit_price"
	for _, row := range []struct {
		kind, option    string
		price, quantity int64
		field, code     string
	}{
		{"exchange", "파랑\tL", 0, 1, name, apierr.FieldControl},
		{"exchange", "파랑\nL", 0, 1, name, apierr.FieldControl},
		{"exchange", "파랑\u0085L", 0, 1, name, apierr.FieldControl},
		{"return", "\t", 0, 1, name, apierr.FieldControl},
		{"exchange", "", 0, 1, name, apierr.FieldRequired},
		{"exchange", " \u3164", 0, 1, name, apierr.FieldEmpty},
		{"exchange", strings.Repeat("가", 501), 0, 1, name, apierr.FieldTooLong},
		{"exchange", "L", 1_000_000_000_001, 1, price, apierr.FieldRange},
		{"exchange", "L", 500_000_000_001, 2, price, apierr.FieldRange},
		{"exchange", "L", 1, math.MaxInt64, price, apierr.FieldRange},
		{"exchange", "L", math.MaxInt64, math.MaxInt64, price, apierr.FieldRange},
		{"exchange", "L", 1 << 32, 1 << 32, price, apierr.FieldRange},
	} {
		sent := b.request(row.kind, "delivered")
		item := sent.GetItems()[0]
		item.ExchangeOptionName, item.ExchangeUnitPrice, item.Quantity = row.option, row.price, row.quantity
		_, err := b.client.RequestClaim(t.Context(), sent)
		require.Equal(t, []string{row.field}, fieldsOf(t, err), row)
		problem, _ := apierr.From(err).Data["errors"].([]any)[0].(map[string]any)
		require.Equal(t, row.code, problem["code"], row)
		require.Empty(t, b.orders.Lines(sent.GetOrderNo())[0].ClaimNo, "no line is held")
	}
	most := b.exchange(500_000_000_000)
	most.Items[0].ExchangeOptionName, most.Items[0].ExchangeListPrice = strings.Repeat("가", 500), 1_000_000_000_000
	must(t, b.client.RequestClaim, most)
	many := b.exchange(0)
	many.Items[0].Quantity = math.MaxInt64
	_, err := b.client.RequestClaim(t.Context(), many)
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	require.Equal(t, "quantity", apierr.From(err).Data["reason"], "more than the quantity of the line")
	require.Empty(t, b.orders.Lines(many.GetOrderNo())[0].ClaimNo)
}

// Every procedure reports the fields of its request that are wrong.
func TestProcedures_nameWrongFields(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	long := strings.Repeat("가", 1001)
	for name, c := range map[string]struct {
		call func() error
		want []string
	}{
		"payment": {func() error {
			_, err := b.client.RecordShortfallPayment(t.Context(), &claimsv1.RecordShortfallPaymentRequest{ClaimNo: ".."})
			return err
		}, []string{"claim_no", "payment_id", "amount"}},
		"withdraw": {func() error {
			_, err := b.client.WithdrawClaim(t.Context(), &claimsv1.WithdrawClaimRequest{ClaimNo: "가"})
			return err
		}, []string{"claim_no"}},
		"convert": {func() error {
			_, err := b.client.ConvertToReturn(t.Context(), &claimsv1.ConvertToReturnRequest{
				ClaimNo: "C-1", ReturnClaimNo: "C-1", Operator: "\u3164",
			})
			return err
		}, []string{"operator", "return_claim_no"}},
		"hold": {func() error {
			_, err := b.client.HoldInspection(t.Context(), &claimsv1.HoldInspectionRequest{ClaimNo: "C-1", Operator: long, Reason: long})
			return err
		}, []string{"operator", "reason"}},
		"freeze": {func() error {
			_, err := b.client.FreezeClaim(t.Context(), &claimsv1.FreezeClaimRequest{ClaimNo: "C-1", Operator: "kim", Reason: "a\x07"})
			return err
		}, []string{"reason"}},
		"cancel reshipment": {func() error {
			_, err := b.client.CancelReshipment(t.Context(), &claimsv1.CancelReshipmentRequest{ClaimNo: "C-1", Reason: "a\x07"})
			return err
		}, []string{"operator", "reason"}},
		"unfreeze": {func() error {
			_, err := b.client.UnfreezeClaim(t.Context(), &claimsv1.UnfreezeClaimRequest{ClaimNo: "C-1"})
			return err
		}, []string{"operator"}},
		"refund": {func() error {
			_, err := b.client.RecordRefund(t.Context(), &claimsv1.RecordRefundRequest{ProviderReference: long})
			return err
		}, []string{"refund_id", "outcome", "provider_reference"}},
		"retry": {func() error {
			_, err := b.client.RetryRefund(t.Context(), &claimsv1.RetryRefundRequest{})
			return err
		}, []string{"claim_no", "operator"}},
		"policy": {func() error {
			_, err := b.client.SetSellerPolicy(t.Context(), &claimsv1.SetSellerPolicyRequest{ShippingFeeOneWay: -1, Currency: "won"})
			return err
		}, []string{"seller_id", "shipping_fee_one_way", "currency"}},
	} {
		require.Equal(t, c.want, fieldsOf(t, c.call()), name)
	}
}

// An operator's action is parsed by the same rules and refused with the same codes as the seller's.
func TestActAsOperator_readLikeSellersAction(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	for _, c := range []struct {
		message *claimsv1.ActAsOperatorRequest
		fields  []string
		code    apierr.Code
	}{
		{&claimsv1.ActAsOperatorRequest{Action: "withdraw"}, []string{"action"}, ""},
		{&claimsv1.ActAsOperatorRequest{Action: "reject"}, []string{"memo"}, ""},
		{&claimsv1.ActAsOperatorRequest{Action: "inspect", Result: "PASS"}, []string{"result"}, ""},
		{&claimsv1.ActAsOperatorRequest{Action: "inspect", Result: "fail", Memo: " "}, nil, apierr.ClaimMemoRequired},
		{&claimsv1.ActAsOperatorRequest{Action: "pickup", CarrierName: "DHL", TrackingNo: "1"}, nil, apierr.ShipmentCarrierNotAllowed},
		{&claimsv1.ActAsOperatorRequest{Action: "reship", CarrierName: "한진택배", TrackingNo: "a\nb"}, nil, apierr.ShipmentInputInvalid},
		{&claimsv1.ActAsOperatorRequest{Action: "reship", CarrierName: "한진택배", TrackingNo: " "}, nil, apierr.ShipmentFieldsRequired},
		{&claimsv1.ActAsOperatorRequest{Action: "approve"}, nil, apierr.ClaimNotFound},
	} {
		c.message.ClaimNo, c.message.Operator = "C-none", "kim"
		_, err := b.client.ActAsOperator(t.Context(), c.message)
		if c.fields != nil {
			require.Equal(t, c.fields, fieldsOf(t, err), c.message.GetAction())
		} else {
			require.ErrorIs(t, err, c.code)
		}
	}
	never := &timestamppb.Timestamp{Nanos: -1}
	_, err := b.client.ActAsOperator(t.Context(), &claimsv1.ActAsOperatorRequest{Action: "pickup", HappenedAt: never})
	require.Equal(t, []string{"claim_no", "operator", "happened_at"}, fieldsOf(t, err))
}
