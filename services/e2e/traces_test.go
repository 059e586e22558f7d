package e2e

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry/telemetrytest"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

type traced struct {
	*stacktest.Stack
	// trace and span are the ids that the client sends.
	trace, span string
}

// newTraced starts a trace, which is printed if the test fails.
func newTraced(t *testing.T, s *stacktest.Stack) traced {
	t.Helper()
	ids := make([]byte, 24)
	_, _ = rand.Read(ids) // never fails
	c := traced{Stack: s, trace: hex.EncodeToString(ids[:16]), span: hex.EncodeToString(ids[16:])}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("\n" + s.Spans.Linked(c.trace).String())
		}
	})
	return c
}

func (c traced) do(t *testing.T, call stacktest.Call) stacktest.Answer {
	t.Helper()
	header := call.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Traceparent", "00-"+c.trace+"-"+c.span+"-00") // whatever the call says
	call.Header = header
	return c.Do(t, call)
}

// requireWay waits until a path of spans, each the child of the one before, leads from the root of a trace that links to the
// client's.
func (c traced) requireWay(t *testing.T, way ...telemetrytest.Step) telemetrytest.Span {
	t.Helper()
	var last telemetrytest.Span
	stacktest.Await(t, fmt.Sprintf("the spans %v arrive, each below the one before", way), func() (ok bool) {
		last, ok = c.Spans.Linked(c.trace).Below("", way...)
		return ok
	})
	return last
}

func openTraced(t *testing.T) *stacktest.Stack {
	t.Helper()
	return stacktest.Own(t, func(config *stack.Config) { config.Telemetry.SampleRatio = 1 })
}

func exchange(t *testing.T, s *stacktest.Stack, seller stacktest.Seller) *claimsv1.RequestClaimRequest {
	t.Helper()
	request := stacktest.NewClaim(stacktest.Exchange, s.PlaceNew(t, seller.ID,
		stacktest.Claimable(stacktest.Exchange)), stacktest.Pieces(1))
	s.RequestClaim(t, request)
	return request
}

// A client's call can be followed through everything that it causes: the limits in Redis, the claim, the call to orders, the SQL
// there.
func TestTraces_reshipmentFromGatewayToSQL(t *testing.T) {
	t.Parallel()
	s := openTraced(t)
	seller := s.Seller(t)
	claimNo := exchange(t, s, seller).GetClaimNo()
	for _, action := range []string{"approve", "pickup", "collect-done", "inspect"} {
		s.ActAsOperator(t, claimNo, action, carrierName, trackingNo)
	}
	client := newTraced(t, s)
	answer := client.do(t, stacktest.Post(seller.Key, "/open/v1/claims/"+claimNo+"/reship", "{"+parcel+"}"))
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)

	const route = "POST /open/v1/claims/:claim_no/reship"
	gateway := telemetrytest.Step{Service: "gateway", Kind: telemetrytest.Server, Name: route}
	forward := telemetrytest.Step{Service: "gateway", Kind: telemetrytest.Client, Name: "forward claims"}
	claims := telemetrytest.Step{Service: "claims", Kind: telemetrytest.Server, Name: route}
	call := telemetrytest.Step{Service: "claims", Kind: telemetrytest.Client, Name: "orders.v1.ClaimLines/ShipExchangeLine"}
	orders := telemetrytest.Step{Service: "orders", Kind: telemetrytest.Server, Name: "orders.v1.ClaimLines/ShipExchangeLine"}

	client.requireWay(t, gateway) // this span ends last
	for _, script := range []string{"begin", "finish"} {
		client.requireWay(t, gateway, telemetrytest.Step{Service: "gateway", Kind: telemetrytest.Client, Name: script})
	}
	client.requireWay(t, gateway, forward, claims,
		telemetrytest.Step{Service: "claims", Kind: telemetrytest.Client, Name: "batch start"},
		telemetrytest.Step{Service: "claims", Kind: telemetrytest.Client, Name: "UpdateClaim"})
	client.requireWay(t, gateway, forward, claims, call, orders,
		telemetrytest.Step{Service: "orders", Kind: telemetrytest.Client, Name: "batch start"},
		telemetrytest.Step{Service: "orders", Kind: telemetrytest.Client, Name: "ReadHold"})
	client.requireWay(t, gateway, forward, claims, call, orders,
		telemetrytest.Step{Service: "orders", Kind: telemetrytest.Client, Name: "commit"})
	t.Log("\n" + s.Spans.Linked(client.trace).String())
}

