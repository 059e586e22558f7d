package sandbox

import (
	"iter"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/e2e/stacktest"
)

// Every operation of the table is called with success, what it says happened is what /open/v1 shows, and the contract has no
// other operations than the table.
func TestOperations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.payments()
	b.orders()
	b.claims()
	b.exchanges()
	b.refunds()
	b.inquiries()

	checker, err := contract()
	require.NoError(t, err)
	succeeded, described := map[string]bool{}, map[string]bool{}
	for finding := range checker.Seen() {
		if finding.Status == http.StatusOK {
			succeeded[finding.Operation] = true
		}
	}
	for _, finding := range checker.Promised() {
		described[finding.Operation] = true
	}
	delete(described, "")
	for _, op := range operation.Of(operation.Sandbox) {
		require.True(t, succeeded[op.Name], op.Name)
		require.True(t, described[op.Name], op.Name)
		delete(described, op.Name)
	}
	require.Empty(t, described)
}

// public reads an order as the seller's own system does.
func (b box) public(number string) stacktest.Answer {
	return b.Do(b.t, stacktest.Get(b.seller.Key, "/open/v1/orders/"+number))
}

// payments plays orders that are not paid at once.
func (b box) payments() {
	b.t.Helper()
	for outcome, visible := range map[string]int{
		"paid": http.StatusOK, "failed": http.StatusNotFound, "expired": http.StatusNotFound,
	} {
		pending := b.play("/orders", `{"status":"pending"}`)
		require.Empty(b.t, pending.Data.Orders)
		number := pending.Data.OrderNo
		require.Equal(b.t, http.StatusNotFound, b.public(number).Status)
		ended := b.play("/orders/"+number+"/payment", `{"outcome":"`+outcome+`"}`)
		require.Len(b.t, ended.Data.Orders, map[int]int{http.StatusOK: 1}[visible])
		require.Equal(b.t, visible, b.public(number).Status, outcome)
		other := map[string]string{"paid": "failed", "failed": "paid", "expired": "paid"}[outcome]
		refused := b.call("/orders/"+number+"/payment", `{"outcome":"`+other+`"}`)
		require.Equal(b.t, http.StatusUnprocessableEntity, refused.status)
		require.Equal(b.t, []string{"outcome"}, refused.fields())
	}
}

// orders plays an order from its placement to the withdrawal of its member.
func (b box) orders() {
	b.t.Helper()
	order := b.order(`{"order_no":"PLAYED-1","line_count":3,"other_seller":true,"contact":{"recipient_name":"한지민"}}`, "paid")
	require.Len(b.t, order.Items, 3)
	require.Equal(b.t, "한지민", *order.RecipientName)
	require.Equal(b.t, order, stacktest.RequireOK[stacktest.Order](b.t, b.public("PLAYED-1")))
	taken := b.call("/orders", `{"order_no":"PLAYED-1"}`)
	require.Equal(b.t, []string{"order_no"}, taken.fields())

	const path = "/orders/PLAYED-1"
	due := b.play(path+"/ship-by", `{"ship_by":"2030-01-01T18:00:00+09:00","item_ids":["`+order.Items[0].ItemID+`"]}`)
	require.Equal(b.t, "2030-01-01T09:00:00.000000Z", *due.Data.Orders[0].Items[0].ShipBy)
	require.Equal(b.t, http.StatusUnprocessableEntity, b.call(path+"/confirmation", `{}`).status)
	delivered := b.play(path+"/correction", `{"item_status":"delivered"}`).Data.Orders[0]
	require.Equal(b.t, "delivered", delivered.Items[2].ItemStatus)
	require.NotNil(b.t, delivered.Items[2].TrackingNo)
	confirmed := b.play(path+"/confirmation", `{"item_ids":["`+order.Items[1].ItemID+`"]}`).Data.Orders[0]
	require.Equal(b.t, []string{"delivered", "confirmed", "delivered"}, []string{
		confirmed.Items[0].ItemStatus, confirmed.Items[1].ItemStatus, confirmed.Items[2].ItemStatus,
	})
	require.Nil(b.t, b.play(path+"/member-withdrawal", `{}`).Data.Orders[0].RecipientName)
}

