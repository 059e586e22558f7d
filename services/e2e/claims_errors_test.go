package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// While a claim is frozen, every action is refused from the state it starts in, with the code of the action and a reason from a
// fixed list; the operator's own text is visible to operators only. Actions done before the freeze are still confirmed. After the
// freeze, the claim goes on.
func TestFrozenClaim_refusesEveryAction(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	const reason = "사기 의심"
	frozen := func(claim stacktest.Claim, actions ...string) {
		t.Helper()
		d.FreezeClaim(t, claim.ClaimNo, reason)
		for _, action := range actions {
			data := d.actRefused(t, claim.ClaimNo, action, requestBody(action), http.StatusConflict, notCode(t, action))
			require.Equal(t, []any{"frozen", "other", claim.Status}, []any{data["reason"], data["code"], data["status"]}, action)
			require.NotContains(t, data, reason)
			require.Len(t, data["available_actions"], len(claim.AvailableActions), action)
		}
		d.FreezeClaim(t, claim.ClaimNo, "other")
	}
	canceling := d.newClaim(t, stacktest.Cancel)
	frozen(canceling, canceling.AvailableActions...)
	claim := d.newClaim(t, stacktest.Return)
	frozen(claim, claim.AvailableActions...)
	for _, step := range claimSteps[:4] {
		d.UnfreezeClaim(t, claim.ClaimNo)
		if step.action == "inspect" {
			break
		}
		claim = d.acted(t, claim.ClaimNo, step.action, step.body)
		frozen(claim, claim.AvailableActions...)
		require.Equal(t, claim.Status, d.acted(t, claim.ClaimNo, step.action, step.body).Status, "repetition while frozen")
	}
	d.HoldInspection(t, claim.ClaimNo)
	frozen(d.client.Claim(t, claim.ClaimNo), "reject")
	d.UnfreezeClaim(t, claim.ClaimNo)
	require.Equal(t, "rejected", d.acted(t, claim.ClaimNo, "reject", rejection()).Status)
}

// While an exchange is frozen its seller cannot ship its line with the shipment call of the order either, and learns why the claim
// is stopped.
func TestFrozenExchange_shipment(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.claimIn(t, stacktest.Exchange, "reshipping")
	fresh := line(t, d.order(t, claim.OrderNo), "02").ItemID
	stacktest.Must(t, d.Claims.FreezeClaim, &claimsv1.FreezeClaimRequest{
		ClaimNo: claim.ClaimNo, Operator: "kim", Reason: "customer called", Code: "payment_check",
	})
	refused := d.do(t, "shipment", claim.OrderNo, toShip(fresh))
	stacktest.RequireFailure(t, refused, http.StatusConflict, "EXCHANGE_ITEM_NOT_RESHIPPING")
	data := d.actRefused(t, claim.ClaimNo, "reship", requestBody("reship"), http.StatusConflict, "CLAIM_NOT_RESHIPPABLE")
	require.Equal(t, []any{"frozen", "payment_check"}, []any{data["reason"], data["code"]})
	d.UnfreezeClaim(t, claim.ClaimNo)
	require.Equal(t, "shipping", d.done(t, "shipment", claim.OrderNo, toShip(fresh)).Items[0].ItemStatus)
}

