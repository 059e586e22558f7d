package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

type body map[string]any

// The parcel of lines that were placed as shipped, which process calls name as well unless a test uses another
// one.
const (
	carrierName = "CJ대한통운"
	trackingNo  = "612345678901"
	logistics   = "가온물류"
)

// of returns a request that names lines and nothing else.
func of(ids ...string) body { return body{"item_ids": ids} }

func shipped(ids ...string) body {
	return body{"item_ids": ids, "carrier_name": carrierName, "tracking_no": trackingNo, "logistics_company": logistics}
}

func (b body) with(field string, value any) body {
	b[field] = value
	return b
}

func (b body) without(field string) body {
	delete(b, field)
	return b
}

// singleCalls are the process calls on one order, each with the states that it leads from and to and a request
// that is valid except for its lines.
var singleCalls = []struct {
	action, from, to string
	body             func(ids ...string) body
}{
	{"preparation", "paid", "preparing", of},
	{"shipment", "preparing", "shipping", shipped},
	{"delivery", "shipping", "delivered", of},
}

type session struct {
	*stacktest.Stack
	seller stacktest.Seller
	client *stacktest.Client
}

func openSession(t *testing.T) *session {
	t.Helper()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	return &session{Stack: s, seller: seller, client: s.Client(seller.ID)}
}

func (d *session) place(t *testing.T, options ...stacktest.OrderOption) (orderNo string, ids []string) {
	t.Helper()
	order := d.PlaceNew(t, d.seller.ID, options...)
	for _, line := range order.GetSellers()[0].GetLines() {
		ids = append(ids, line.GetItemId())
	}
	return order.GetOrderNo(), ids
}

