package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// A repetition gets the first response again, byte for byte, whatever has happened to the claim since.
func TestClaimAction_repetitionGetsFirstAnswer(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	var calls [4]stacktest.Call
	var answers [4]string
	for i, step := range claimSteps[:4] {
		calls[i] = actOn(t, claim.ClaimNo, step.action, step.body)
		answer := d.client.Do(t, calls[i])
		require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
		require.Empty(t, answer.Header.Get(replayedHeader))
		answers[i] = string(answer.Body)
	}
	d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	before := d.claimText(t, claim.ClaimNo)
	for i, call := range calls {
		again := d.client.Do(t, call)
		require.Equal(t, answers[i], string(again.Body))
		require.Equal(t, "true", again.Header.Get(replayedHeader))
	}
	require.Equal(t, before, d.claimText(t, claim.ClaimNo))
}

// An unresolved response is not stored: the key stays free, and the same call succeeds once the claim is in the state in
// which the action starts. A definitive refusal is stored under its key.
func TestClaimAction_storedRefusals(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	early := actOn(t, claim.ClaimNo, "pickup", requestBody("pickup"))
	stacktest.RequireFailure(t, d.client.Do(t, early), http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
	d.acted(t, claim.ClaimNo, "approve", nil)

	d.FreezeClaim(t, claim.ClaimNo, "분쟁")
	refused := fixed(actOn(t, claim.ClaimNo, "pickup", requestBody("pickup")))
	first := d.client.Do(t, refused)
	stacktest.RequireFailure(t, first, http.StatusConflict, "CLAIM_NOT_COLLECTABLE")
	d.UnfreezeClaim(t, claim.ClaimNo)
	again := d.client.Do(t, refused)
	require.Equal(t, string(first.Body), string(again.Body))
	require.Equal(t, "true", again.Header.Get(replayedHeader))

	wrong := actOn(t, claim.ClaimNo, "pickup", body{"carrier_name": "한진택배", "tracking_no": ""})
	stacktest.RequireFailure(t, d.client.Do(t, wrong), http.StatusBadRequest, "SHIPMENT_FIELDS_REQUIRED")
	require.Equal(t, "collecting", stacktest.RequireOK[stacktest.Claim](t, d.client.Do(t, early)).Status)
	right := actOn(t, claim.ClaimNo, "collect-done", nil)
	right.Header = wrong.Header
	require.Equal(t, "collected", stacktest.RequireOK[stacktest.Claim](t, d.client.Do(t, right)).Status,
		"an invalid request does not use up its key")

	none := fixed(actOn(t, "C0", "approve", nil))
	first, again = d.client.Do(t, none), d.client.Do(t, none)
	stacktest.RequireFailure(t, first, http.StatusNotFound, "CLAIM_NOT_FOUND")
	require.Equal(t, string(first.Body), string(again.Body))
	require.Equal(t, "true", again.Header.Get(replayedHeader))
}

func (d *session) history(t *testing.T, claimNo, trigger string) (changes int) {
	t.Helper()
	require.NoError(t, d.SQL(t).QueryRow(t.Context(), `select count(*) from claims.history
		where trigger = $2 and from_status <> to_status and claim_id = (select claim_id from claims.claims where claim_no =
		$1)`, claimNo, trigger).Scan(&changes))
	return changes
}

// The same action many times concurrently, each under its own key: it is done once, the money is requested once, and every
// response shows the same claim.
func TestClaimAction_concurrentDoneOnce(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Cancel)
	calls := make([]stacktest.Call, 12)
	for i := range calls {
		calls[i] = actOn(t, claim.ClaimNo, "approve", nil)
		calls[i].Key = d.seller.Key
	}
	news := 0
	for _, answer := range d.Together(t, calls...) {
		news += strings.Count(string(answer.Data), `"already_done":false`)
		got := stacktest.RequireOK[stacktest.Claim](t, answer)
		require.Contains(t, []string{"refund_processing", "completed"}, got.Status)
		require.Equal(t, int64(27800), *got.RefundAmount)
	}
	require.Equal(t, 1, news, "one of them has done it")
	d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	require.Equal(t, 1, d.history(t, claim.ClaimNo, "approve"))
	require.Equal(t, []int64{27800}, d.paidOut(claim.ClaimNo))
	require.Equal(t, []string{"canceled"}, states(d.order(t, claim.OrderNo)))
}
