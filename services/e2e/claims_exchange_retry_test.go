package e2e

import (
	"net/http"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

var otherValues = map[string]body{
	"pickup":  {"carrier_name": "한진택배", "tracking_no": "412345678902"},
	"inspect": {"result": "fail", "memo": "얼룩"},
	"reship":  {"carrier_name": "한진택배", "tracking_no": reshipNo},
}

// requireDone sends an action that was performed before, and checks that the response reports it as already done and that
// nothing changes.
func (d *session) requireDone(t *testing.T, claimNo, action string, request body) {
	t.Helper()
	before := d.claimText(t, claimNo)
	answer := d.act(t, claimNo, action, request)
	require.Equal(t, http.StatusOK, answer.Status, "%s: %s", action, answer.Body)
	require.Equal(t, strings.TrimSuffix(before, "}")+`,"already_done":true}`, string(answer.Data))
	require.Equal(t, before, d.claimText(t, claimNo), "nothing is changed, updated_at included")
}

// requireUnresolved sends an action for which the claim shows no evidence that it was performed.
func (d *session) requireUnresolved(t *testing.T, claimNo, action string, request body) {
	t.Helper()
	claim := d.client.Claim(t, claimNo)
	data := d.actRefused(t, claimNo, action, request, http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
	require.Equal(t, claim.Status, data["status"])
	require.Len(t, data["available_actions"], len(claim.AvailableActions))
}

// In every state of an exchange, also the last: an action that was done responds with 200 again; one that is still ahead,
// or was done with other values, is unresolved; one that is available is executed.
func TestClaimActionRetry_everyExchangeState(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Exchange)
	for next := 0; next <= len(exchangeWay); next++ {
		for i, step := range exchangeWay {
			switch {
			case i < next:
				d.requireDone(t, claim.ClaimNo, step.action, requestBody(step.action))
			case i > next:
				d.requireUnresolved(t, claim.ClaimNo, step.action, requestBody(step.action))
			}
			if other := otherValues[step.action]; other != nil && i != next {
				d.requireUnresolved(t, claim.ClaimNo, step.action, other)
			}
		}
		if next > 0 {
			d.requireUnresolved(t, claim.ClaimNo, "reject", rejection())
		}
		if next < len(exchangeWay) {
			claim = d.acted(t, claim.ClaimNo, exchangeWay[next].action, requestBody(exchangeWay[next].action))
			require.Equal(t, exchangeWay[next].status, claim.Status)
		}
	}
}

func requireRefusal(t *testing.T, err error, code string) {
	t.Helper()
	var refusal *connect.Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, code, refusal.Meta().Get("X-Error-Code"), "%v", err)
}

// Reshipments are compared by the normal form of the tracking number.
func TestReshipment_comparedInNormalForm(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.claimIn(t, stacktest.Exchange, "reshipping")
	done := d.acted(t, claim.ClaimNo, "reship", body{"carrier_name": "로젠택배", "tracking_no": "5123-4567 8901"})
	require.Equal(t, []string{"로젠택배", reshipNo}, []string{*done.ReshipCarrier, *done.ReshipTrackingNo})
	d.requireDone(t, claim.ClaimNo, "reship", requestBody("reship"))
	d.requireDone(t, claim.ClaimNo, "reship", body{"carrier_name": "로젠택배", "tracking_no": "５１２３．４５６７．８９０１"})
	d.requireUnresolved(t, claim.ClaimNo, "reship", body{"carrier_name": "로젠택배", "tracking_no": "512345678902"})
	require.Equal(t, reshipNo, *line(t, d.order(t, claim.OrderNo), "02").TrackingNo)
}

// A rejection can be repeated with any memo; a rejection that came from a failed inspection does not count as one.
func TestExchange_rejectedOnce(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	explicit := d.newClaim(t, stacktest.Exchange)
	d.acted(t, explicit.ClaimNo, "reject", rejection())
	d.requireDone(t, explicit.ClaimNo, "reject", body{"memo": "다른 사유"})
	d.requireUnresolved(t, explicit.ClaimNo, "approve", nil)

	failed := d.claimIn(t, stacktest.Exchange, "collected")
	d.acted(t, failed.ClaimNo, "inspect", failedInspection())
	d.requireDone(t, failed.ClaimNo, "inspect", body{"result": "fail", "memo": "다른 사유"})
	d.requireDone(t, failed.ClaimNo, "approve", nil)
	for action, request := range map[string]body{"reject": rejection(), "inspect": requestBody("inspect"), "reship": requestBody("reship")} {
		d.requireUnresolved(t, failed.ClaimNo, action, request)
	}
}

// An exchange that was withdrawn before its approval has no action done. Withdrawn later, what was done stays done.
func TestExchange_withdrawnRemembersActions(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	early, late := d.newClaim(t, stacktest.Exchange), d.claimIn(t, stacktest.Exchange, "approved")
	for range 2 {
		require.Equal(t, "withdrawn", d.WithdrawClaim(t, early.ClaimNo))
		require.Equal(t, "withdrawn", d.WithdrawClaim(t, late.ClaimNo))
	}
	for _, step := range exchangeWay {
		d.requireUnresolved(t, early.ClaimNo, step.action, requestBody(step.action))
		if step.action != "approve" {
			d.requireUnresolved(t, late.ClaimNo, step.action, requestBody(step.action))
		}
	}
	d.requireDone(t, late.ClaimNo, "approve", nil)
}

// The customer can withdraw up to approved, and in no later state.
func TestExchange_notWithdrawnOnceReshipping(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.claimIn(t, stacktest.Exchange, "collecting")
	refuse := func() {
		before := d.claimText(t, claim.ClaimNo)
		_, err := stacktest.Try(t, d.Claims.WithdrawClaim, &claimsv1.WithdrawClaimRequest{ClaimNo: claim.ClaimNo})
		requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
		require.Equal(t, before, d.claimText(t, claim.ClaimNo))
	}
	refuse()
	claim = d.advance(t, claim, "collected")
	refuse()
	require.Equal(t, "inspecting", d.HoldInspection(t, claim.ClaimNo))
	refuse()
	require.Equal(t, "reshipping", d.ActAsOperator(t, claim.ClaimNo, "inspect", "", ""))
	refuse()
	d.acted(t, claim.ClaimNo, "reship", requestBody("reship"))
	refuse()
}
