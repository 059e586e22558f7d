package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

func status(t *testing.T, got answer) claim.Status {
	t.Helper()
	require.Equal(t, http.StatusOK, got.status, got.body)
	var data struct {
		Status claim.Status `json:"status"`
	}
	require.NoError(t, json.Unmarshal(got.data, &data))
	return data.Status
}

// An exchange goes through all its states, and each action may be repeated with another key at any time.
func TestExchange_wholeLife(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Exchange)
	for i, want := range []claim.Status{claim.Approved, claim.Collecting, claim.Collected, claim.Reshipping, claim.Completed} {
		got := b.act(t, c, steps[i][0], steps[i][1])
		require.Equal(t, want, status(t, got))
		again := b.act(t, c, steps[i][0], steps[i][1])
		moved := strings.Replace(again.body, `"already_done":true`, `"already_done":false`, 1)
		require.Equal(t, got.body, moved, "%s again, under another key: nothing moved", steps[i][0])
	}
	for _, step := range steps {
		require.Equal(t, claim.Completed, status(t, b.act(t, c, step[0], step[1])), "%s long after", step[0])
	}
}

// Equal values may be written differently and count as done; other values are refused.
func TestPickup_sameValuesOtherSpelling(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.openOne(t, uuid.New(), claim.Return), 2)
	for _, same := range []string{
		`{"tracking_no":" 412345678901","carrier_name":" 한진택배 "}`,
		`{"tracking_no":"４１２３４５６７８９０１","carrier_name":"한진택배","logistics_company":"ignored"}`,
	} {
		require.Equal(t, claim.Collecting, status(t, b.act(t, c, "pickup", same)))
	}
	for _, other := range []string{
		`{"carrier_name":"한진택배","tracking_no":"412345678902"}`, `{"carrier_name":"롯데택배","tracking_no":"412345678901"}`,
	} {
		got := b.act(t, c, "pickup", other)
		require.Equal(t, "IDEMPOTENCY_UNRESOLVED", got.code())
		require.Equal(t, "collecting", got.meta.ErrorData["status"])
		require.Equal(t, []any{"collect-done"}, got.meta.ErrorData["available_actions"])
	}
}

// The response to an action states whether the claim had reached the state before the call; a replay repeats the first response.
func TestAction_alreadyDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, k := b.openOne(t, uuid.New(), claim.Return), newKey()
	done := func(a answer) any {
		var data map[string]any
		require.NoError(t, json.Unmarshal(a.data, &data))
		return data["already_done"]
	}
	require.Equal(t, false, done(b.post(t, c.SellerID, c.No, "approve", "", k)))
	require.Equal(t, true, done(b.act(t, c, "approve", "")))
	require.Equal(t, false, done(b.post(t, c.SellerID, c.No, "approve", "", k)))
	b.advance(t, c, 4)
	require.Equal(t, true, done(b.act(t, c, "approve", "")))
}

// A rejection accepts any memo of at least one character, and keeps the first.
func TestReject_keepsFirstMemo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Cancel)
	require.Equal(t, claim.Rejected, status(t, b.act(t, c, "reject", `{"memo":"이미\n출고\t했습니다"}`)))
	require.Equal(t, claim.Rejected, status(t, b.act(t, c, "reject", `{"memo":"other"}`)))
	blank := b.openOne(t, uuid.New(), claim.Cancel)
	require.Equal(t, claim.Rejected, status(t, b.act(t, blank, "reject", `{"memo":" "}`)))
	require.Equal(t, " ", b.read(t, blank).Performed.Of(claim.Reject).Values.Memo)
	require.Equal(t, "이미\n출고\t했습니다", b.read(t, c).Performed.Of(claim.Reject).Values.Memo)
	by := b.read(t, c).Performed.Of(claim.Reject).Actor
	require.NotEmpty(t, by.RequestID)
	by.RequestID = ""
	require.Equal(t, claim.Actor{Kind: claim.ByAPI, Name: "key-1", KeyPrefix: "vpk_test_abc"}, by)
}

// A frozen claim refuses an action and states the reason, but not the operator's text.
func TestApprove_409FrozenWithReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Return)
	b.change(t, c, func(c *claim.Claim, now time.Time) claim.Decision {
		return c.SetFreeze("kim", claim.FreezeDispute, "customer called", now)
	})
	got := b.act(t, c, "approve", "")
	require.Equal(t, http.StatusConflict, got.status)
	require.Equal(t, "CLAIM_NOT_APPROVABLE", got.code())
	require.Equal(t, []any{"frozen", "dispute"}, []any{got.meta.ErrorData["reason"], got.meta.ErrorData["code"]})
	require.NotContains(t, got.body, "customer called", "the operator's text is not the seller's")
}

// A body is ignored where an action needs none, even when it is malformed.
func TestApprove_ignoresBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Return)
	require.Equal(t, claim.Approved, status(t, b.act(t, c, "approve", `{"memo": nonsense`)))
}

