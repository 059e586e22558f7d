package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// A new claim has the fields of the specification, with the values that follow from its request.
func TestClaimDetail_newClaim(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(2), stacktest.Claimable(stacktest.Return))
	placed := order.GetSellers()[0].GetLines()
	got := d.claimOn(t, order, stacktest.Return, stacktest.Because("change_of_mind"))
	require.Equal(t, stacktest.Claim{
		ClaimNo: got.ClaimNo, OrderNo: order.GetOrderNo(), Type: "return", Status: "requested",
		AvailableActions: availableActions(t, stacktest.Return, "requested"), Fault: "buyer", ReasonCode: "change_of_mind",
		ClaimShippingFee: new(int64(3000)), PriceDifference: new(int64(0)),
		RequestedAt: got.RequestedAt, UpdatedAt: got.UpdatedAt,
		Items: []stacktest.ClaimItem{
			{ItemCode: order.GetOrderNo() + "-01", ItemID: placed[0].GetItemId(), Quantity: 2, ProductName: "양말 0", OptionName: "블랙 / M"},
			{ItemCode: order.GetOrderNo() + "-02", ItemID: placed[1].GetItemId(), Quantity: 2, ProductName: "양말 1", OptionName: "블랙 / M"},
		},
	}, got)
	for _, at := range []string{got.RequestedAt, got.UpdatedAt} {
		require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, at)
	}
}

// Fields without a value yet are present as null, in every state; and there are no other fields, above all no
// address.
func TestClaimDetail_allFieldsNoPersonalData(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	canary := "CANARY" + strings.ToUpper(uuid.NewString()[:8])
	order := canaried(d.seller.ID, canary, stacktest.Claimable(stacktest.Return))
	order.OrderNo = "T" + strings.ToUpper(uuid.NewString())
	for _, line := range order.GetSellers()[0].GetLines() {
		line.ProductName, line.OptionName = "순면 티셔츠", "블랙 / M"
	}
	d.Place(t, order)
	claim := d.claimOn(t, order, stacktest.Return)
	for _, status := range []string{"requested", "approved", "collecting", "collected", "completed"} {
		claim = d.advance(t, claim, status)
		text := d.claimText(t, claim.ClaimNo)
		require.NotContains(t, text, canary)
		var members map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &members))
		require.ElementsMatch(t, []string{
			"claim_no", "order_no", "type", "status", "available_actions", "fault", "reason_code", "refund_amount",
			"claim_shipping_fee", "price_difference", "requested_at", "completed_at", "updated_at", "collect_carrier_name",
			"collect_tracking_no", "inspect_result", "reship_carrier_name", "reship_tracking_no", "inspection_due_at",
			"payment_due_at", "refund_breakdown", "items",
		}, keysOfMembers(members))
		item := members["items"].([]any)[0].(map[string]any)
		require.ElementsMatch(t, []string{
			"item_code", "item_id", "quantity", "product_name", "option_name", "exchange_option_name",
		}, keysOfMembers(item))
		require.Nil(t, item["exchange_option_name"])
	}
}

func keysOfMembers(members map[string]any) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	return names
}

// Each field of a return gets its value with the step that sets it and keeps it from then on.
func TestReturn_fieldsNullUntilTheirStep(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	want := d.newClaim(t, stacktest.Return, stacktest.Because("change_of_mind"))
	step := func(action string, set func(got stacktest.Claim)) {
		t.Helper()
		got := d.acted(t, want.ClaimNo, action, requestBody(action))
		require.Greater(t, got.UpdatedAt, want.UpdatedAt)
		want.UpdatedAt = got.UpdatedAt
		set(got)
		require.Equal(t, want, got, action)
		require.Equal(t, got, d.client.Claim(t, want.ClaimNo), "the response equals the claim as read")
	}
	step("approve", func(stacktest.Claim) { want.Status, want.AvailableActions = "approved", []string{"pickup"} })
	step("pickup", func(stacktest.Claim) {
		want.Status, want.AvailableActions = "collecting", []string{"collect-done"}
		want.CollectCarrier, want.CollectTrackingNo = new("한진택배"), new(collectNo)
	})
	step("collect-done", func(got stacktest.Claim) {
		want.Status, want.AvailableActions = "collected", []string{"inspect"}
		require.NotNil(t, got.InspectionDueAt)
		want.InspectionDueAt = got.InspectionDueAt
	})
	d.Payments.Tell(want.ClaimNo, stacktest.NeedsAccount)
	step("inspect", func(stacktest.Claim) {
		want.Status, want.AvailableActions, want.InspectionDueAt = "refund_processing", []string{}, nil
		want.InspectResult, want.RefundAmount = new("pass"), new(int64(21800))
		want.RefundBreakdown = &stacktest.Breakdown{Goods: 24800, Fee: 3000, Points: 500, Money: 21300}
	})
	d.Payments.Tell(want.ClaimNo, stacktest.Paid)
	d.AskAgain(t, want.ClaimNo)
	got := d.client.AwaitClaim(t, want.ClaimNo, "completed")
	require.NotNil(t, got.CompletedAt)
	require.Greater(t, got.UpdatedAt, want.UpdatedAt)
	want.Status, want.CompletedAt, want.UpdatedAt = "completed", got.CompletedAt, got.UpdatedAt
	require.Equal(t, want, got)
}

