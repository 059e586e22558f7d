package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// confirmedLongAgo makes an order one that was paid 30 days ago and has ended.
func confirmedLongAgo(o *ordersv1.Order) {
	paidAt := time.Now().Add(-30 * 24 * time.Hour).UTC().Truncate(time.Microsecond)
	stacktest.PaidAt(paidAt)(o)
	for _, line := range o.GetSellers()[0].GetLines() {
		stacktest.SetHistory(line, paidAt, time.Hour, stacktest.Way("confirmed")...)
	}
}

// letAge moves the last change of the seller's records into the past, directly in the database, and waits until a service has
// archived one.
func (d *session) letAge(t *testing.T, statement, archive string) {
	t.Helper()
	conn := d.SQL(t)
	changed, err := conn.Exec(t.Context(), statement, d.seller.ID, time.Now().Add(-48*time.Hour))
	require.NoError(t, err)
	require.EqualValues(t, 1, changed.RowsAffected())
	stacktest.Await(t, "it is archived", func() bool {
		var kept int
		require.NoError(t, conn.QueryRow(t.Context(), "select count(*) from "+archive+" where seller_id = $1", d.seller.ID).Scan(&kept))
		return kept == 1
	})
}

// An archived order is found by its number as before and is in no list. Refusals are the same as before, and a repetition of what
// was done is still confirmed as already done.
func TestArchive_order(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t, confirmedLongAgo)
	before := d.order(t, orderNo)
	require.Len(t, d.client.List(t, "10").List, 1)
	d.letAge(t, "update orders.seller_orders set updated_at = $2 where seller_id = $1", "orders.archived_orders")
	require.Empty(t, d.client.List(t, "10").List)
	require.Empty(t, d.client.List(t, "10", "order_no", orderNo).List)
	archived := d.order(t, orderNo)
	require.Less(t, archived.UpdatedAt, before.UpdatedAt)
	before.UpdatedAt = archived.UpdatedAt
	require.Equal(t, before, archived)

	d.refused(t, "shipment", orderNo, toShip(ids[0]), http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
	done := d.done(t, "delivery", orderNo, of(ids...))
	require.True(t, done.Items[0].AlreadyDone)
	require.Equal(t, archived, d.order(t, orderNo))
}

// An archived claim is read and answered as before.
func TestArchive_claim(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Cancel)
	d.acted(t, claim.ClaimNo, "approve", nil)
	before := d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	conn := d.SQL(t)
	stacktest.Await(t, "nothing is left to be done", func() bool {
		var steps int
		require.NoError(t, conn.QueryRow(t.Context(), "select count(*) from claims.steps where seller_id = $1", d.seller.ID).Scan(&steps))
		return steps == 0
	})
	d.letAge(t, "update claims.claims set updated_at = $2, requested_at = $2 where seller_id = $1", "claims.archived_claims")
	require.Empty(t, d.client.Claims(t, "10").List)
	archived := d.client.Claim(t, claim.ClaimNo)
	before.UpdatedAt, before.RequestedAt = archived.UpdatedAt, archived.RequestedAt
	require.Equal(t, before, archived)
	d.actRefused(t, claim.ClaimNo, "pickup", requestBody("pickup"), http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
	again := d.acted(t, claim.ClaimNo, "approve", nil)
	require.Equal(t, archived.Status, again.Status)
	require.Equal(t, archived, d.client.Claim(t, claim.ClaimNo))
}

// An archived inquiry is not listed, and answers to it get the same response as before.
func TestArchive_inquiry(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	asked := stacktest.NewInquiry(d.seller.ID)
	d.Ask(t, asked)
	id := asked.GetQnaId()
	stacktest.RequireOK[stacktest.AnswerResult](t, d.client.Do(t, answerTo("", id, "네")))
	d.letAge(t, "update qna.inquiries set updated_at = $2 where seller_id = $1", "qna.archived_inquiries")
	require.Empty(t, stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t, d.client.Do(t, stacktest.Get("", "/open/v1/qna"))).List)
	stacktest.RequireFailure(t, d.client.Do(t, answerTo("", id, "아니요")), http.StatusConflict, "QNA_ALREADY_ANSWERED")
	require.True(t, stacktest.RequireOK[stacktest.AnswerResult](t, d.client.Do(t, answerTo("", id, "네"))).Converged)
}