func (d *session) do(t *testing.T, action, orderNo string, request body) stacktest.Answer {
	t.Helper()
	return d.client.Do(t, stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/"+action, request))
}

func (d *session) done(t *testing.T, action, orderNo string, request body) stacktest.Result {
	t.Helper()
	return stacktest.RequireOK[stacktest.Result](t, d.do(t, action, orderNo, request))
}

func (d *session) order(t *testing.T, orderNo string) stacktest.Order {
	t.Helper()
	return stacktest.RequireOK[stacktest.Order](t, d.client.Do(t, stacktest.Get("", "/open/v1/orders/"+orderNo)))
}

// text returns an order as received, to be compared byte by byte.
func (d *session) text(t *testing.T, orderNo string) string {
	t.Helper()
	answer := d.client.Do(t, stacktest.Get("", "/open/v1/orders/"+orderNo))
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	return string(answer.Data)
}

// refused makes a process call that must be refused and change nothing, and returns the items that error_data
// names.
func (d *session) refused(t *testing.T, action, orderNo string, request body, status int, code string) []any {
	t.Helper()
	before := d.text(t, orderNo)
	answer := d.do(t, action, orderNo, request)
	stacktest.RequireFailure(t, answer, status, code)
	require.Equal(t, before, d.text(t, orderNo), "a refusal changes nothing")
	items, _ := answer.Meta.ErrorData["items"].([]any)
	return items
}

func lines(n int) stacktest.OrderOption {
	return func(o *ordersv1.Order) {
		o.Sellers[0].Lines = nil
		for i := range n {
			o.Sellers[0].Lines = append(o.Sellers[0].Lines, stacktest.NewLine(fmt.Sprintf("양말 %d", i)))
		}
	}
}

// An id that does not exist, is another order's or another seller's, or is malformed: the responses are the
// same.
func TestOrderItem_notFound(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	for _, call := range singleCalls {
		orderNo, own := d.place(t, stacktest.InState(call.from), stacktest.With(other.seller.ID))
		_, elsewhere := d.place(t)
		_, others := other.place(t)
		mixed := other.order(t, orderNo).Items[0].ItemID
		var want string
		for _, id := range []string{
			uuid.NewString(), elsewhere[0], others[0], mixed, "x", own[0] + " ",
			strings.ReplaceAll(own[0], "-", ""),
		} {
			answer := d.client.Do(t, fixed(stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/"+call.action, call.body(id))))
			stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_ITEM_NOT_FOUND")
			got := strings.ReplaceAll(string(answer.Body), `"`+id+`"`, `"id"`)
			if want == "" {
				want = got
			}
			require.Equal(t, want, got, "%s %q", call.action, id)
			d.refused(t, call.action, orderNo, call.body(own[0], id), http.StatusNotFound, "ORDER_ITEM_NOT_FOUND")
		}
		require.Equal(t, call.to, d.done(t, call.action, orderNo, call.body(own[0])).Items[0].ItemStatus)
	}
}

// An order that does not exist, is another seller's or is unpaid: the responses are the same.
func TestOrder_notFound(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	unpaid, ids := d.place(t, stacktest.Unpaid)
	theirs, theirIDs := other.place(t)
	for _, call := range singleCalls {
		var want string
		for _, no := range []string{
			"T0", unpaid, theirs, strings.ToLower(theirs), "%EC%A3%BC%EB%AC%B8",
			strings.Repeat("A", 65), "a%2Fb",
		} {
			for _, id := range []string{ids[0], theirIDs[0]} {
				answer := d.client.Do(t, fixed(stacktest.PostJSON(t, "", "/open/v1/orders/"+no+"/"+call.action, call.body(id))))
				stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_NOT_FOUND")
				if want == "" {
					want = string(answer.Body)
				}
				require.Equal(t, want, string(answer.Body), "%s %s", call.action, no)
			}
		}
	}
}

// One item that cannot be processed is enough: nothing changes, the response has the code of the first such
// item, and names all of them.
func TestOrderItems_allOrNothing(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	refusals := map[string]string{
		"preparation": "ORDER_ITEM_NOT_PREPARABLE", "shipment": "ORDER_ITEM_NOT_SHIPPABLE", "delivery": "ORDER_ITEM_NOT_DELIVERABLE",
	}
	for _, call := range singleCalls {
		orderNo, ids := d.place(t, lines(4), stacktest.InState(call.from), func(o *ordersv1.Order) {
			last := o.Sellers[0].Lines[3]
			last.History, last.Shipment = nil, nil
			stacktest.SetHistory(last, o.GetPaidAt().AsTime(), time.Minute, "canceled")
		})
		d.HoldLine(t, ids[1])
		claimed := map[string]any{"item_id": ids[1], "item_status": call.from}
		canceled := map[string]any{"item_id": ids[3], "item_status": "canceled"}
		require.Equal(t, []any{claimed, canceled},
			d.refused(t, call.action, orderNo, call.body(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM"))
		require.Equal(t, []any{canceled, claimed},
			d.refused(t, call.action, orderNo, call.body(ids[0], ids[3], ids[2], ids[1]), http.StatusConflict, refusals[call.action]))
		result := d.done(t, call.action, orderNo, call.body(ids[2], ids[0]))
		require.Equal(t, []string{ids[2], ids[0]}, []string{result.Items[0].ItemID, result.Items[1].ItemID}, "in the order of the call")
		require.Equal(t, []string{call.to, call.from, call.to, "canceled"}, states(d.order(t, orderNo)))
	}
}

// A change advances updated_at of the order for each of its sellers, and changes only the lines of the seller
// who made it.
func TestMixedOrder_changeSeenByAllSellers(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	orderNo, ids := d.place(t, stacktest.With(other.seller.ID))
	for _, call := range singleCalls {
		mine, theirs := d.order(t, orderNo), other.order(t, orderNo)
		result := d.done(t, call.action, orderNo, call.body(ids...))
		now, theirsNow := d.order(t, orderNo), other.order(t, orderNo)
		require.Equal(t, "paid", result.OrderStatus, "the other seller's line is the least advanced")
		require.Equal(t, result.UpdatedAt, now.UpdatedAt)
		require.Greater(t, now.UpdatedAt, mine.UpdatedAt)
		require.Greater(t, theirsNow.UpdatedAt, theirs.UpdatedAt)
		// Each seller sees its own updated_at, so the other seller's list is queried with theirs.
		require.Contains(t, orderNos(other.client.List(t, "10", "updated_at_gte", theirsNow.UpdatedAt[:19]+"Z").List), orderNo)
		theirsNow.UpdatedAt = theirs.UpdatedAt
		require.Equal(t, theirs, theirsNow, "nothing else of the other seller's has changed")
	}
	result := other.done(t, "shipment", orderNo, shipped(other.order(t, orderNo).Items[0].ItemID))
	require.Equal(t, "shipping", result.OrderStatus)
	require.Equal(t, "delivered", d.order(t, orderNo).Items[0].ItemStatus)
}

func states(order stacktest.Order) []string {
	all := make([]string, len(order.Items))
	for i, item := range order.Items {
		all[i] = item.ItemStatus
	}
	return all
}