// The available actions depend on type and status alone, as in the table of the specification.
func TestAvailableActions_byTypeAndStatus(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	free := func(kind, status string, claim stacktest.Claim) {
		t.Helper()
		require.Equal(t, status, claim.Status, kind)
		want := availableActions(t, kind, status)
		require.Equal(t, want, claim.AvailableActions, "%s %s", kind, status)
		require.Equal(t, want, d.client.Claim(t, claim.ClaimNo).AvailableActions)
	}
	for _, kind := range []string{stacktest.Return, stacktest.Exchange} {
		claim := d.newClaim(t, kind)
		for _, status := range []string{"requested", "approved", "collecting", "collected"} {
			claim = d.advance(t, claim, status)
			free(kind, status, claim)
			d.FreezeClaim(t, claim.ClaimNo, "분쟁")
			free(kind, status, d.client.Claim(t, claim.ClaimNo))
			d.UnfreezeClaim(t, claim.ClaimNo)
		}
		require.Equal(t, "inspecting", d.HoldInspection(t, claim.ClaimNo))
		free(kind, "inspecting", d.client.Claim(t, claim.ClaimNo))
		free(kind, "rejected", d.acted(t, claim.ClaimNo, "reject", rejection()))
		withdrawn := d.newClaim(t, kind)
		d.WithdrawClaim(t, withdrawn.ClaimNo)
		free(kind, "withdrawn", d.client.Claim(t, withdrawn.ClaimNo))
	}
	cancel := d.newClaim(t, stacktest.Cancel)
	free(stacktest.Cancel, "requested", cancel)
	d.Payments.Tell(cancel.ClaimNo, stacktest.NeedsAccount)
	free(stacktest.Cancel, "refund_processing", d.acted(t, cancel.ClaimNo, "approve", nil))
	free(stacktest.Cancel, "completed", d.claimIn(t, stacktest.Cancel, "completed"))
	pending := d.newClaim(t, stacktest.Exchange, stacktest.Because("change_of_mind"))
	free(stacktest.Exchange, "payment_pending", pending)
}

// A line that is claimed whole keeps its code and id, so that claim and order refer to the same line before and
// after.
func TestClaimedLine_wholeKeepsCodeAndID(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, kind := range []string{stacktest.Cancel, stacktest.Return} {
		order := d.PlaceNew(t, d.seller.ID, lines(3), stacktest.Claimable(kind))
		placed := order.GetSellers()[0].GetLines()
		request := stacktest.NewClaim(kind, order, stacktest.OnlyLines(placed[0].GetItemId(), placed[2].GetItemId()))
		slices.Reverse(request.Items)
		d.RequestClaim(t, request)
		claim := d.client.Claim(t, request.GetClaimNo())
		require.Equal(t, []string{placed[2].GetItemId(), placed[0].GetItemId()}, []string{claim.Items[0].ItemID, claim.Items[1].ItemID},
			"in the order of the request")
		require.Equal(t, claim.Items, d.advance(t, claim, "completed").Items)
		for _, item := range d.order(t, claim.OrderNo).Items {
			for _, claimed := range claim.Items {
				require.Equal(t, item.ItemCode == claimed.ItemCode, item.ItemID == claimed.ItemID)
			}
		}
	}
}

// A claim that does not exist, a malformed number and another seller's claim get the same response from every
// call.
func TestClaimDetail_notFound(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	own, theirs := d.newClaim(t, stacktest.Return), other.newClaim(t, stacktest.Return)
	before := other.claimText(t, theirs.ClaimNo)
	for _, operation := range operations {
		if !strings.HasPrefix(operation.path, "/open/v1/claims/") {
			continue
		}
		var want string
		for _, no := range []string{
			"C0", theirs.ClaimNo, strings.ToLower(own.ClaimNo), own.ClaimNo + "x", own.OrderNo, "%EC%B7%A8%EC%86%8C", strings.Repeat("A", 65), "a%2Fb", "%20",
		} {
			answer := d.client.Do(t, fixed(operation.call("", no, "")))
			stacktest.RequireFailure(t, answer, http.StatusNotFound, "CLAIM_NOT_FOUND")
			if want == "" {
				want = string(answer.Body)
			}
			require.Equal(t, want, string(answer.Body), "%s %s", operation.path, no)
		}
	}
	require.Equal(t, before, other.claimText(t, theirs.ClaimNo))
	stacktest.RequireInvalid(t, d.client.Do(t, stacktest.Get("", "/open/v1/claims/"+own.ClaimNo, "limit", "1")), "query.limit")
}
