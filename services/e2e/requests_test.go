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
	find := func(answer stacktest.Answer) *gatewayv1.LoggedRequest {
		return logged(t, d.Stack, d.seller.ID, answer.Header.Get("X-Request-Id"))
	}
	early := d.client.Do(t, stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/delivery", of(ids...)))
	stacktest.RequireFailure(t, early, http.StatusConflict, "ORDER_ITEM_NOT_DELIVERABLE")
	refused := find(early)
	require.Equal(t, []string{"deliver_order", orderNo, "ORDER_ITEM_NOT_DELIVERABLE"},
		[]string{refused.GetOperation(), refused.GetRecord(), refused.GetErrorCode()})
	require.JSONEq(t, `{"items":[{"item_id":"`+ids[0]+`","item_status":"paid"}]}`, refused.GetErrorData())
	call := stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/preparation", of(ids...))
	first, again := find(d.client.Do(t, call)), find(d.client.Do(t, call))
	require.Equal(t, gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_FIRST, first.GetIdempotency())
	require.Equal(t, gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REPLAYED, again.GetIdempotency())
	require.Equal(t, first.GetIdempotencyKeyDigest(), again.GetIdempotencyKeyDigest())
	list := stacktest.Must(t, d.Requests.ListRequests, &gatewayv1.ListRequestsRequest{
		SellerId: d.seller.ID, Actor: "kim", Record: orderNo, Operation: "prepare_order",
	})
	require.Len(t, list.GetRequests(), 2)
	require.Equal(t, again.GetLogId(), list.GetRequests()[0].GetLogId())
	counts := stacktest.Must(t, d.Requests.CountRequests, &gatewayv1.CountRequestsRequest{
		SellerId: d.seller.ID, Actor: "kim", From: timestamppb.New(began), Until: timestamppb.New(time.Now().Add(time.Minute)),
	})
	calls := map[string]int64{}
	for _, count := range counts.GetCounts() {
		calls[count.GetOperation()+count.GetErrorCode()] += count.GetCalls()
	}
	require.EqualValues(t, 2, calls["prepare_order"])
	require.EqualValues(t, 1, calls["deliver_orderORDER_ITEM_NOT_DELIVERABLE"])
	uses := stacktest.Must(t, d.Requests.ListKeyUses, &gatewayv1.ListKeyUsesRequest{SellerId: d.seller.ID, Actor: "kim"})
	require.Equal(t, again.GetKeyId(), uses.GetUses()[0].GetKeyId())
	require.Equal(t, again.GetAt().AsTime(), uses.GetUses()[0].GetLastUsedAt().AsTime())
	_, err := d.Requests.GetRequest(t.Context(), &gatewayv1.GetRequestRequest{
		SellerId: d.Seller(t).ID, Actor: "kim", Id: &gatewayv1.GetRequestRequest_LogId{LogId: refused.GetLogId()},
	})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
}