// named returns the services and names of the spans with a number, and of the log lines with it the procedure or the route.
func named(s *stacktest.Stack, name, number string) (spans, lines []string) {
	for _, span := range s.Spans.Spans() {
		if value := span.Attributes[name]; value == number || strings.Contains(value, `"`+number+`"`) {
			spans = append(spans, span.Service+" "+span.Name)
		}
	}
	for line := range strings.Lines(s.Logs()) {
		said := map[string]any{}
		if json.Unmarshal([]byte(line), &said) != nil {
			continue
		}
		several, _ := said[name+"s"].(string)
		if said[name] == number || slices.Contains(strings.Split(several, ","), number) {
			lines = append(lines, fmt.Sprint(said["service"], " ", cmp.Or(said["procedure"], said["route"], said["msg"])))
		}
	}
	return spans, lines
}

// What happened to an order, a claim or an inquiry is found by its number in the traces and in the logs of all services, from the
// marketplace's first call, also when the call was a batch or named the claim only.
func TestTraces_foundByNumber(t *testing.T) {
	t.Parallel()
	s := openTraced(t)
	seller := s.Seller(t)
	claim := exchange(t, s, seller)
	client := s.Client(seller.ID)
	paid, inquiry := s.PlaceMany(t, 2, seller.ID), stacktest.NewInquiry(seller.ID)
	s.Ask(t, inquiry)
	entries := make([]map[string]any, len(paid))
	for n, order := range paid {
		entries[n] = map[string]any{
			"order_no": order.GetOrderNo(), "item_ids": []string{order.GetSellers()[0].GetLines()[0].GetItemId()},
			"carrier_name": "CJ대한통운", "tracking_no": "612345678901",
		}
	}
	for _, call := range []stacktest.Call{
		stacktest.PostJSON(t, seller.Key, "/open/v1/orders/batch/shipment", map[string]any{"items": entries}),
		stacktest.Post(seller.Key, "/open/v1/claims/"+claim.GetClaimNo()+"/approve", "{}"),
		stacktest.Get(seller.Key, "/open/v1/orders/"+claim.GetOrderNo()),
		stacktest.PostJSON(t, seller.Key, "/open/v1/qna/"+inquiry.GetQnaId()+"/answer", map[string]string{"content": "내일 출고됩니다"}),
	} {
		answer := client.Do(t, call)
		require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	}
	const approve, order = "/open/v1/claims/:claim_no/approve", "/open/v1/orders/:order_no"
	for _, c := range []struct {
		name, number string
		spans, lines []string
	}{
		{
			"order_no", paid[1].GetOrderNo(),
			[]string{"orders orders.v1.Intake/PlaceOrders", "orders ship group"},
			[]string{"orders /orders.v1.Intake/PlaceOrders", "orders batch entries"},
		},
		{"order_no", claim.GetOrderNo(), []string{
			"orders orders.v1.Intake/PlaceOrders", "claims claims.v1.Intake/RequestClaim", "orders orders.v1.ClaimLines/Open",
			"claims POST " + approve, "orders orders.v1.ClaimLines/Touch", "gateway GET " + order, "orders GET " + order,
		}, []string{
			"claims /claims.v1.Intake/RequestClaim", "orders /orders.v1.ClaimLines/Open", "claims " + approve,
			"orders /orders.v1.ClaimLines/Touch",
			"gateway " + order, "orders " + order,
		}},
		{"claim_no", claim.GetClaimNo(), []string{
			"claims claims.v1.Intake/RequestClaim", "orders orders.v1.ClaimLines/Open", "gateway POST " + approve,
			"claims POST " + approve,
			"orders orders.v1.ClaimLines/Touch",
		}, []string{
			"claims /claims.v1.Intake/RequestClaim", "gateway " + approve, "claims " + approve,
			"orders /orders.v1.ClaimLines/Touch",
		}},
		{"qna_id", inquiry.GetQnaId(), []string{
			"qna qna.v1.Intake/PostInquiries", "gateway POST /open/v1/qna/:qna_id/answer", "qna POST /open/v1/qna/:qna_id/answer",
		}, []string{"qna /qna.v1.Intake/PostInquiries", "gateway /open/v1/qna/:qna_id/answer", "qna /open/v1/qna/:qna_id/answer"}},
	} {
		var spans, lines []string
		for until := time.Now().Add(time.Minute); ; <-time.After(100 * time.Millisecond) {
			spans, lines = named(s, c.name, c.number)
			spans, lines = lacks(spans, c.spans), lacks(lines, c.lines)
			if len(spans) == 0 && len(lines) == 0 {
				break
			}
			require.True(t, time.Now().Before(until), "%s: no spans %v, no lines %v", c.name, spans, lines)
		}
	}
}