// claims plays claims that the customer changes.
func (b box) claims() {
	b.t.Helper()
	partly := b.order(`{"lines":[{"quantity":3,"unit_price":10000}]}`, "delivered")
	item := `{"items":[{"item_id":"` + partly.Items[0].ItemID + `","quantity":2}],"reason_code":"defective"}`
	requested := b.play("/orders/"+partly.OrderNo+"/claims", item)
	require.Equal(b.t, "return", requested.Data.Claims[0].Type)
	require.Equal(b.t, int64(2), requested.Data.Claims[0].Items[0].Quantity)
	require.Equal(b.t, "withdrawn", b.onClaim(requested.Data.ClaimNo, "withdrawal", `{}`).Status)

	cheap := b.order(`{"lines":[{"quantity":1,"unit_price":1000}],"shipping_fee_paid":3000}`, "delivered")
	owing := b.play("/orders/"+cheap.OrderNo+"/claims", `{"type":"return"}`)
	require.Equal(b.t, "payment_pending", owing.Data.Claims[0].Status)
	require.Positive(b.t, owing.Data.Shortfall)
	require.Equal(b.t, "requested", b.onClaim(owing.Data.ClaimNo, "shortfall-payment", `{}`).Status)
}

// exchanges plays exchanges with an operator's holds, freezes and conversions.
func (b box) exchanges() {
	b.t.Helper()
	const exchange = `{"type":"exchange","reason_code":"wrong_delivery"}`
	number := b.claim("delivered", exchange).Data.ClaimNo
	b.onClaim(number, "freeze", `{"code":"dispute"}`)
	require.Equal(b.t, "CLAIM_NOT_APPROVABLE", b.call("/claims/"+number+"/action", `{"action":"approve"}`).Meta.ErrorCode)
	b.onClaim(number, "unfreeze", ``)
	for action, status := range b.way() {
		require.Equal(b.t, status, b.onClaim(number, "action", `{"action":"`+action+`"}`).Status)
	}
	require.Equal(b.t, "inspecting", b.onClaim(number, "inspection-hold", `{}`).Status)
	held := b.onClaim(number, "action", `{"action":"inspect"}`)
	require.Equal(b.t, "reshipping", held.Status)
	b.cancelReshipment(held)

	converted := b.claim("delivered", exchange).Data.ClaimNo
	both := b.play("/claims/"+converted+"/conversion", `{}`).Data.Claims
	require.Equal(b.t, "converted_to_return", both[0].Status)
	require.Equal(b.t, "return", both[1].Type)
}

// way yields the actions that lead to the collection of a claim, and the state after each.
func (box) way() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		_ = yield("approve", "approved") && yield("pickup", "collecting") && yield("collect-done", "collected")
	}
}

// cancelReshipment registers a reshipment while the order is locked, and cancels it.
func (b box) cancelReshipment(claim stacktest.Claim) {
	b.t.Helper()
	const row = "select from orders.orders where seller_id = $1 and order_no = $2 for no key update"
	lock := b.Lock(b.t, row, b.seller.ID, claim.OrderNo)
	const parcel = `{"carrier_name":"한진택배","tracking_no":"412345678902"}`
	answered := b.Do(b.t, stacktest.Post(b.seller.Key, "/open/v1/claims/"+claim.ClaimNo+"/reship", parcel))
	require.NotNil(b.t, answered.Meta.ErrorCode, "%s", answered.Body)
	require.Equal(b.t, "EXCHANGE_ITEM_SHIP_FAILED", *answered.Meta.ErrorCode)
	lock.Release(b.t)
	require.Equal(b.t, "reshipping", b.onClaim(claim.ClaimNo, "reshipment-cancellation", `{}`).Status)
}

// refunds plays refunds that wait for an account, fail, and are requested again.
func (b box) refunds() {
	b.t.Helper()
	for refund, next := range map[string]string{"needs_account": "refund-retry", "fails": "refund-retry", "succeeds": ""} {
		number := b.claim("paid", `{"refund":"`+refund+`"}`).Data.ClaimNo
		approved := b.onClaim(number, "action", `{"action":"approve"}`)
		if next == "" {
			require.Equal(b.t, "completed", approved.Status)
			require.Equal(b.t, []string{"claim_no"}, b.call("/claims/"+number+"/refund", `{}`).fields())
			continue
		}
		require.Equal(b.t, "refund_processing", approved.Status)
		b.onClaim(number, next, `{}`)
		require.Equal(b.t, "completed", b.onClaim(number, "refund", `{"outcome":"succeeded"}`).Status)
	}
}

// inquiries plays an inquiry of which the answer is cancelled.
func (b box) inquiries() {
	b.t.Helper()
	asked := b.play("/qna", `{"is_secret":true,"body":"선물 포장이 되나요?"}`)
	require.True(b.t, asked.Data.Inquiries[0].IsSecret)
	require.Equal(b.t, "선물 포장이 되나요?", asked.Data.Inquiries[0].Body)
	answered := b.Do(b.t, stacktest.Post(b.seller.Key, "/open/v1/qna/"+asked.Data.QnaID+"/answer", `{"content":"네"}`))
	require.Equal(b.t, http.StatusOK, answered.Status)
	require.Nil(b.t, b.play("/qna/"+asked.Data.QnaID+"/answer-cancellation", `{}`).Data.Inquiries[0].Answer)
}
