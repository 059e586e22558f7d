package e2e

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// collectNo and reshipNo are the tracking numbers of the parcels of claims unless a test uses others.
const (
	collectNo = "412345678901"
	reshipNo  = "512345678901"
)

// claimSteps are the actions that lead from state to state, each with a valid request, in the order of a claim's
// life.
var claimSteps = []struct {
	from, action string
	body         body
}{
	{"requested", "approve", nil},
	{"approved", "pickup", body{"carrier_name": "한진택배", "tracking_no": collectNo}},
	{"collecting", "collect-done", nil},
	{"collected", "inspect", body{"result": "pass"}},
	{"reshipping", "reship", body{"carrier_name": "로젠택배", "tracking_no": reshipNo}},
}

func rejection() body { return body{"memo": "사용 흔적이 있습니다"} }

func requestBody(action string) body {
	if action == "reject" {
		return rejection()
	}
	for _, step := range claimSteps {
		if step.action == action {
			return step.body
		}
	}
	var example body
	if err := json.Unmarshal(described()[operationOf(action)].Example, &example); err != nil {
		return nil
	}
	return example
}

func (d *session) claimOn(t *testing.T, order *ordersv1.Order, kind string, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	request := stacktest.NewClaim(kind, order, options...)
	d.RequestClaim(t, request)
	return d.client.Claim(t, request.GetClaimNo())
}

func (d *session) newClaim(t *testing.T, kind string, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	return d.claimOn(t, d.PlaceNew(t, d.seller.ID, stacktest.Claimable(kind)), kind, options...)
}

// claimIn requests a claim on a new order and brings it to a state that its actions lead to.
func (d *session) claimIn(t *testing.T, kind, status string, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	return d.advance(t, d.newClaim(t, kind, options...), status)
}

func (d *session) advance(t *testing.T, claim stacktest.Claim, status string) stacktest.Claim {
	t.Helper()
	for _, step := range claimSteps {
		if claim.Status == step.from && claim.Status != status {
			claim = d.acted(t, claim.ClaimNo, step.action, step.body)
		}
	}
	if claim.Status != status {
		claim = d.client.AwaitClaim(t, claim.ClaimNo, status)
	}
	return claim
}

func (d *session) act(t *testing.T, claimNo, action string, request body) stacktest.Answer {
	t.Helper()
	return d.client.Do(t, actOn(t, claimNo, action, request))
}

// actOn returns the call of an action on a claim, which can be sent repeatedly.
func actOn(t *testing.T, claimNo, action string, request body) stacktest.Call {
	t.Helper()
	if request == nil {
		return stacktest.ActOn(t, claimNo, action, nil)
	}
	return stacktest.ActOn(t, claimNo, action, request)
}

func (d *session) acted(t *testing.T, claimNo, action string, request body) stacktest.Claim {
	t.Helper()
	return stacktest.RequireOK[stacktest.Claim](t, d.act(t, claimNo, action, request))
}

// claimText returns a claim as received, to be compared byte by byte.
func (d *session) claimText(t *testing.T, claimNo string) string {
	t.Helper()
	answer := d.client.Do(t, stacktest.Get("", "/open/v1/claims/"+claimNo))
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	return string(answer.Data)
}

// actRefused performs an action that must be refused and change nothing, and returns error_data.
func (d *session) actRefused(t *testing.T, claimNo, action string, request body, status int, code string) map[string]any {
	t.Helper()
	before := d.claimText(t, claimNo)
	answer := d.act(t, claimNo, action, request)
	stacktest.RequireFailure(t, answer, status, code)
	require.Equal(t, before, d.claimText(t, claimNo), "a refusal changes nothing")
	return answer.Meta.ErrorData
}

// awaitOrder reads an order until it is as wanted; the changes that a claim makes to it usually follow right after
// the response.
func (d *session) awaitOrder(t *testing.T, orderNo, promise string, wanted func(stacktest.Order) bool) stacktest.Order {
	t.Helper()
	var order stacktest.Order
	stacktest.Await(t, orderNo+": "+promise, func() bool {
		order = d.order(t, orderNo)
		return wanted(order)
	})
	return order
}
