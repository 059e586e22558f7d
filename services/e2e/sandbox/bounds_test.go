package sandbox

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

// No operation finds another seller's record, paid or not, and none of them is changed; an order that the storefront placed with
// lines of two sellers is neither paid nor forgotten by one of them, and no key without the scope plays anything.
func TestBounds_otherSellers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := b.as(b.Seller(t).ID)
	order := b.order(`{"line_count":1}`, "delivered")
	pending := b.play("/orders", `{"status":"pending"}`).Data.OrderNo
	claim := b.play("/orders/"+order.OrderNo+"/claims", `{}`).Data.ClaimNo
	inquiry := b.play("/qna", `{}`).Data.QnaID
	before := b.public(order.OrderNo).Data

	for path, body := range paths(order.OrderNo, claim, inquiry) {
		got := stranger.call(path, body)
		require.Equal(t, http.StatusNotFound, got.status, path)
	}
	require.Equal(t, "ORDER_NOT_FOUND", stranger.call("/orders/"+pending+"/payment", `{}`).Meta.ErrorCode)
	require.Equal(t, []string{"order_no"}, stranger.call("/orders", `{"order_no":"`+order.OrderNo+`"}`).fields())
	require.JSONEq(t, string(before), string(b.public(order.OrderNo).Data))

	shared := b.PlaceNew(t, b.seller.ID, stacktest.With(stranger.seller.ID))
	theirs := shared.GetSellers()[1].GetLines()[0].GetItemId()
	path := "/orders/" + shared.GetOrderNo()
	require.Equal(t, "ORDER_ITEM_NOT_FOUND",
		b.call(path+"/correction", `{"item_status":"preparing","item_ids":["`+theirs+`"]}`).Meta.ErrorCode)
	require.Equal(t, []string{"order_no"}, b.call(path+"/member-withdrawal", `{}`).fields())
	unpaid := b.PlaceNew(t, b.seller.ID, stacktest.Unpaid, stacktest.With(stranger.seller.ID)).GetOrderNo()
	require.Equal(t, "ORDER_NOT_FOUND", b.call("/orders/"+unpaid+"/payment", `{}`).Meta.ErrorCode)

	plain, _ := b.IssueKey(t, b.seller.ID)
	require.Equal(t, "SCOPE_FORBIDDEN", b.with(plain, "/orders", `{}`).Meta.ErrorCode)
}

// paths yields every operation that names a record, with a body that it takes.
func paths(order, claim, inquiry string) map[string]string {
	bodies := map[string]string{
		operation.SandboxCorrect: `{"item_status":"paid"}`, operation.SandboxAct: `{"action":"approve"}`,
	}
	all := map[string]string{}
	for _, op := range operation.Of(operation.Sandbox) {
		path := fill(op.Path, order, claim, inquiry)
		if !strings.Contains(op.Path, ":") || op.Name == operation.SandboxEndPayment {
			continue
		}
		body := bodies[op.Name]
		if body == "" {
			body = `{}`
		}
		all[path] = body
	}
	return all
}

// fill puts numbers into the path of an operation.
func fill(path, order, claim, inquiry string) string {
	path = strings.TrimPrefix(path, operation.SandboxBase)
	return strings.NewReplacer(":order_no", order, ":claim_no", claim, ":qna_id", inquiry).Replace(path)
}

// A live gateway has no path of the sandbox, not even its contract.
func TestBounds_liveEnvironment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.Through(t, func(c *gateway.Config) {
		c.Keys.Environment, c.Keys.ShownFile, c.Webhooks.Loopback = "live", "", false
		c.Upstream.Upstreams = maps.Clone(c.Upstream.Upstreams)
		delete(c.Upstream.Upstreams, operation.Sandbox)
		lines := slices.DeleteFunc(strings.Split(c.TrustedKeys.String(), ","), func(line string) bool {
			return strings.HasPrefix(line, string(trust.Sandbox)+"=")
		})
		c.TrustedKeys = trusttest.Parse(lines...)
	})
	operations := operation.Of(operation.Sandbox)
	targets := append(make([]string, 0, 1+len(operations)), http.MethodGet+" /openapi.yaml")
	for _, op := range operations {
		targets = append(targets, op.Method+" "+fill(op.Path, "A", "B", "C"))
	}
	for _, target := range targets {
		method, path, _ := strings.Cut(target, " ")
		require.Equal(t, http.StatusNotFound, status(t, method, live.GatewayURL+operation.SandboxBase+path), target)
		require.NotEqual(t, http.StatusNotFound, status(t, method, b.GatewayURL+operation.SandboxBase+path), target)
	}
}

func status(t *testing.T, method, url string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}
