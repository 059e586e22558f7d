package intake_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/refund"
)

// A time that was never set is refused with the field's name, in every time field, and changes
// nothing.
func TestImplausibleTimes(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	opened, other := b.request("return", "delivered"), b.request("return", "delivered")
	must(t, b.client.RequestClaim, opened)
	for name, c := range map[string]struct {
		field string
		send  func(*timestamppb.Timestamp) error
	}{
		"request": {"requested_at", func(at *timestamppb.Timestamp) error {
			other.RequestedAt = at
			_, err := b.client.RequestClaim(t.Context(), other)
			return err
		}},
		"action": {"happened_at", func(at *timestamppb.Timestamp) error {
			_, err := b.client.ActAsOperator(t.Context(), &claimsv1.ActAsOperatorRequest{
				ClaimNo: opened.GetClaimNo(), Action: "approve", Operator: "kim", HappenedAt: at,
			})
			return err
		}},
		"refund": {"happened_at", func(at *timestamppb.Timestamp) error {
			_, err := b.client.RecordRefund(t.Context(), &claimsv1.RecordRefundRequest{
				RefundId: uuid.NewString(), Outcome: claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED, HappenedAt: at,
			})
			return err
		}},
	} {
		for _, at := range []time.Time{{}, time.Unix(0, 0), time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)} {
			require.Equal(t, []string{c.field}, fieldsOf(t, c.send(timestamppb.New(at))), name)
		}
	}
	var claims, changes int
	require.NoError(t, b.Pool.QueryRow(t.Context(),
		"select (select count(*) from claims), (select count(*) from history)").Scan(&claims, &changes))
	require.Equal(t, []int{1, 1}, []int{claims, changes}, "only the first claim exists")
}
