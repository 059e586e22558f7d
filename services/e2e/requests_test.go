package e2e

import (
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// logged awaits the call of a seller with the request id in the request log, which is written once a second.
func logged(t *testing.T, s *stacktest.Stack, seller, requestID string) (found *gatewayv1.LoggedRequest) {
	t.Helper()
	stacktest.Await(t, "the call is in the request log", func() bool {
		answer, err := s.Requests.GetRequest(t.Context(), &gatewayv1.GetRequestRequest{
			SellerId: seller, Actor: "kim", Id: &gatewayv1.GetRequestRequest_RequestId{RequestId: requestID},
		})
		if connect.CodeOf(err) == connect.CodeNotFound {
			return false
		}
		require.NoError(t, err)
		found = answer.GetRequest()
		return true
	})
	return found
}

// Support finds a refused call by the request id that the seller names, with the reason of the refusal, and what a repeated call
// met with its idempotency key. Counts and the last use of the key are those of these calls. Another seller has none of them.
func TestRequests_support(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	began := time.Now().Add(-time.Minute)
	orderNo, ids := d.place(t)
	call := stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/delivery", of(ids...))
	first, again := d.client.Do(t, call), d.client.Do(t, call)
	stacktest.RequireFailure(t, first, http.StatusConflict, "ORDER_ITEM_NOT_DELIVERABLE")
	require.Equal(t, "true", again.Header.Get(replayedHeader))
	refused := logged(t, d.Stack, d.seller.ID, first.Header.Get("X-Request-Id"))
	require.Equal(t, []string{"deliver_order", orderNo, "ORDER_ITEM_NOT_DELIVERABLE"},
		[]string{refused.GetOperation(), refused.GetRecord(), refused.GetErrorCode()})
	require.JSONEq(t, `{"items":[{"item_id":"`+ids[0]+`","item_status":"paid"}]}`, refused.GetErrorData())
	require.Equal(t, gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_FIRST, refused.GetIdempotency())
	repeated := logged(t, d.Stack, d.seller.ID, again.Header.Get("X-Request-Id"))
	require.Equal(t, gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REPLAYED, repeated.GetIdempotency())
	require.Equal(t, refused.GetIdempotencyKeyDigest(), repeated.GetIdempotencyKeyDigest())
	list := stacktest.Must(t, d.Requests.ListRequests, &gatewayv1.ListRequestsRequest{
		SellerId: d.seller.ID, Actor: "kim", Record: orderNo, ErrorCode: "ORDER_ITEM_NOT_DELIVERABLE",
	})
	require.Len(t, list.GetRequests(), 2)
	require.Equal(t, repeated.GetLogId(), list.GetRequests()[0].GetLogId())
	counts := stacktest.Must(t, d.Requests.CountRequests, &gatewayv1.CountRequestsRequest{
		SellerId: d.seller.ID, Actor: "kim", From: timestamppb.New(began), Until: timestamppb.New(time.Now().Add(time.Minute)),
	})
	var calls int64
	for _, count := range counts.GetCounts() {
		if count.GetErrorCode() == "ORDER_ITEM_NOT_DELIVERABLE" {
			calls += count.GetCalls()
		}
	}
	require.EqualValues(t, 2, calls)
	uses := stacktest.Must(t, d.Requests.ListKeyUses, &gatewayv1.ListKeyUsesRequest{SellerId: d.seller.ID, Actor: "kim"})
	require.Equal(t, repeated.GetKeyId(), uses.GetUses()[0].GetKeyId())
	require.False(t, uses.GetUses()[0].GetLastUsedAt().AsTime().Before(repeated.GetAt().AsTime()))
	_, err := d.Requests.GetRequest(t.Context(), &gatewayv1.GetRequestRequest{
		SellerId: d.Seller(t).ID, Actor: "kim", Id: &gatewayv1.GetRequestRequest_LogId{LogId: refused.GetLogId()},
	})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
}
