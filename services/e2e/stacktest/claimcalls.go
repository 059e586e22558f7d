package stacktest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/structpb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
)

const operator = "운영자"

type procedure[Q, A any] func(context.Context, *Q) (*A, error)

const callTimeout = 20 * time.Second

// Try makes an RPC call, which may be refused. As the contracts ask of callers, it retries an unanswered call: every call
// is idempotent.
func Try[Q, A any](t *testing.T, call procedure[Q, A], message *Q) (*A, error) {
	t.Helper()
	for until := time.Now().Add(busyTimeout); ; {
		ctx, cancel := context.WithTimeout(t.Context(), callTimeout)
		answer, err := call(ctx, message)
		cancel()
		switch code := connect.CodeOf(err); {
		case err == nil:
			return answer, nil
		case (code == connect.CodeUnavailable || code == connect.CodeDeadlineExceeded) && time.Now().Before(until):
		default:
			return nil, err
		}
	}
}

// RequireRefusal checks that an RPC call was refused with a code of the error table, and returns its error_data.
func RequireRefusal(t *testing.T, err error, code string) map[string]any {
	t.Helper()
	var refusal *connect.Error
	require.ErrorAs(t, err, &refusal)
	require.NotEmpty(t, refusal.Details(), "%v", err)
	detail, err := refusal.Details()[0].Value()
	require.NoError(t, err)
	row, ok := detail.(*structpb.Struct)
	require.True(t, ok)
	require.Equal(t, code, row.AsMap()["error_code"], "%v", refusal)
	data, _ := row.AsMap()["error_data"].(map[string]any)
	return data
}

// Must makes an RPC call that must succeed.
func Must[Q, A any](t *testing.T, call procedure[Q, A], message *Q) *A {
	t.Helper()
	answer, err := Try(t, call, message)
	require.NoError(t, err)
	return answer
}

// RequestClaim requests a claim and returns its first state and the amount that the customer has to pay first.
func (s *Stack) RequestClaim(t *testing.T, request *claimsv1.RequestClaimRequest) (status string, shortfall int64) {
	t.Helper()
	answer := Must(t, s.Claims.RequestClaim, request)
	return answer.GetStatus(), answer.GetShortfallAmount()
}

// PayShortfall reports that the customer paid the shortfall of the claim, and returns the claim's state.
func (s *Stack) PayShortfall(t *testing.T, claimNo string, amount int64) string {
	t.Helper()
	return Must(t, s.Claims.RecordShortfallPayment, &claimsv1.RecordShortfallPaymentRequest{
		ClaimNo: claimNo, PaymentId: "pay-" + claimNo, Amount: amount,
	}).GetStatus()
}

// WithdrawClaim withdraws a claim at the customer's request and returns its state.
func (s *Stack) WithdrawClaim(t *testing.T, claimNo string) string {
	t.Helper()
	return Must(t, s.Claims.WithdrawClaim, &claimsv1.WithdrawClaimRequest{ClaimNo: claimNo}).GetStatus()
}

// ConvertToReturn replaces an exchange by a return and returns the return's number and state.
func (s *Stack) ConvertToReturn(t *testing.T, claimNo string) (returnNo, status string) {
	t.Helper()
	returnNo = NewClaimNo()
	return returnNo, Must(t, s.Claims.ConvertToReturn, &claimsv1.ConvertToReturnRequest{
		ClaimNo: claimNo, ReturnClaimNo: returnNo, Operator: operator,
	}).GetReturnStatus()
}

// HoldInspection puts a collected claim into manual review and returns its state.
func (s *Stack) HoldInspection(t *testing.T, claimNo string) string {
	t.Helper()
	return Must(t, s.Claims.HoldInspection, &claimsv1.HoldInspectionRequest{
		ClaimNo: claimNo, Operator: operator, Reason: "사진 확인 필요",
	}).GetStatus()
}

// RecordRefund reports the payment provider's outcome for the refund that was requested for a claim, and returns the claim's
// state.
func (s *Stack) RecordRefund(t *testing.T, claimNo string, outcome claimsv1.RefundOutcome) string {
	t.Helper()
	asked := s.Payments.Asked(claimNo)
	require.Len(t, asked, 1, "exactly one refund")
	return Must(t, s.Claims.RecordRefund, &claimsv1.RecordRefundRequest{
		RefundId: asked[0].RefundID, Outcome: outcome, ProviderReference: "later",
	}).GetClaimStatus()
}

