package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/claims/internal/claim"
)

// masks returns the values that differ from run to run, each with its placeholder.
func masks(c claim.Claim) []string {
	pairs := []string{c.No, "CLAIM_NO"}
	for _, e := range []struct {
		name string
		at   *time.Time
	}{
		{"inspection_due_at", c.InspectionDueAt},
		{"payment_due_at", c.PaymentDueAt},
		{"completed_at", c.CompletedAt},
		{"requested_at", &c.RequestedAt},
		{"updated_at", &c.UpdatedAt},
	} {
		if e.at != nil {
			member := fmt.Sprintf(`"%s":"`, e.name)
			pairs = append(pairs, member+timestamp.Format(*e.at), member+strings.ToUpper(e.name))
		}
	}
	return pairs
}

// The detail shows every field of a claim in every state, and the list shows the same.
func TestDetail_everyFieldInEveryState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	byBuyer := func(kind claim.Type) claim.Wanted {
		w := wanted(uuid.New(), kind)
		w.Reason = claim.ChangeOfMind
		return w
	}
	finish := func(c *claim.Claim, now time.Time) claim.Decision {
		return c.Finish([]claim.Settled{{ItemID: uuid.UUID{1}, SettledItemID: uuid.UUID{9}}}, now)
	}
	withdraw := func(c *claim.Claim, now time.Time) claim.Decision { return c.Withdraw(now) }
	hold := func(c *claim.Claim, now time.Time) claim.Decision { return c.HoldInspection("kim", "look", now) }
	register := func(c *claim.Claim, now time.Time) claim.Decision {
		values := claim.Values{Carrier: "로젠택배", TrackingNo: "91234567890"}
		return claim.Decide(c, claim.Command{Action: claim.Reship, Values: values, Actor: claim.Actor{Kind: claim.ByAPI}}, now)
	}
	reject := func(c *claim.Claim, now time.Time) claim.Decision {
		values := claim.Values{Result: claim.Fail, Memo: "사용 흔적"}
		return claim.Decide(c, claim.Command{Action: claim.Inspect, Values: values, Actor: claim.Actor{Kind: claim.ByAPI}}, now)
	}
	show := func(c *claim.Claim, now time.Time) claim.Decision {
		return c.ShowReshipment(*c.Performed.Pending(), now)
	}
	confirm := func(c *claim.Claim, now time.Time) claim.Decision {
		return c.Confirm(*c.Performed.Pending(), nil, claim.Surroundings{}, now)
	}
	open := func(kind claim.Type) claim.Claim { return b.openOne(t, uuid.New(), kind) }
	failed := b.advance(t, open(claim.Return), 3)
	require.Equal(t, http.StatusOK, b.act(t, failed, "inspect", `{"result":"fail","memo":"사용 흔적"}`).status)
	for name, c := range map[string]claim.Claim{
		"cancel_requested":             open(claim.Cancel),
		"cancel_refund_processing":     b.advance(t, open(claim.Cancel), 1),
		"exchange_payment_pending":     b.open(t, byBuyer(claim.Exchange)),
		"return_requested":             open(claim.Return),
		"return_withdrawing":           b.change(t, open(claim.Return), withdraw),
		"return_withdrawn":             b.change(t, b.change(t, open(claim.Return), withdraw), confirm),
		"return_collecting":            b.advance(t, open(claim.Return), 2),
		"return_collected":             b.advance(t, open(claim.Return), 3),
		"return_collected_failing":     b.change(t, b.advance(t, open(claim.Return), 3), reject),
		"return_inspecting":            b.change(t, b.advance(t, open(claim.Return), 3), hold),
		"return_rejected_inspection":   b.read(t, failed),
		"return_refund_processing":     b.advance(t, b.open(t, byBuyer(claim.Return)), 4),
		"return_completed":             b.change(t, b.advance(t, open(claim.Return), 4), finish),
		"exchange_requested":           open(claim.Exchange),
		"exchange_reshipping":          b.advance(t, open(claim.Exchange), 4),
		"exchange_reshipping_on_trial": b.change(t, b.change(t, b.advance(t, open(claim.Exchange), 4), register), show),
		"exchange_completed":           b.advance(t, open(claim.Exchange), 5),
	} {
		got := b.get(t, c.SellerID, "claims/"+c.No, "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, "1", got.header.Get("X-Rows"), "a detail is one row of the budget")
		b.requireReplays(t, name, c.SellerID, got)
		requireGolden(t, name, got.body, masks(c)...)
		list := b.get(t, c.SellerID, "claims", "")
		require.Equal(t, `{"list":[`+string(got.data)+`],"next_cursor":null}`, string(list.data), name)
	}
}

