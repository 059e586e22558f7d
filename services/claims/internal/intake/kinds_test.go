package intake_test

import (
	"testing"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/invalid/invalidtest"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/refund"
)

// Every text that this service accepts and passes on is accepted by every other
// service.
func TestKinds(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	freeze := func(change func(m *claimsv1.FreezeClaimRequest, text string)) func(string) error {
		return func(text string) error {
			m := &claimsv1.FreezeClaimRequest{ClaimNo: "C-1", Operator: "kim", Reason: "x"}
			change(m, text)
			_, err := b.client.FreezeClaim(t.Context(), m)
			return err
		}
	}
	invalidtest.RequireKind(t, invalid.ClaimNo, "claim_no",
		freeze(func(m *claimsv1.FreezeClaimRequest, text string) { m.ClaimNo = text }))
	invalidtest.RequireKind(t, invalid.Operator, "operator",
		freeze(func(m *claimsv1.FreezeClaimRequest, text string) { m.Operator = text }))
	invalidtest.RequireKind(t, invalid.Memo, "reason", freeze(func(m *claimsv1.FreezeClaimRequest, text string) { m.Reason = text }))
	invalidtest.RequireKind(t, invalid.OrderNo, "order_no", func(text string) error {
		_, err := b.client.RequestClaim(t.Context(), &claimsv1.RequestClaimRequest{OrderNo: text})
		return err
	})
	invalidtest.RequireKind(t, invalid.OptionName.Optional(), "items[0].exchange_option_name", func(text string) error {
		_, err := b.client.RequestClaim(t.Context(), &claimsv1.RequestClaimRequest{
			Type: "return", Items: []*claimsv1.ClaimItem{{ExchangeOptionName: text}},
		})
		return err
	})
}
