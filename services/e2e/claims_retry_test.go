package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// First rule: an action is executed from the state it starts in, and from there only. Actions that were done, sent again
// under another key, get the claim as it is now, to the last byte, and change nothing; with other values, and those that
// were skipped or belong to another type, they are refused.
func TestClaimActionRetry_stateThenEvidence(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	steps := claimSteps[:4]
	for n := range len(steps) + 1 {
		before := d.claimText(t, claim.ClaimNo)
		for i, step := range steps {
			switch {
			case i == n: // the action that starts in this state
			case i < n:
				d.requireDone(t, claim.ClaimNo, step.action, step.body)
				if other := otherValues[step.action]; other != nil {
					d.requireUnresolved(t, claim.ClaimNo, step.action, other)
				}
			default:
				d.requireUnresolved(t, claim.ClaimNo, step.action, step.body)
			}
		}
		d.requireUnresolved(t, claim.ClaimNo, "reship", requestBody("reship"))
		if claim.Status != "requested" {
			d.requireUnresolved(t, claim.ClaimNo, "reject", rejection())
		}
		require.Equal(t, before, d.claimText(t, claim.ClaimNo))
		if n < len(steps) {
			next := d.acted(t, claim.ClaimNo, steps[n].action, steps[n].body)
			require.Greater(t, next.UpdatedAt, claim.UpdatedAt)
			claim = d.advance(t, next, []string{"approved", "collecting", "collected", "completed"}[n])
		}
	}
	require.Equal(t, "completed", claim.Status)
}

// A cancel has two actions and no others, before and after its end.
func TestCancel_onlyTwoActions(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	strange := []string{"pickup", "collect-done", "inspect", "reship"}
	claim := d.newClaim(t, stacktest.Cancel)
	for _, action := range strange {
		d.requireUnresolved(t, claim.ClaimNo, action, requestBody(action))
	}
	done := d.advance(t, claim, "completed")
	require.Equal(t, done, d.acted(t, claim.ClaimNo, "approve", nil), "the second rule, in a terminal state")
	for _, action := range append(strange, "reject") {
		d.requireUnresolved(t, done.ClaimNo, action, requestBody(action))
	}
}

// A rejection can be repeated with any memo; the first one is kept. Only an explicit rejection counts, and no other action
// is possible after it.
func TestClaimActionRetry_rejectionWithAnyMemo(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, kind := range claimTypes {
		claim := d.newClaim(t, kind)
		rejected := d.acted(t, claim.ClaimNo, "reject", body{"memo": "첫 번째"})
		require.Equal(t, rejected, d.acted(t, claim.ClaimNo, "reject", body{"memo": "두 번째"}))
		var memo string
		require.NoError(t, d.SQL(t).QueryRow(t.Context(), `select memo from claims.evidence
			where action = 'reject' and claim_id = (select claim_id from claims.claims where claim_no = $1)`, claim.ClaimNo).Scan(&memo))
		require.Equal(t, "첫 번째", memo)
		for _, step := range claimSteps {
			d.requireUnresolved(t, rejected.ClaimNo, step.action, step.body)
		}
	}
	claim := d.claimIn(t, stacktest.Return, "collected")
	failed := d.acted(t, claim.ClaimNo, "inspect", body{"result": "fail", "memo": "사용 흔적"})
	d.requireUnresolved(t, failed.ClaimNo, "reject", rejection())
	d.requireUnresolved(t, failed.ClaimNo, "inspect", body{"result": "pass"})
	require.Equal(t, failed, d.acted(t, claim.ClaimNo, "inspect", body{"result": "fail", "memo": "다른 말"}))
	require.Equal(t, failed, d.acted(t, claim.ClaimNo, "approve", nil), "it was approved before")
}

// The response to an action says whether it was performed now or before, also much later and after the end of the claim.
func TestClaimAction_alreadyDone(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, kind := range claimTypes {
		claim := d.newClaim(t, kind)
		for _, want := range []bool{false, true} {
			answer := d.act(t, claim.ClaimNo, "approve", nil)
			require.Equal(t, want, stacktest.RequireOK[struct {
				AlreadyDone bool `json:"already_done"`
			}](t, answer).AlreadyDone, "%s: %s", kind, answer.Body)
		}
	}
}

// An action that a claim did not have before its end is not reported as done; one that it had still is.
func TestClaimActionRetry_withdrawnClaim(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	before := d.newClaim(t, stacktest.Return)
	d.WithdrawClaim(t, before.ClaimNo)
	before = d.client.Claim(t, before.ClaimNo)
	for _, action := range []string{"approve", "reject", "pickup", "collect-done", "inspect"} {
		d.requireUnresolved(t, before.ClaimNo, action, requestBody(action))
	}
	after := d.claimIn(t, stacktest.Return, "approved")
	d.WithdrawClaim(t, after.ClaimNo)
	after = d.client.Claim(t, after.ClaimNo)
	require.Equal(t, "withdrawn", after.Status)
	require.Equal(t, after, d.acted(t, after.ClaimNo, "approve", nil))
	for _, action := range []string{"reject", "pickup", "collect-done", "inspect"} {
		d.requireUnresolved(t, after.ClaimNo, action, requestBody(action))
	}
}

// It does not matter who performed an action: an operator's counts too, with its values.
func TestClaimActionRetry_operatorActions(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	for _, step := range claimSteps[:4] {
		name, number := "", ""
		if step.action == "pickup" {
			name, number = "한진택배", collectNo
		}
		d.ActAsOperator(t, claim.ClaimNo, step.action, name, number)
		if step.action == "inspect" {
			d.client.AwaitClaim(t, claim.ClaimNo, "completed")
		}
		before := d.client.Claim(t, claim.ClaimNo)
		require.Equal(t, before, d.acted(t, claim.ClaimNo, step.action, step.body))
		if other := otherValues[step.action]; other != nil {
			d.requireUnresolved(t, before.ClaimNo, step.action, other)
		}
	}
	rejected := d.newClaim(t, stacktest.Cancel)
	require.Equal(t, "rejected", d.ActAsOperator(t, rejected.ClaimNo, "reject", "", ""))
	require.Equal(t, "rejected", d.acted(t, rejected.ClaimNo, "reject", rejection()).Status, "an inspection by an operator is explicit too")
}

// Values that are spelled differently but have the same normal form are equal.
func TestPickup_spellingsAreTheSame(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.claimIn(t, stacktest.Return, "collecting")
	for _, number := range []string{"4123-4567-8901", " 412345678901 ", "４１２３４５６７８９０１", "4123.4567.8901"} {
		require.Equal(t, claim, d.acted(t, claim.ClaimNo, "pickup", body{"carrier_name": "한진택배", "tracking_no": number}))
	}
	for _, other := range []body{
		{"carrier_name": "롯데택배", "tracking_no": collectNo}, {"carrier_name": "한진택배", "tracking_no": collectNo + "0"},
	} {
		d.requireUnresolved(t, claim.ClaimNo, "pickup", other)
	}
}
