package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"sync"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

type cut int

const (
	// unreachable calls do not arrive; unanswered calls are executed and their response is lost.
	unreachable cut = iota + 1
	unanswered
)

type wire struct {
	mu   sync.Mutex
	cuts map[cutCall]cut
}

type cutCall struct{ procedure, claimNo string }

const (
	addExchangeLine  = "AddExchangeLine"
	shipExchangeLine = "ShipExchangeLine"
	convertLines     = "Convert"
)

func (w *wire) cut(procedure, claimNo string, how cut) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cuts[cutCall{procedure, claimNo}] = how
}

func (w *wire) mend(procedure, claimNo string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.cuts, cutCall{procedure, claimNo})
}

func (w *wire) of(procedure string, message []byte) cut {
	w.mu.Lock()
	defer w.mu.Unlock()
	for call, how := range w.cuts {
		if call.procedure == procedure && bytes.Contains(message, []byte(call.claimNo)) {
			return how
		}
	}
	return 0
}

// between returns a function that serves the wire in front of an address and returns the wire's own address.
func (w *wire) between(t *testing.T) func(string) string {
	t.Helper()
	return func(address string) string {
		target, err := url.Parse(address)
		require.NoError(t, err)
		proxy := httputil.NewSingleHostReverseProxy(target)
		server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			message, err := io.ReadAll(r.Body)
			how := w.of(path.Base(r.URL.Path), message)
			if err != nil || how == unreachable {
				panic(http.ErrAbortHandler)
			}
			r.Body = io.NopCloser(bytes.NewReader(message))
			if how == unanswered {
				proxy.ServeHTTP(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler)
			}
			proxy.ServeHTTP(rw, r)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
}

// When a call to the orders service that a claim's action needs does not arrive, or its response is lost, the action
// stays registered: the response says so, no other action can replace it, and it is done once when the connection is
// back.
func TestClaimAction_cutOff(t *testing.T) {
	t.Parallel()
	w := &wire{cuts: map[cutCall]cut{}}
	s := stacktest.Own(t, func(config *stack.Config) { config.Claims.Between = w.between(t) })
	for name, promise := range map[string]func(*testing.T, *session, *wire){
		// A retry completes it.
		"reshipment, response lost": requireRetryCompletes,
		// It completes by itself.
		"reshipment, request lost": requireCompletesByItself,
		// It gives way when the line was shipped in another parcel meanwhile.
		"reshipment gives way": requireGivesWay,
		// The new line can be prepared before the exchange is in the state reshipping.
		"line before its claim": requireOpenLine,
		"return waits":          requireReturnWaits,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seller := s.Seller(t)
			promise(t, &session{Stack: s, seller: seller, client: s.Client(seller.ID)}, w)
		})
	}
}

// requireUnconfirmed sends the usual reshipment, whose outcome is unknown.
func (d *session) requireUnconfirmed(t *testing.T, call stacktest.Call, claimNo string) {
	t.Helper()
	answer := d.client.Do(t, call)
	stacktest.RequireFailure(t, answer, http.StatusConflict, "EXCHANGE_ITEM_SHIP_FAILED")
	require.Equal(t, "reshipping", answer.Meta.ErrorData["status"])
	claim := d.client.Claim(t, claimNo)
	require.Equal(t, []string{"reshipping", "로젠택배", reshipNo}, []string{claim.Status, *claim.ReshipCarrier, *claim.ReshipTrackingNo}, "the reshipment is registered")
	require.Nil(t, claim.CompletedAt)
	d.requireUnresolved(t, claimNo, "reship", otherValues["reship"])
	_, err := d.convertTo(t, claimNo, stacktest.NewClaimNo())
	requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
}

func requireRetryCompletes(t *testing.T, d *session, w *wire) {
	t.Helper()
	claim, fresh := d.reshippingLine(t)
	w.cut(shipExchangeLine, claim.ClaimNo, unanswered)
	call := actOn(t, claim.ClaimNo, "reship", requestBody("reship")).Under(uuid.NewString())
	for range 2 {
		d.requireUnconfirmed(t, call, claim.ClaimNo)
	}
	require.Equal(t, []string{"exchanged", "shipping"}, states(d.order(t, claim.OrderNo)), "the reshipment was performed")
	w.mend(shipExchangeLine, claim.ClaimNo)
	answer := d.client.Do(t, call)
	require.Equal(t, "completed", stacktest.RequireOK[stacktest.Claim](t, answer).Status, "the key was still free")
	d.requireDone(t, claim.ClaimNo, "reship", requestBody("reship"))
	d.requireUnresolved(t, claim.ClaimNo, "reship", otherValues["reship"])
	order := d.order(t, claim.OrderNo)
	require.Len(t, order.Items, 2)
	require.Equal(t, []string{fresh.ItemID, reshipNo}, []string{order.Items[1].ItemID, *order.Items[1].TrackingNo})
}

