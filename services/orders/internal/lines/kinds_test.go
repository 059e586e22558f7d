package lines_test

import (
	"testing"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/invalid/invalidtest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// What claims has taken and hands on must be taken here: it was answered for long before.
func TestKinds(t *testing.T) {
	t.Parallel()
	p := setup(t)
	invalidtest.RequireKind(t, invalid.ClaimNo, "claim_no", func(text string) error {
		_, err := ask(t, p.calls.Settle, &ordersv1.SettleRequest{ClaimNo: text})
		return err
	})
	invalidtest.RequireKind(t, invalid.ClaimNo, "return_claim_no", func(text string) error {
		_, err := ask(t, p.calls.Convert, &ordersv1.ConvertRequest{ClaimNo: "C-1", ReturnClaimNo: text})
		return err
	})
	invalidtest.RequireKind(t, invalid.OptionName.Optional(), "lines[0].exchange_option_name", func(text string) error {
		_, err := ask(t, p.calls.AddExchangeLine, &ordersv1.AddExchangeLineRequest{
			ClaimNo: "C-1", Lines: []*ordersv1.ExchangeLine{{ItemId: p.ids[0], ExchangeOptionName: text}},
		})
		return err
	})
}