// Errors in a request are reported before the claim is looked up, in the order of the API.
func TestAction_4xxWrongBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := func(n int) string { return strings.Repeat("가", n) }
	for _, c := range []struct {
		action, body string
		status       int
		code         string
		fields       []string
	}{
		{"reject", ``, 422, "VALIDATION_ERROR", nil},
		{"reject", `{}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"reject", `{"memo":null}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"reject", `{"memo":""}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"reject", `{"memo":" "}`, 404, "CLAIM_NOT_FOUND", nil},
		{"reject", `{"memo":"\u3164 "}`, 404, "CLAIM_NOT_FOUND", nil},
		{"reject", `{"memo":7}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"reject", `{"memo":"a\u0007"}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"reject", `{"memo":"` + long(1001) + `"}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"pickup", `{"carrier_name":""}`, 422, "VALIDATION_ERROR", []string{"tracking_no"}},
		{
			"pickup", `{"carrier_name":"` + long(51) + `","tracking_no":"` + long(61) + `"}`, 422, "VALIDATION_ERROR",
			[]string{"carrier_name", "tracking_no"},
		},
		{"pickup", `{"carrier_name":"DHL\n","tracking_no":""}`, 400, "SHIPMENT_INPUT_INVALID", nil},
		{"pickup", `{"carrier_name":"","tracking_no":""}`, 422, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{"pickup", `{"carrier_name":"한진택배","tracking_no":"\u200b"}`, 400, "SHIPMENT_FIELDS_REQUIRED", nil},
		{"reship", `{"carrier_name":"한진","tracking_no":"1"}`, 422, "SHIPMENT_CARRIER_NOT_ALLOWED", nil},
		{"reship", `{"carrier_name":"한진택배","tracking_no":" "}`, 400, "SHIPMENT_FIELDS_REQUIRED", nil},
		{"inspect", `{}`, 422, "VALIDATION_ERROR", []string{"result"}},
		{"inspect", `{"result":"Pass"}`, 422, "VALIDATION_ERROR", []string{"result"}},
		{"inspect", `{"result":"fail"}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"inspect", `{"result":"fail","memo":null}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"inspect", `{"result":"fail","memo":""}`, 400, "CLAIM_MEMO_REQUIRED", nil},
		{"inspect", `{"result":"fail","memo":" \u3164"}`, 400, "CLAIM_MEMO_REQUIRED", nil},
		{"inspect", `{"result":"fail","memo":7}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"inspect", `{"result":"pass","memo":"a\u0000"}`, 422, "VALIDATION_ERROR", []string{"memo"}},
		{"inspect", `{"result":"pass","memo":""}`, 404, "CLAIM_NOT_FOUND", nil},
		{"inspect", `{"result":"pass","memo":null}`, 404, "CLAIM_NOT_FOUND", nil},
		{"approve", ``, 404, "CLAIM_NOT_FOUND", nil},
		{"collect-done", `7`, 404, "CLAIM_NOT_FOUND", nil},
		{"reject", `{"memo":"` + long(1000) + `"}`, 404, "CLAIM_NOT_FOUND", nil},
	} {
		got := b.post(t, uuid.New(), "C-none", c.action, c.body, newKey())
		require.Equal(t, c.status, got.status, "%s %s: %s", c.action, c.body, got.body)
		require.Equal(t, c.code, got.code(), "%s %s", c.action, c.body)
		if c.fields != nil {
			require.Equal(t, c.fields, got.fields(t), "%s %s", c.action, c.body)
		}
	}
}

// A repetition of a key gets the first response, whatever has happened since; the key with other content is refused.
func TestIdempotencyKey_replaysFirstAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, k := b.openOne(t, uuid.New(), claim.Return), newKey()
	first := b.post(t, c.SellerID, c.No, "approve", "", k)
	b.advance(t, c, 3)
	again := b.post(t, c.SellerID, c.No, "approve", "", k)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
	k.fingerprint = newKey().fingerprint
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", b.post(t, c.SellerID, c.No, "approve", "", k).code())
}

type sagaFunc func(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error)

func (f sagaFunc) Perform(ctx context.Context, seller uuid.UUID, no string, _ claim.Command) (claim.Claim, bool, error) {
	performed, err := f(ctx, seller, no)
	return performed, false, err
}

// A response that asks for a retry must not be stored under the key for a day.
func TestReship_409UnconfirmedIsRetriable(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	claims := store.New(db.AsService(t))
	failing := true
	b := setupWith(t, db, claims, sagaFunc(func(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error) {
		if failing {
			return claim.Claim{}, apierr.ExchangeItemShipFailed
		}
		return claims.Get(ctx, seller, no)
	}))
	c, k := b.openOne(t, uuid.New(), claim.Exchange), newKey()
	got := b.post(t, c.SellerID, c.No, steps[4][0], steps[4][1], k)
	require.Equal(t, http.StatusConflict, got.status)
	require.Equal(t, "EXCHANGE_ITEM_SHIP_FAILED", got.code())
	failing = false
	require.Equal(t, http.StatusOK, b.post(t, c.SellerID, c.No, steps[4][0], steps[4][1], k).status)
}

// Every action of the seller has its own path, and withdrawing has none.
func TestAction_everyActionHasItsPath(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, action := range claim.Actions() {
		const body = `{"memo":"no","result":"pass","carrier_name":"한진택배","tracking_no":"412345678901"}`
		require.Equal(t, "CLAIM_NOT_FOUND", b.post(t, uuid.New(), "C-none", string(action), body, newKey()).code(), action)
	}
	none := b.post(t, uuid.New(), "C-none", "withdraw", "{}", newKey())
	require.Equal(t, http.StatusNotFound, none.status)
	require.Empty(t, none.code())
}