// ActAsOperator performs an action on the seller's behalf and returns the claim's state. Arguments that the action does not
// take are ignored.
func (s *Stack) ActAsOperator(t *testing.T, claimNo, action, carrierName, trackingNo string) string {
	t.Helper()
	return Must(t, s.Claims.ActAsOperator, &claimsv1.ActAsOperatorRequest{
		ClaimNo: claimNo, Action: action, Operator: operator, Memo: "대신 처리", Result: "pass",
		CarrierName: carrierName, TrackingNo: trackingNo,
	}).GetStatus()
}

// FreezeClaim freezes a claim, so that every action on it is refused.
func (s *Stack) FreezeClaim(t *testing.T, claimNo, reason string) {
	t.Helper()
	Must(t, s.Claims.FreezeClaim, &claimsv1.FreezeClaimRequest{ClaimNo: claimNo, Operator: operator, Reason: reason})
}

// UnfreezeClaim undoes FreezeClaim.
func (s *Stack) UnfreezeClaim(t *testing.T, claimNo string) {
	t.Helper()
	Must(t, s.Claims.UnfreezeClaim, &claimsv1.UnfreezeClaimRequest{ClaimNo: claimNo, Operator: operator})
}

// SetSellerPolicy sets the shipping fee that a seller charges for one way.
func (s *Stack) SetSellerPolicy(t *testing.T, sellerID string, feeOneWay int64) {
	t.Helper()
	Must(t, s.Claims.SetSellerPolicy, &claimsv1.SetSellerPolicyRequest{SellerId: sellerID, ShippingFeeOneWay: feeOneWay})
}

// AskAgain makes the next requests for the refunds of a claim to the payment provider due. It sets their time back in the
// database, where the service finds them in its next sweep.
func (s *Stack) AskAgain(t *testing.T, claimNo string) {
	t.Helper()
	_, err := s.SQL(t).Exec(t.Context(), `update claims.refunds set next_at = now() - interval '1 day'
		where next_at is not null and claim_id = (select claim_id from claims.claims where claim_no = $1)`, claimNo)
	require.NoError(t, err)
}

// Under returns the call with another idempotency key, so that two calls can share one.
func (c Call) Under(key string) Call {
	c.Header = c.Header.Clone()
	if c.Header == nil {
		c.Header = http.Header{}
	}
	c.Header.Set("Idempotency-Key", key)
	return c
}

func claimPath(claimNo string) string { return "/open/v1/claims/" + claimNo }

// ActOn returns an action on a claim, with an idempotency key of its own. A nil body sends none.
func ActOn(t *testing.T, claimNo, action string, body any) Call {
	t.Helper()
	if body == nil {
		return Call{
			Method: http.MethodPost, Path: claimPath(claimNo) + "/" + action, Header: http.Header{"Idempotency-Key": {uuid.NewString()}},
		}
	}
	return PostJSON(t, "", claimPath(claimNo)+"/"+action, body)
}

// Claim reads a claim.
func (c *Client) Claim(t *testing.T, claimNo string) Claim {
	t.Helper()
	return RequireOK[Claim](t, c.Do(t, Get("", claimPath(claimNo))))
}

// Claims reads a page of claims; it sends limit and the query, which consists of pairs of names and values.
func (c *Client) Claims(t *testing.T, limit string, query ...string) Page[Claim] {
	t.Helper()
	return RequireOK[Page[Claim]](t, c.Do(t, Get("", "/open/v1/claims", append([]string{"limit", limit}, query...)...)))
}

// settleTimeout is how long a busy machine may take for what happens automatically after a change.
const settleTimeout = 3 * time.Minute

// Await polls until isDone returns true, for changes that a service makes on its own: usually at once, later when something
// that it needs is slow. It fails the test with the promise after settleTimeout.
func Await(t *testing.T, promise string, isDone func() bool) {
	t.Helper()
	for until := time.Now().Add(settleTimeout); !isDone(); <-time.After(100 * time.Millisecond) {
		require.True(t, time.Now().Before(until), promise)
	}
}

// AwaitClaim reads a claim until it is in the state.
func (c *Client) AwaitClaim(t *testing.T, claimNo, status string) Claim {
	t.Helper()
	var claim Claim
	Await(t, claimNo+" becomes "+status, func() bool {
		claim = c.Claim(t, claimNo)
		return claim.Status == status
	})
	return claim
}
