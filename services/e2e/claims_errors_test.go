package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// The same when the claim no longer holds the line; then it can only end without effect.
func TestClaimAction_lostHoldOnLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, row := range []struct {
		kind, status, action string
		end                  string
		body                 body
	}{
		{stacktest.Cancel, "requested", "approve", "reject", rejection()},
		{stacktest.Return, "requested", "approve", "reject", rejection()},
		{stacktest.Return, "collected", "inspect", "inspect", body{"result": "fail", "memo": "사용 흔적"}},
	} {
		claim := d.claimIn(t, row.kind, row.status)
		_, err := d.Lines.Release(t.Context(), &ordersv1.ReleaseRequest{ClaimNo: claim.ClaimNo})
		require.NoError(t, err)
		data := d.actRefused(t, claim.ClaimNo, row.action, requestBody(row.action), http.StatusConflict, notCode(t, row.action))
		require.Equal(t, "lines_not_held", data["reason"])
		require.Equal(t, "rejected", d.acted(t, claim.ClaimNo, row.end, row.body).Status)
		require.Empty(t, d.paidOut(claim.ClaimNo))
	}
}

// A problem of a request is reported by its code and, if the shape is wrong, by the fields. Nothing changes, and the correct
// request succeeds afterwards.
func TestClaimAction_problemsNamed(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	requested, approved, collected := d.newClaim(t, stacktest.Return), d.claimIn(t, stacktest.Return, "approved"),
		d.claimIn(t, stacktest.Return, "collected")
	reshipping := d.claimIn(t, stacktest.Exchange, "reshipping")
	pickup := func() body { return body{"carrier_name": "한진택배", "tracking_no": collectNo} }
	long := func(n int) string { return strings.Repeat("가", n) }
	const invalid, unprocessable = http.StatusBadRequest, http.StatusUnprocessableEntity
	for _, row := range []struct {
		claim   stacktest.Claim
		action  string
		request body
		status  int
		code    string
		fields  []string
	}{
		{requested, "reject", body{}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{approved, "pickup", body{}, unprocessable, "VALIDATION_ERROR", []string{"carrier_name", "tracking_no"}},
		{approved, "pickup", pickup().with("carrier_name", "DHL"), unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{approved, "pickup", pickup().with("tracking_no", " \u200b"), invalid, "SHIPMENT_FIELDS_REQUIRED", nil},
		{approved, "pickup", pickup().with("tracking_no", "4123\n"), invalid, "SHIPMENT_INPUT_INVALID", nil},
		{reshipping, "reship", body{}, unprocessable, "VALIDATION_ERROR", []string{"carrier_name", "tracking_no"}},
		{reshipping, "reship", pickup().with("carrier_name", "DHL"), unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{reshipping, "reship", pickup().with("tracking_no", " \u200b"), invalid, "SHIPMENT_FIELDS_REQUIRED", nil},
		{reshipping, "reship", pickup().with("tracking_no", "4123\n"), invalid, "SHIPMENT_INPUT_INVALID", nil},
		{collected, "inspect", body{}, unprocessable, "VALIDATION_ERROR", []string{"result"}},
		{collected, "inspect", body{"result": "fail", "memo": " \u3164 "}, invalid, "CLAIM_MEMO_REQUIRED", nil},
	} {
		answer := d.act(t, row.claim.ClaimNo, row.action, row.request)
		stacktest.RequireFailure(t, answer, row.status, row.code)
		if row.fields != nil {
			stacktest.RequireInvalid(t, answer, row.fields...)
		}
	}
	for _, claim := range []stacktest.Claim{requested, approved, collected, reshipping} {
		require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo), "nothing has changed")
	}
	require.Equal(t, "rejected", d.acted(t, requested.ClaimNo, "reject", body{"memo": long(1000)}).Status)
	require.Equal(t, "rejected", d.acted(t, d.newClaim(t, stacktest.Cancel).ClaimNo, "reject",
		body{"memo": " "}).Status, "one character")
	require.Equal(t, "collecting", d.acted(t, approved.ClaimNo, "pickup", pickup().with("logistics_company", 7)).Status,
		"unknown fields are ignored")
	require.Equal(t, "completed", d.acted(t, reshipping.ClaimNo, "reship", requestBody("reship")).Status)
	require.Equal(t, "rejected", d.acted(t, collected.ClaimNo, "inspect", body{"result": "fail", "memo": "사용\n\t흔적"}).Status)
}

// Memos are written about customers, and logs are read by many.
func TestMemo_notInLogs(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	canary := "CANARY" + strings.ToUpper(uuid.NewString()[:8])
	claim := d.newClaim(t, stacktest.Return)
	d.act(t, claim.ClaimNo, "reject", body{"memo": canary + "\u0007"})
	d.acted(t, claim.ClaimNo, "reject", body{"memo": canary})
	failed := d.claimIn(t, stacktest.Return, "collected")
	d.acted(t, failed.ClaimNo, "inspect", body{"result": "fail", "memo": canary})
	logs := d.Logs()
	require.Equal(t, []bool{true, false}, []bool{strings.Contains(logs, d.seller.ID), strings.Contains(logs, canary)})
}
