package lines_test

import (
	"testing"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/invalid/invalidtest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// What claims has accepted and passes on must be accepted here, because the caller got
// its response long before.
func TestKinds(t *testing.T) {
	t.Parallel()
	s := serve(t)
	invalidtest.RequireKind(t, invalid.ClaimNo, "claim_no", func(text string) error {
		_, err := s.Settle(t.Context(), &ordersv1.SettleRequest{ClaimNo: text})
		return err
	})
	invalidtest.RequireKind(t, invalid.ClaimNo, "return_claim_no", func(text string) error {
		_, err := s.Convert(t.Context(), &ordersv1.ConvertRequest{ClaimNo: "C-1", ReturnClaimNo: text})
		return err
	})
	invalidtest.RequireKind(t, invalid.OptionName.Optional(), "lines[0].exchange_option_name", func(text string) error {
		_, err := s.AddExchangeLine(t.Context(), &ordersv1.AddExchangeLineRequest{
			ClaimNo: "C-1", Lines: []*ordersv1.ExchangeLine{{ItemId: uuid.NewString(), ExchangeOptionName: text}},
		})
		return err
	})
}