// An operator has moved the line to a state in which the claim cannot complete: every action that leads to completion is refused
// and no money moves, while releasing the line is still possible. Once the line is corrected again, the claim goes on.
func TestClaimAction_lineCorrected(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ kind, status, wrong, right, action string }{
		{stacktest.Cancel, "requested", "shipping", "paid", "approve"},
		{stacktest.Return, "requested", "shipping", "delivered", "approve"},
		{stacktest.Return, "approved", "shipping", "delivered", "pickup"},
		{stacktest.Return, "collecting", "preparing", "delivered", "collect-done"},
		{stacktest.Return, "collected", "paid", "delivered", "inspect"},
	} {
		t.Run(row.kind+" "+row.action, func(t *testing.T) {
			t.Parallel()
			d := openSession(t)
			claim := d.claimIn(t, row.kind, row.status)
			put := func(state string) {
				t.Helper()
				var parcel *ordersv1.Shipment
				if state == "shipping" || state == "delivered" {
					parcel = newParcel()
				}
				_, err := d.correct(t, claim.OrderNo, claim.Items[0].ItemID, state, parcel, act())
				require.NoError(t, err)
			}
			put(row.wrong)
			data := d.actRefused(t, claim.ClaimNo, row.action, requestBody(row.action), http.StatusConflict, notCode(t, row.action))
			require.Equal(t, []any{"lines_not_held", row.status}, []any{data["reason"], data["status"]})
			require.Empty(t, d.paidOut(claim.ClaimNo))
			put(row.right)
			require.Greater(t, d.acted(t, claim.ClaimNo, row.action, requestBody(row.action)).UpdatedAt, claim.UpdatedAt)
		})
	}
}

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
	requested, approved, collected := d.newClaim(t, stacktest.Return), d.claimIn(t, stacktest.Return, "approved"), d.claimIn(t, stacktest.Return, "collected")
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
		{requested, "reject", body{"memo": nil}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{requested, "reject", body{"memo": 7}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{requested, "reject", body{"memo": ""}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{requested, "reject", body{"memo": "a\u0007"}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{requested, "reject", body{"memo": long(1001)}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{approved, "pickup", pickup().without("carrier_name"), unprocessable, "VALIDATION_ERROR", []string{"carrier_name"}},
		{approved, "pickup", pickup().without("tracking_no"), unprocessable, "VALIDATION_ERROR", []string{"tracking_no"}},
		{approved, "pickup", body{}, unprocessable, "VALIDATION_ERROR", []string{"carrier_name", "tracking_no"}},
		{approved, "pickup", pickup().with("tracking_no", 4), unprocessable, "VALIDATION_ERROR", []string{"tracking_no"}},
		{approved, "pickup", body{"carrier_name": long(51), "tracking_no": long(61)}, unprocessable, "VALIDATION_ERROR", []string{"carrier_name", "tracking_no"}},
		{approved, "pickup", pickup().with("carrier_name", "DHL"), unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{approved, "pickup", pickup().with("carrier_name", "cj대한통운"), unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{approved, "pickup", pickup().with("carrier_name", " "), unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{approved, "pickup", body{"carrier_name": "", "tracking_no": ""}, unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{approved, "pickup", pickup().with("tracking_no", ""), invalid, "SHIPMENT_FIELDS_REQUIRED", nil},
		{approved, "pickup", pickup().with("tracking_no", " \u200b"), invalid, "SHIPMENT_FIELDS_REQUIRED", nil},
		{approved, "pickup", pickup().with("tracking_no", "4123\n"), invalid, "SHIPMENT_INPUT_INVALID", nil},
		{approved, "pickup", pickup().with("carrier_name", "DHL\t"), invalid, "SHIPMENT_INPUT_INVALID", nil},
		{reshipping, "reship", pickup().without("tracking_no"), unprocessable, "VALIDATION_ERROR", []string{"tracking_no"}},
		{reshipping, "reship", pickup().with("carrier_name", "DHL"), unprocessable, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{reshipping, "reship", pickup().with("tracking_no", " \u200b"), invalid, "SHIPMENT_FIELDS_REQUIRED", nil},
		{reshipping, "reship", pickup().with("tracking_no", "4123\n"), invalid, "SHIPMENT_INPUT_INVALID", nil},
		{collected, "inspect", body{}, unprocessable, "VALIDATION_ERROR", []string{"result"}},
		{collected, "inspect", body{"result": "PASS"}, unprocessable, "VALIDATION_ERROR", []string{"result"}},
		{collected, "inspect", body{"result": nil}, unprocessable, "VALIDATION_ERROR", []string{"result"}},
		{collected, "inspect", body{"result": true, "memo": 1}, unprocessable, "VALIDATION_ERROR", []string{"result", "memo"}},
		{collected, "inspect", body{"result": "fail"}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{collected, "inspect", body{"result": "fail", "memo": nil}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
		{collected, "inspect", body{"result": "fail", "memo": ""}, invalid, "CLAIM_MEMO_REQUIRED", nil},
		{collected, "inspect", body{"result": "fail", "memo": " \u3164 "}, invalid, "CLAIM_MEMO_REQUIRED", nil},
		{collected, "inspect", body{"result": "fail", "memo": long(1001)}, unprocessable, "VALIDATION_ERROR", []string{"memo"}},
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
	require.Equal(t, "rejected", d.acted(t, d.newClaim(t, stacktest.Cancel).ClaimNo, "reject", body{"memo": " "}).Status, "one character")
	require.Equal(t, "collecting", d.acted(t, approved.ClaimNo, "pickup", pickup().with("logistics_company", 7)).Status, "unknown fields are ignored")
	require.Equal(t, "completed", d.acted(t, reshipping.ClaimNo, "reship", requestBody("reship")).Status)
	require.Equal(t, "rejected", d.acted(t, collected.ClaimNo, "inspect", body{"result": "fail", "memo": "사용\n\t흔적"}).Status)
}

// A body that is not valid JSON is refused by actions that need one, and ignored by those that need none.
func TestBodiesOfActions(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	send := func(action, text string) stacktest.Answer {
		return d.client.Do(t, stacktest.Post("", "/open/v1/claims/"+claim.ClaimNo+"/"+action, text))
	}
	for _, text := range []string{"", "{", "[]", "null", `"memo"`, `{"memo":"a"} x`, `{"memo":"a","memo":"b"}`, "{\"memo\":\"\xff\"}"} {
		stacktest.RequireFailure(t, send("reject", text), http.StatusUnprocessableEntity, "VALIDATION_ERROR")
	}
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	other := stacktest.Post("", "/open/v1/claims/"+claim.ClaimNo+"/reject", `{"memo":"a"}`)
	other.Header.Set("Content-Type", "text/plain")
	stacktest.RequireFailure(t, d.client.Do(t, other), http.StatusUnsupportedMediaType, "")
	require.Equal(t, "approved", stacktest.RequireOK[stacktest.Claim](t, send("approve", `{"memo": nonsense`)).Status, "it needs no body")
	d.acted(t, claim.ClaimNo, "pickup", requestBody("pickup"))
	require.Equal(t, "collected", stacktest.RequireOK[stacktest.Claim](t, send("collect-done", "7")).Status)
}

// All five carriers are accepted, and tracking numbers are normalized to one form.
func TestPickup_carriersAndNormalization(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, name := range []string{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"} {
		claim := d.claimIn(t, stacktest.Return, "approved")
		collecting := d.acted(t, claim.ClaimNo, "pickup", body{"carrier_name": name, "tracking_no": " ４123-4567 8901.ab"})
		require.Equal(t, []string{name, "412345678901AB"}, []string{*collecting.CollectCarrier, *collecting.CollectTrackingNo})
	}
}

// A key without the scope changes nothing, even on an existing claim.
func TestClaimsNeedTheirScopes(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	reads, _ := d.IssueKey(t, d.seller.ID, "claims:read", "orders:write")
	writes, _ := d.IssueKey(t, d.seller.ID, "claims:write", "orders:read")
	for _, action := range claimActions {
		call := actOn(t, claim.ClaimNo, action, requestBody(action))
		call.Key = reads
		answer := d.Do(t, call)
		stacktest.RequireFailure(t, answer, http.StatusForbidden, "SCOPE_FORBIDDEN")
		require.Equal(t, "claims:write", answer.Meta.ErrorData["required_scope"])
	}
	for _, path := range []string{"/open/v1/claims", "/open/v1/claims/" + claim.ClaimNo} {
		answer := d.Do(t, stacktest.Get(writes, path))
		stacktest.RequireFailure(t, answer, http.StatusForbidden, "SCOPE_FORBIDDEN")
		require.Equal(t, "claims:read", answer.Meta.ErrorData["required_scope"])
		require.Equal(t, http.StatusOK, d.Do(t, stacktest.Get(reads, path)).Status)
	}
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	approve := actOn(t, claim.ClaimNo, "approve", nil)
	approve.Key = writes
	require.Equal(t, "approved", stacktest.RequireOK[stacktest.Claim](t, d.Do(t, approve)).Status)
}

// Every action needs the Idempotency-Key header; without it nothing is done.
func TestClaimAction_needsIdempotencyKey(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	for _, action := range claimActions {
		for _, values := range [][]string{nil, {""}, {" \u3164"}, {"a", "a"}} {
			call := actOn(t, claim.ClaimNo, action, requestBody(action))
			call.Header["Idempotency-Key"] = values
			stacktest.RequireFailure(t, d.client.Do(t, call), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REQUIRED")
		}
		call := actOn(t, claim.ClaimNo, action, requestBody(action)).Under(strings.Repeat("가", 201))
		stacktest.RequireFailure(t, d.client.Do(t, call), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_TOO_LONG")
	}
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	longest := actOn(t, claim.ClaimNo, "approve", nil).Under(uuid.NewString() + strings.Repeat("가", 164))
	require.Equal(t, http.StatusOK, d.client.Do(t, longest).Status)
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
