package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func canaried(sellerID, canary string, options ...stacktest.OrderOption) *ordersv1.Order {
	order := stacktest.NewOrder(sellerID, options...)
	order.OrderNo = "B-" + canary + "-" + strings.ToUpper(uuid.NewString()[:8])
	order.Contact = &ordersv1.Contact{
		OrdererName: "김" + canary, OrdererPhone: canary, RecipientName: canary, RecipientPhone: canary,
		Zipcode: canary, Address1: canary, Address2: canary, ShipMemo: canary,
	}
	for _, part := range order.GetSellers() {
		for _, line := range part.GetLines() {
			line.ProductName, line.OptionName = canary, canary
			if line.GetShipment() != nil {
				line.Shipment.TrackingNo, line.Shipment.LogisticsCompany = canary, &canary
			}
		}
	}
	return order
}

// Every operation with A's key on everything that is B's: the response contains no byte of B's data, and equals
// the one for an id that does not exist.
func TestIsolation_otherSellersData(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b := s.Seller(t), s.Seller(t)
	s.PermitCorrection(t, a.ID, true)
	canary := "CANARY" + strings.ToUpper(uuid.NewString()[:8])
	orders := []*ordersv1.Order{canaried(b.ID, canary), canaried(b.ID, canary, stacktest.InState("shipping"))}
	s.Place(t, orders...)
	require.Contains(t, string(s.Do(t, stacktest.Get(b.Key, "/open/v1/orders")).Body), canary)
	as := s.Client(a.ID)
	for _, order := range orders {
		item := order.GetSellers()[0].GetLines()[0].GetItemId()
		for _, operation := range operations {
			if !operation.forwarded() {
				continue // the list of calls grows with every call: TestListRequests_otherSellers
			}
			for _, ids := range [][2]string{{order.GetOrderNo(), item}, {order.GetOrderNo(), uuid.NewString()}, {item, item}} {
				none := [2]string{strings.Repeat("0", len(ids[0])), uuid.NewString()}
				got := as.Do(t, fixed(operation.call("", ids[0], ids[1])))
				want := as.Do(t, fixed(operation.call("", none[0], none[1])))
				require.NotContains(t, withoutIDs(everythingOf(got), ids), canary, "%s %s", operation.method, operation.path)
				require.Equal(t, want.Status, got.Status)
				require.Equal(t, withoutIDs(string(want.Body), none), withoutIDs(string(got.Body), ids), "%s %s",
					operation.method, operation.path)
			}
		}
	}
}

// The same through filters and cursors of the list.
func TestIsolation_filtersAndCursors(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b := s.Seller(t), s.Seller(t)
	canary := "CANARY" + strings.ToUpper(uuid.NewString()[:8])
	order := canaried(b.ID, canary)
	s.Place(t, order, canaried(b.ID, canary), canaried(b.ID, canary))
	cursor := *s.Client(b.ID).List(t, "1").NextCursor
	require.Empty(t, list(t, s, a, "order_no", order.GetOrderNo()))
	require.Empty(t, list(t, s, a, "updated_at_gte", "2020-01-01T00:00:00Z"))
	require.Empty(t, list(t, s, a, "status_changed_to", "paid", "status_changed_at_gte", "2020-01-01T00:00:00Z"))
	requireInvalidCursor(t, s.Do(t, stacktest.Get(a.Key, "/open/v1/orders", "cursor", cursor)), "malformed")
}

// Two sellers share an order's contact and its status; each sees only its own lines and amounts.
func TestIsolation_linesOfMixedOrder(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b := s.Seller(t), s.Seller(t)
	canary := "CANARY" + strings.ToUpper(uuid.NewString()[:8])
	order := stacktest.NewOrder(a.ID, stacktest.With(b.ID))
	theirs := order.GetSellers()[1].GetLines()[0]
	theirs.ProductName, theirs.OptionName = canary, canary
	s.Place(t, order)
	for _, path := range []string{"/open/v1/orders", "/open/v1/orders/" + order.GetOrderNo()} {
		answer := s.Do(t, stacktest.Get(a.Key, path))
		require.Equal(t, http.StatusOK, answer.Status)
		for _, secret := range []string{canary, theirs.GetItemId(), b.ID} {
			require.NotContains(t, everythingOf(answer), secret)
		}
	}
}

// withoutIDs removes from a response the ids that the call itself sent; a batch names its entries.
func withoutIDs(answer string, ids [2]string) string {
	return strings.NewReplacer(ids[0], "{id}", ids[1], "{item}").Replace(answer)
}

// fixed gives the call a request id, so that two answers can be compared byte by byte.
func fixed(call stacktest.Call) stacktest.Call {
	if call.Header == nil {
		call.Header = http.Header{}
	}
	call.Header.Set("X-Request-Id", "same-for-all")
	return call
}

func everythingOf(answer stacktest.Answer) string {
	var all bytes.Buffer
	_ = answer.Header.Write(&all)
	_ = json.Indent(&all, answer.Body, "", " ")
	return all.String()
}
