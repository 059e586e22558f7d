package intake_test

import (
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// deliveredOrder places an order whose item was delivered a while ago, and returns the item's id.
func (p *port) deliveredOrder(no string) string {
	p.t.Helper()
	sent := p.newOrder(no)
	line := sent.GetSellers()[0].GetLines()[0]
	paidAt := sent.GetPaidAt().AsTime()
	for i, state := range []string{"shipping", "delivered"} {
		line.History = append(line.History, &ordersv1.PastChange{
			ItemStatus: state, ChangedAt: timestamppb.New(paidAt.Add(time.Duration(i+1) * time.Minute)),
		})
	}
	line.Shipment = &ordersv1.Shipment{CarrierName: "한진택배", TrackingNo: "412345678901"}
	_, err := p.place(sent)
	require.NoError(p.t, err)
	return line.GetItemId()
}

func (p *port) seen(no string) order.Item {
	p.t.Helper()
	found, err := p.store.Find(p.t.Context(), p.seller, no)
	require.NoError(p.t, err)
	require.Len(p.t, found.Items, 1)
	return found.Items[0]
}

func anAct(id string) *ordersv1.Act {
	return &ordersv1.Act{ActId: id, Operator: "operator-1", Reason: "the customer called"}
}

func requireCode(t *testing.T, err error, code connect.Code) {
	t.Helper()
	var wire *connect.Error
	require.ErrorAs(t, err, &wire)
	require.Equal(t, code, wire.Code(), err)
}

// A customer confirms a purchase; a repetition changes nothing.
func TestConfirmPurchase_byCustomer(t *testing.T) {
	t.Parallel()
	p := setup(t)
	id := p.deliveredOrder("O-1")
	for _, changed := range []bool{true, false} {
		answer, err := p.client.ConfirmPurchase(t.Context(), &ordersv1.ConfirmPurchaseRequest{
			OrderNo: "O-1", ItemIds: []string{strings.ToUpper(id)},
		})
		require.NoError(t, err)
		require.Equal(t, changed, answer.GetChanged())
	}
	require.Equal(t, order.Confirmed, p.seen("O-1").State)
}

func TestConfirmationsThatCannotBe(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("PAID")
	_, err := p.place(sent)
	require.NoError(t, err)
	paid, delivered := sent.GetSellers()[0].GetLines()[0].GetItemId(), p.deliveredOrder("O-1")
	confirm := func(orderNo string, act *ordersv1.Act, ids ...string) error {
		_, err := p.client.ConfirmPurchase(t.Context(), &ordersv1.ConfirmPurchaseRequest{OrderNo: orderNo, ItemIds: ids, Act: act})
		return err
	}
	requireCode(t, confirm("PAID", nil, paid), connect.CodeFailedPrecondition)
	require.ErrorIs(t, confirm("O-1", nil, paid), apierr.OrderItemNotFound)
	require.ErrorIs(t, confirm("UNKNOWN", nil, delivered), apierr.OrderNotFound)
	require.ErrorIs(t, confirm("\x00", nil, delivered), apierr.OrderNotFound)
	requireInvalid(t, confirm("O-1", nil), "item_ids")
	requireInvalid(t, confirm("O-1", nil, make([]string, 201)...), "item_ids")
	requireInvalid(t, confirm("O-1", nil, delivered, strings.ToUpper(delivered)), "item_ids[1]")
	requireInvalid(t, confirm("O-1", &ordersv1.Act{ActId: "1", Operator: "x"}, delivered), "act.reason")
	requireInvalid(t, confirm("O-1", &ordersv1.Act{ActId: "\x00", Operator: "x", Reason: "y"}, delivered), "act.act_id")
	require.Equal(t, order.Delivered, p.seen("O-1").State)
	require.NoError(t, confirm("O-1", anAct("1"), delivered))
	require.Equal(t, order.Confirmed, p.seen("O-1").State)
}

// An operator corrects an item and its shipment; a repetition of the act changes nothing.
func TestCorrectItem_byOperator(t *testing.T) {
	t.Parallel()
	p := setup(t)
	id := p.deliveredOrder("O-1")
	company := ""
	for _, changed := range []bool{true, false} {
		answer, err := p.client.CorrectItem(t.Context(), &ordersv1.CorrectItemRequest{
			OrderNo: "O-1", ItemId: id, ItemStatus: "shipping", Act: anAct("1"),
			Shipment: &ordersv1.Shipment{CarrierName: "롯데택배", TrackingNo: "2000-0000 0001", LogisticsCompany: &company},
		})
		require.NoError(t, err)
		require.Equal(t, changed, answer.GetChanged())
	}
	item := p.seen("O-1")
	require.Equal(t, order.Shipping, item.State)
	require.Equal(t, "200000000001", item.TrackingNo)
	require.Equal(t, &company, item.LogisticsCompany)
}

func TestCorrectionsThatCannotBe(t *testing.T) {
	t.Parallel()
	p := setup(t)
	id := p.deliveredOrder("O-1")
	correct := func(change func(*ordersv1.CorrectItemRequest)) error {
		request := &ordersv1.CorrectItemRequest{OrderNo: "O-1", ItemId: id, ItemStatus: "preparing", Act: anAct(uuid.NewString())}
		change(request)
		_, err := p.client.CorrectItem(t.Context(), request)
		return err
	}
	shipment := func(carrierName, trackingNo string) func(*ordersv1.CorrectItemRequest) {
		return func(r *ordersv1.CorrectItemRequest) {
			r.ItemStatus, r.Shipment = "shipping", &ordersv1.Shipment{CarrierName: carrierName, TrackingNo: trackingNo}
		}
	}
	require.ErrorIs(t, correct(func(r *ordersv1.CorrectItemRequest) { r.ItemId = uuid.NewString() }), apierr.OrderItemNotFound)
	require.ErrorIs(t, correct(func(r *ordersv1.CorrectItemRequest) { r.OrderNo = "UNKNOWN" }), apierr.OrderNotFound)
	require.ErrorIs(t, correct(func(r *ordersv1.CorrectItemRequest) { r.OrderNo = "\x00" }), apierr.OrderNotFound)
	requireInvalid(t, correct(func(r *ordersv1.CorrectItemRequest) { r.ItemStatus = "lost" }), "item_status")
	requireInvalid(t, correct(func(r *ordersv1.CorrectItemRequest) { r.Act.Reason = "" }), "act.reason")
	requireInvalid(t, correct(shipment("한진택배", strings.Repeat("1", 61))), "shipment.tracking_no")
	require.ErrorIs(t, correct(shipment("DHL", "1")), apierr.ShipmentCarrierNotAllowed)
	require.ErrorIs(t, correct(shipment("한진택배", "-")), apierr.ShipmentFieldsRequired)
	requireCode(t, correct(func(r *ordersv1.CorrectItemRequest) { r.ItemStatus = "canceled" }), connect.CodeFailedPrecondition)
	requireCode(t, correct(func(r *ordersv1.CorrectItemRequest) { shipment("한진택배", "1")(r); r.ItemStatus = "paid" }),
		connect.CodeInvalidArgument)
	require.NoError(t, correct(func(r *ordersv1.CorrectItemRequest) { r.Act.ActId = "1" }))
	requireCode(t, correct(func(r *ordersv1.CorrectItemRequest) { r.Act.ActId, r.ItemStatus = "1", "paid" }),
		connect.CodeAlreadyExists)
	requireCode(t, correct(func(r *ordersv1.CorrectItemRequest) { r.ItemStatus = "delivered" }), connect.CodeInvalidArgument)
	require.Equal(t, order.Preparing, p.seen("O-1").State)
	_, err := p.client.CorrectItem(t.Context(), &ordersv1.CorrectItemRequest{OrderNo: "O-1", ItemId: id, ItemStatus: "paid"})
	require.ErrorIs(t, err, apierr.ValidationError)
}

func TestAMemberIsForgotten(t *testing.T) {
	t.Parallel()
	p := setup(t)
	_, err := p.place(p.newOrder("O-1"), p.newOrder("O-2"))
	require.NoError(t, err)
	for _, orders := range []int32{2, 0} {
		answer, err := p.client.ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{MemberId: "m-1"})
		require.NoError(t, err)
		require.Equal(t, orders, answer.GetOrders())
	}
	found, err := p.store.Find(t.Context(), p.seller, "O-1")
	require.NoError(t, err)
	require.Equal(t, order.Contact{}, found.Contact)
	_, err = p.client.ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{})
	requireInvalid(t, err, "member_id")

	back := p.newOrder("O-4")
	back.PaidAt = timestamppb.Now()
	_, err = p.place(p.newOrder("O-3"), back)
	require.NoError(t, err)
	for no, forgotten := range map[string]bool{"O-3": true, "O-4": false} {
		found, err := p.store.Find(t.Context(), p.seller, no)
		require.NoError(t, err)
		require.Equal(t, forgotten, found.Contact == order.Contact{}, no)
	}
}
