package e2e

import (
	"net/http"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

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