func lacks(there, wanted []string) (missing []string) {
	for _, text := range wanted {
		if !slices.Contains(there, text) {
			missing = append(missing, text)
		}
	}
	return missing
}

// The order is locked, so that the step cannot be done while the seller waits, who is answered 503: the later attempt of the
// sweep is found in the trace of the seller's call, and so is its call to orders.
func TestTrace_laterTryOfAStep(t *testing.T) {
	t.Parallel()
	s := openTraced(t)
	seller := s.Seller(t)
	claim := exchange(t, s, seller)
	operator, err := s.SQL(t).Begin(t.Context())
	require.NoError(t, err)
	_, err = operator.Exec(t.Context(), "select from orders.orders where seller_id = $1 and order_no = $2 for update",
		seller.ID, claim.GetOrderNo())
	require.NoError(t, err)

	client := newTraced(t, s)
	answer := client.do(t, stacktest.Post(seller.Key, "/open/v1/claims/"+claim.GetClaimNo()+"/approve", "{}"))
	require.Equal(t, http.StatusServiceUnavailable, answer.Status, "%s", answer.Body)

	const route = "POST /open/v1/claims/:claim_no/approve"
	const touch = "orders.v1.ClaimLines/Touch"
	claims := []telemetrytest.Step{
		{Service: "gateway", Kind: telemetrytest.Server, Name: route},
		{Service: "gateway", Kind: telemetrytest.Client, Name: "forward claims"},
		{Service: "claims", Kind: telemetrytest.Server, Name: route},
	}
	inline := client.requireWay(t, append(claims[:3:3],
		telemetrytest.Step{Service: "claims", Kind: telemetrytest.Client, Name: touch})...)
	require.True(t, inline.Failed, "the order is locked, so the first attempt fails")
	client.requireWay(t, append(claims[:3:3],
		telemetrytest.Step{Service: "claims", Kind: telemetrytest.Consumer, Name: "job step"},
		telemetrytest.Step{Service: "claims", Kind: telemetrytest.Client, Name: touch},
		telemetrytest.Step{Service: "orders", Kind: telemetrytest.Server, Name: touch},
		telemetrytest.Step{Service: "orders", Kind: telemetrytest.Client, Name: "batch start"}, // sent together with begin
		telemetrytest.Step{Service: "orders", Kind: telemetrytest.Client, Name: "FindHold"})...)
	require.NoError(t, operator.Rollback(t.Context()))
}

// The client's sampling flag neither makes a system with ratio 0 record its call, nor keeps one with ratio 1 from recording it;
// its trace id is in the log either way.
func TestTraces_clientDoesNotDecide(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		system *stacktest.Stack
		flags  string
		want   bool
	}{{stacktest.Use(t), "01", false}, {openTraced(t), "00", true}} {
		seller, client := row.system.Seller(t), newTraced(t, row.system)
		call := stacktest.Get(seller.Key, "/open/v1/orders")
		call.Header = http.Header{"Traceparent": {"00-" + client.trace + "-" + client.span + "-" + row.flags}}
		require.Equal(t, http.StatusOK, row.system.Do(t, call).Status)
		require.Contains(t, row.system.Logs(), client.trace)
		if row.want {
			client.requireWay(t, telemetrytest.Step{Service: "gateway"}, telemetrytest.Step{Service: "gateway", Name: "forward"},
				telemetrytest.Step{Service: "orders"})
		}
		require.Empty(t, row.system.Spans.Trace(client.trace), "our spans are not part of the client's trace")
		require.Equal(t, row.want, len(row.system.Spans.Linked(client.trace)) > 0)
	}
}