func requireCompletesByItself(t *testing.T, d *session, w *wire) {
	t.Helper()
	claim, _ := d.reshippingLine(t)
	w.cut(shipExchangeLine, claim.ClaimNo, unreachable)
	d.requireUnconfirmed(t, actOn(t, claim.ClaimNo, "reship", requestBody("reship")), claim.ClaimNo)
	require.Equal(t, []string{"delivered", "paid"}, states(d.order(t, claim.OrderNo)))
	w.mend(shipExchangeLine, claim.ClaimNo)
	d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	require.Equal(t, []string{"exchanged", "shipping"}, states(d.order(t, claim.OrderNo)))
	d.requireDone(t, claim.ClaimNo, "reship", requestBody("reship"))
}

func requireGivesWay(t *testing.T, d *session, w *wire) {
	t.Helper()
	claim, fresh := d.reshippingLine(t)
	w.cut(shipExchangeLine, claim.ClaimNo, unreachable)
	d.requireUnconfirmed(t, actOn(t, claim.ClaimNo, "reship", requestBody("reship")), claim.ClaimNo)
	d.done(t, "shipment", claim.OrderNo, toShip(fresh.ItemID).with("carrier_name", "한진택배"))
	w.mend(shipExchangeLine, claim.ClaimNo)
	stacktest.RequireFailure(t, d.act(t, claim.ClaimNo, "reship", requestBody("reship")), http.StatusConflict, "CLAIM_NOT_RESHIPPABLE")
	require.Nil(t, d.client.Claim(t, claim.ClaimNo).ReshipTrackingNo)
	done := d.acted(t, claim.ClaimNo, "reship", otherValues["reship"])
	require.Equal(t, []string{"completed", "한진택배"}, []string{done.Status, *done.ReshipCarrier})
}

func requireOpenLine(t *testing.T, d *session, w *wire) {
	t.Helper()
	claim := d.claimIn(t, stacktest.Exchange, "collected")
	w.cut(addExchangeLine, claim.ClaimNo, unanswered)
	stacktest.RequireFailure(t, d.act(t, claim.ClaimNo, "inspect", requestBody("inspect")), http.StatusServiceUnavailable, "")
	now := d.client.Claim(t, claim.ClaimNo)
	now.UpdatedAt = claim.UpdatedAt
	require.Equal(t, claim, now, "the exchange is not reshipping yet")
	order := d.order(t, claim.OrderNo)
	require.Equal(t, []string{"delivered", "paid"}, states(order))
	fresh := line(t, order, "02").ItemID
	require.Equal(t, "preparing", d.done(t, "preparation", claim.OrderNo, of(fresh)).Items[0].ItemStatus)
	d.requireUnresolved(t, claim.ClaimNo, "inspect", failedInspection())
	w.mend(addExchangeLine, claim.ClaimNo)
	require.Equal(t, "reshipping", d.acted(t, claim.ClaimNo, "inspect", requestBody("inspect")).Status)
	order = d.order(t, claim.OrderNo)
	require.Len(t, order.Items, 2, "one replacement line, despite retries")
	require.Equal(t, fresh, order.Items[1].ItemID)
	require.Equal(t, "completed", d.acted(t, claim.ClaimNo, "reship", requestBody("reship")).Status)
}

func requireReturnWaits(t *testing.T, d *session, w *wire) {
	t.Helper()
	was := d.newClaim(t, stacktest.Exchange)
	w.cut(convertLines, was.ClaimNo, unreachable)
	returnNo := stacktest.NewClaimNo()
	_, err := d.Claims.ConvertToReturn(t.Context(), &claimsv1.ConvertToReturnRequest{
		ClaimNo: was.ClaimNo, ReturnClaimNo: returnNo, Operator: "운영자",
	})
	require.Contains(t, []connect.Code{connect.CodeUnavailable, connect.CodeDeadlineExceeded}, connect.CodeOf(err), "come again")
	stacktest.RequireFailure(t, d.client.Do(t, stacktest.Get("", "/open/v1/claims/"+returnNo)), http.StatusNotFound, "CLAIM_NOT_FOUND")
	require.Equal(t, "requested", d.client.Claim(t, was.ClaimNo).Status)
	d.requireHeldFor(t, was)
	stacktest.RequireFailure(t, d.act(t, was.ClaimNo, "approve", nil), http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
	_, err = d.convertTo(t, was.ClaimNo, stacktest.NewClaimNo())
	requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
	w.mend(convertLines, was.ClaimNo)
	stacktest.Await(t, "the return takes the place by itself", func() bool {
		return d.client.Claim(t, was.ClaimNo).Status == "converted_to_return"
	})
	require.Equal(t, "approved", d.acted(t, returnNo, "approve", nil).Status)
	require.Equal(t, "withdrawn", d.WithdrawClaim(t, returnNo))
	d.awaitOrder(t, was.OrderNo, "the line is free", func(o stacktest.Order) bool { return !o.Items[0].HasActiveClaim })
}
