package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func deliveredBefore(ago time.Duration) stacktest.OrderOption {
	return func(o *ordersv1.Order) {
		paidAt := time.Now().Add(-ago - 3*time.Hour).UTC().Truncate(time.Microsecond)
		stacktest.PaidAt(paidAt)(o)
		for _, line := range o.GetSellers()[0].GetLines() {
			stacktest.SetHistory(line, paidAt, time.Hour, stacktest.Way("delivered")...)
		}
	}
}

// collectedBefore returns a return whose goods were collected that long ago, as a courier's list that arrives late reports it.
func (d *session) collectedBefore(t *testing.T, ago time.Duration) stacktest.Claim {
	t.Helper()
	at := time.Now().Add(-ago).UTC()
	order := d.PlaceNew(t, d.seller.ID, deliveredBefore(ago+72*time.Hour))
	claim := d.claimOn(t, order, stacktest.Return, stacktest.AskedAt(at.Add(-3*time.Hour)))
	for i, action := range []string{"approve", "pickup", "collect-done"} {
		stacktest.Must(t, d.Claims.ActAsOperator, &claimsv1.ActAsOperatorRequest{
			ClaimNo: claim.ClaimNo, Action: action, Operator: "운영자", CarrierName: "한진택배", TrackingNo: collectNo,
			HappenedAt: timestamppb.New(at.Add(time.Duration(i-2) * time.Hour)),
		})
	}
	return d.client.Claim(t, claim.ClaimNo)
}

// When the inspection deadline has passed, the goods pass and the money is refunded, and the claim shows an inspection with this
// result.
func TestReturn_autoPassesUninspected(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.collectedBefore(t, 73*time.Hour)
	passed := d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	require.Equal(t, "pass", *passed.InspectResult)
	require.Equal(t, collectNo, *passed.CollectTrackingNo)
	require.Nil(t, passed.InspectionDueAt)
	require.Equal(t, []int64{*passed.RefundAmount}, d.paidOut(claim.ClaimNo))
	d.awaitOrder(t, claim.OrderNo, "the line is returned", lineIs("returned"))
	require.Equal(t, passed, d.acted(t, claim.ClaimNo, "inspect", body{"result": "pass"}), "the service's own action is recorded")
	d.actRefused(t, claim.ClaimNo, "inspect", body{"result": "fail", "memo": "늦음"}, http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
}

// letInspectionsPass moves the inspection deadline of returns into the past, directly in the database, where the service finds
// them at its next poll.
func (d *session) letInspectionsPass(t *testing.T, claimNos ...string) {
	t.Helper()
	changed, err := d.SQL(t).Exec(t.Context(),
		"update claims.claims set inspection_due_at = now() - interval '1 hour' where claim_no = any ($1)", claimNos)
	require.NoError(t, err)
	require.EqualValues(t, len(claimNos), changed.RowsAffected())
}

// The customer has 72 hours to pay a shortfall; then the claim expires and the line is free.
func TestReturn_unpaidShortfallExpires(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	asked := time.Now().Add(-73 * time.Hour).UTC().Truncate(time.Microsecond)
	order := d.PlaceNew(t, d.seller.ID, deliveredBefore(80*time.Hour), cheap)
	request := stacktest.NewClaim(stacktest.Return, order, stacktest.Because("etc"), stacktest.AskedAt(asked))
	d.RequestClaim(t, request)
	expired := d.client.AwaitClaim(t, request.GetClaimNo(), "expired")
	require.Equal(t, asked.Format("2006-01-02T15:04:05.000000Z"), expired.RequestedAt)
	require.NotNil(t, expired.CompletedAt)
	require.Nil(t, expired.PaymentDueAt)
	require.Empty(t, expired.AvailableActions)
	d.awaitOrder(t, expired.OrderNo, "the line is free", lineIs("delivered"))
	d.actRefused(t, expired.ClaimNo, "approve", nil, http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")

	d.PayShortfall(t, expired.ClaimNo, 2000)
	require.Equal(t, "expired", d.client.Claim(t, expired.ClaimNo).Status)
	stacktest.Await(t, "money that comes after the end goes back", func() bool { return len(d.paidOut(expired.ClaimNo)) == 1 })
	require.Equal(t, []int64{2000}, d.paidOut(expired.ClaimNo))
}

// Returns and exchanges can be requested within seven days of the delivery; a request that is reported late counts from when it
// was made.
func TestReturn_requestedWithinSevenDays(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	const period = 7 * 24 * time.Hour
	for _, kind := range []string{stacktest.Return, stacktest.Exchange} {
		d.claimOn(t, d.PlaceNew(t, d.seller.ID, deliveredBefore(period-time.Hour)), kind)
		late := d.PlaceNew(t, d.seller.ID, deliveredBefore(period+time.Hour))
		_, err := stacktest.Try(t, d.Claims.RequestClaim, stacktest.NewClaim(kind, late))
		require.Equal(t, "request_period", stacktest.RequireRefusal(t, err, "CLAIM_NOT_APPROVABLE")["reason"])
		require.False(t, d.order(t, late.GetOrderNo()).Items[0].HasActiveClaim, "nothing is held")
		d.claimOn(t, late, kind, stacktest.AskedAt(time.Now().Add(-2*time.Hour)))
	}
}