// The detail, the list and the response to an action show the claim identically,
// byte for byte.
func TestDetail_equalsListAndAction(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Exchange)
	acted := b.act(t, c, "approve", "")
	detail := b.get(t, seller, "claims/"+c.No, "")
	list := b.get(t, seller, "claims", "")
	require.Equal(t, strings.Replace(string(acted.data), `,"already_done":false}`, "}", 1), string(detail.data))
	require.Equal(t, `{"list":[`+string(detail.data)+`],"next_cursor":null}`, string(list.data))
}

// Another seller's claim, an unknown one and a malformed number get the same
// response.
func TestDetail_404OtherSellerLikeUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Return)
	unknown := b.get(t, uuid.New(), "claims/C-none", "")
	require.Equal(t, http.StatusNotFound, unknown.status)
	require.Equal(t, "CLAIM_NOT_FOUND", unknown.code())
	require.Equal(t, unknown.body, b.get(t, uuid.New(), "claims/"+c.No, "").body)
	require.Equal(t, "0", unknown.header.Get("X-Rows"))
	for _, malformed := range []string{strings.Repeat("C", 65), "%00", "%FF"} {
		require.Equal(t, unknown.body, b.get(t, c.SellerID, "claims/"+malformed, "").body, malformed)
		require.Equal(t, unknown.body, b.post(t, c.SellerID, malformed, "reject", "nonsense", newKey()).body, malformed)
	}
	require.Equal(t, unknown.body, b.get(t, c.SellerID, "claims/a%2Fb", "").body)
}

func TestDetail_422NoParameters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Return)
	got := b.get(t, c.SellerID, "claims/"+c.No, "status=requested")
	require.Equal(t, "VALIDATION_ERROR", got.code())
	require.Equal(t, []string{"query.status"}, got.fields(t))
}

// requireReplays fails unless the history of a claim leads to its state, its parcels and its refund as a detail shows them.
func (b fixture) requireReplays(t *testing.T, name string, seller uuid.UUID, detail answer) {
	t.Helper()
	type present struct {
		ClaimNo   string `json:"claim_no"`
		Status    string `json:"status"`
		CollectNo string `json:"collect_tracking_no"`
		ReshipNo  string `json:"reship_tracking_no"`
	}
	var want, got present
	require.NoError(t, json.Unmarshal(detail.data, &want))
	history := b.get(t, seller, "claims/"+want.ClaimNo+"/history", "")
	var data struct {
		ClaimNo string `json:"claim_no"`
		Events  []struct {
			Event, Status, Parcel string
			TrackingNo            string `json:"tracking_no"`
		}
	}
	require.NoError(t, json.Unmarshal(history.data, &data))
	got.ClaimNo = data.ClaimNo
	for _, e := range data.Events {
		switch {
		case e.Event == "status":
			got.Status = e.Status
		case e.Parcel == "collect":
			got.CollectNo = e.TrackingNo
		case e.Parcel == "reship":
			got.ReshipNo = e.TrackingNo
		}
	}
	require.Equal(t, want, got, name)
}

// A history shows every kind of event, and of each the fields that it has.
func TestHistory_everyEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	finish := func(c *claim.Claim, now time.Time) claim.Decision {
		return c.Finish([]claim.Settled{{ItemID: uuid.UUID{1}, SettledItemID: uuid.UUID{9}}}, now)
	}
	for name, c := range map[string]claim.Claim{
		"history_return":   b.change(t, b.advance(t, b.openOne(t, uuid.New(), claim.Return), 4), finish),
		"history_exchange": b.advance(t, b.openOne(t, uuid.New(), claim.Exchange), 5),
	} {
		got := b.get(t, c.SellerID, "claims/"+c.No+"/history", "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, "1", got.header.Get("X-Rows"))
		requireGolden(t, name, changedAt.ReplaceAllString(string(got.data), `"changed_at":"CHANGED_AT"`), c.No, "CLAIM_NO")
	}
}

// changedAt matches the times of a history, which differ from run to run.
var changedAt = regexp.MustCompile(`"changed_at":"[^"]*"`)
