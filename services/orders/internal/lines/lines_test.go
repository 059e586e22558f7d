package lines_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

// port is the RPC port of the service with an order of one seller: a delivered line and a paid one.
type port struct {
	t      *testing.T
	store  *store.Store
	calls  ordersv1connect.ClaimLinesClient
	seller uuid.UUID
	ids    []string
}

func setup(t *testing.T) *port {
	t.Helper()
	p := &port{t: t, seller: uuid.New()}
	p.store, _ = storetest.New(t)
	placement := ordertest.New("O-1", ordertest.Epoch, p.seller)
	placement.Parts[0].Lines = []order.Line{ordertest.NewLine(), ordertest.NewLine()}
	ordertest.History(&placement.Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
	for _, line := range placement.Parts[0].Lines {
		p.ids = append(p.ids, line.ID.String())
	}
	_, err := p.store.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)

	keys, err := secret.NewKeys(bytes.Repeat([]byte("r"), secret.MinKeyBytes))
	require.NoError(t, err)
	mux, err := rpc.NewMux(rpc.Config{Secret: keys}, telemetry.Discard(t))
	require.NoError(t, err)
	mux.Handle(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: p.store}, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client, err := rpc.NewClient(rpc.Config{Secret: keys}, "claims", telemetry.Discard(t))
	require.NoError(t, err)
	t.Cleanup(client.HTTP.CloseIdleConnections)
	p.calls = ordersv1connect.NewClaimLinesClient(client.HTTP, server.URL, client.Options)
	return p
}

// ask makes a call.
func ask[I, O any](t *testing.T, call func(context.Context, *connect.Request[I]) (*connect.Response[O], error), message *I) (*O, error) {
	t.Helper()
	response, err := call(t.Context(), connect.NewRequest(message))
	if err != nil {
		return nil, err
	}
	return response.Msg, nil
}

// opening is a good request of a claim on the n-th line.
func (p *port) opening(claimNo string, claim ordersv1.ClaimType, n int, quantity int64) *ordersv1.OpenRequest {
	return &ordersv1.OpenRequest{
		ClaimNo: claimNo, Type: claim, SellerId: p.seller.String(), OrderNo: "O-1",
		Lines: []*ordersv1.ClaimedLine{{ItemId: p.ids[n-1], Quantity: quantity}},
	}
}

// items are what the seller sees.
func (p *port) items() []order.Item {
	p.t.Helper()
	found, err := p.store.Find(p.t.Context(), p.seller, "O-1")
	require.NoError(p.t, err)
	return found.Items
}

func TestAnOpenedClaimLearnsTheFactsOfItsLines(t *testing.T) {
	t.Parallel()
	p := setup(t)
	request := p.opening("C-1", ordersv1.ClaimType_CLAIM_TYPE_RETURN, 1, 1)
	first, err := ask(t, p.calls.Open, request)
	require.NoError(t, err)
	item := p.items()[0]
	require.True(t, item.HasActiveClaim)
	facts := first.GetLines()[0]
	require.Equal(t, item.DeliveredAt, facts.GetDeliveredAt().AsTime())
	require.Equal(t, ordertest.Epoch, first.GetPaidAt().AsTime())
	facts.DeliveredAt, first.PaidAt = nil, nil
	require.True(t, proto.Equal(&ordersv1.OpenResponse{
		Lines: []*ordersv1.LineFacts{{
			ItemId: p.ids[0], ItemCode: "O-1-01", ProductId: "p-1", ProductName: "순면 티셔츠", OptionName: "블랙 / M",
			Quantity: 2, UnitPrice: 12_900, LinePaidAmount: 24_800, ItemStatus: "delivered",
		}},
		Currency: "KRW", ShippingFeePaid: 3000, SellerQuantity: 4,
	}, first), first)

	again, err := ask(t, p.calls.Open, request)
	require.NoError(t, err)
	require.Equal(t, ordertest.Epoch, again.GetPaidAt().AsTime())
	again.GetLines()[0].DeliveredAt, again.PaidAt = nil, nil
	require.True(t, proto.Equal(first, again))
	_, err = ask(t, p.calls.Open, p.opening("C-2", ordersv1.ClaimType_CLAIM_TYPE_RETURN, 1, 1))
	require.ErrorIs(t, err, apierr.OrderItemHasActiveClaim)
	_, err = ask(t, p.calls.Open, p.opening("C-2", ordersv1.ClaimType_CLAIM_TYPE_CANCEL, 2, 3))
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	require.Equal(t, "quantity", apierr.From(err).Data["reason"])
}

func TestAReturnIsOpenedTouchedCheckedAndSettled(t *testing.T) {
	t.Parallel()
	p := setup(t)
	_, err := ask(t, p.calls.Open, p.opening("C-1", ordersv1.ClaimType_CLAIM_TYPE_RETURN, 1, 1))
	require.NoError(t, err)
	for range 2 {
		_, err = ask(t, p.calls.Touch, &ordersv1.TouchRequest{ClaimNo: "C-1", Step: "approve"})
		require.NoError(t, err)
	}
	check, err := ask(t, p.calls.Check, &ordersv1.CheckRequest{ClaimNo: "C-1"})
	require.NoError(t, err)
	require.True(t, check.GetHolds())
	require.False(t, check.GetExchangeShipped())
	require.Equal(t, "delivered", check.GetLines()[0].GetItemStatus())

	for range 2 {
		settled, err := ask(t, p.calls.Settle, &ordersv1.SettleRequest{ClaimNo: "C-1"})
		require.NoError(t, err)
		items := p.items()
		require.Len(t, items, 3)
		require.True(t, proto.Equal(&ordersv1.SettledLine{ItemId: p.ids[0], SettledItemId: items[2].ID.String()}, settled.GetLines()[0]))
	}
	check, err = ask(t, p.calls.Check, &ordersv1.CheckRequest{ClaimNo: "C-1"})
	require.NoError(t, err)
	require.False(t, check.GetHolds())
	require.Equal(t, int64(1), check.GetLines()[0].GetQuantity())
}

func TestAnExchangeIsReplacedAndShipped(t *testing.T) {
	t.Parallel()
	p := setup(t)
	_, err := ask(t, p.calls.Open, p.opening("C-1", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE, 1, 2))
	require.NoError(t, err)
	add := &ordersv1.AddExchangeLineRequest{
		ClaimNo: "C-1", Waiting: true,
		Lines: []*ordersv1.ExchangeLine{{ItemId: p.ids[0], ExchangeOptionName: "화이트 / L", LinePaidAmount: 26_800}},
	}
	var ids []string
	for range 2 {
		added, err := ask(t, p.calls.AddExchangeLine, add)
		require.NoError(t, err)
		require.Equal(t, p.items()[2].ID.String(), added.GetExchangeItemIds()[0])
		ids, add.Waiting = added.GetExchangeItemIds(), false
	}
	require.Len(t, ids, 1)
	require.Equal(t, order.Prices{List: 15_900, Unit: 13_900, Line: 27_800, Discount: 1000, Paid: 26_800}, p.items()[2].Prices)
	ship := &ordersv1.ShipExchangeLineRequest{ClaimNo: "C-1", CarrierName: "한진택배", TrackingNo: "412345678901"}
	notReshippable := func(trackingNo string) string {
		answer, err := ask(t, p.calls.Check, &ordersv1.CheckRequest{ClaimNo: "C-1", CarrierName: "한진택배", TrackingNo: trackingNo})
		require.NoError(t, err)
		return answer.GetNotReshippable()
	}
	require.Empty(t, notReshippable("1"))
	require.Equal(t, order.Paid, p.items()[2].State, "asking changes nothing")
	for range 2 {
		settled, err := ask(t, p.calls.ShipExchangeLine, ship)
		require.NoError(t, err)
		require.True(t, proto.Equal(&ordersv1.SettledLine{ItemId: p.ids[0], SettledItemId: p.ids[0]}, settled.GetLines()[0]))
	}
	require.Equal(t, order.Exchanged, p.items()[0].State)
	require.Equal(t, order.Shipping, p.items()[2].State)
	check, err := ask(t, p.calls.Check, &ordersv1.CheckRequest{ClaimNo: "C-1"})
	require.NoError(t, err)
	require.True(t, check.GetExchangeShipped())
	require.Empty(t, check.GetNotReshippable(), "nobody has asked")
	require.Empty(t, notReshippable("412345678901"))
	require.Equal(t, "parcel", notReshippable("1"))
	_, err = ask(t, p.calls.Check, &ordersv1.CheckRequest{ClaimNo: "C-1", TrackingNo: "1"})
	require.ErrorIs(t, err, apierr.ShipmentCarrierNotAllowed)
	ship.TrackingNo = "1"
	_, err = ask(t, p.calls.ShipExchangeLine, ship)
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
}

func TestAnExchangeBecomesAReturnOrIsReleased(t *testing.T) {
	t.Parallel()
	p := setup(t)
	_, err := ask(t, p.calls.Open, p.opening("C-1", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE, 1, 2))
	require.NoError(t, err)
	for range 2 {
		_, err = ask(t, p.calls.Convert, &ordersv1.ConvertRequest{ClaimNo: "C-1", ReturnClaimNo: "R-1"})
		require.NoError(t, err)
	}
	for range 2 {
		_, err = ask(t, p.calls.Release, &ordersv1.ReleaseRequest{ClaimNo: "R-1"})
		require.NoError(t, err)
	}
	require.False(t, p.items()[0].HasActiveClaim)
	_, err = ask(t, p.calls.Settle, &ordersv1.SettleRequest{ClaimNo: "R-1"})
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	_, err = ask(t, p.calls.Settle, &ordersv1.SettleRequest{ClaimNo: "UNKNOWN"})
	require.ErrorIs(t, err, apierr.ClaimNotFound)
}

// The claims service tells these refusals apart by their code and their reason.
func TestAConversionThatIsRefusedSaysWhy(t *testing.T) {
	t.Parallel()
	p := setup(t)
	_, err := ask(t, p.calls.Open, p.opening("C-1", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE, 1, 2))
	require.NoError(t, err)
	added, err := ask(t, p.calls.AddExchangeLine, &ordersv1.AddExchangeLineRequest{
		ClaimNo: "C-1", Lines: []*ordersv1.ExchangeLine{{ItemId: p.ids[0], LinePaidAmount: 100}},
	})
	require.NoError(t, err)
	requireRefused := func(returnNo string, code apierr.Code, reason any) {
		t.Helper()
		_, err := ask(t, p.calls.Convert, &ordersv1.ConvertRequest{ClaimNo: "C-1", ReturnClaimNo: returnNo})
		require.ErrorIs(t, err, code)
		require.Equal(t, reason, apierr.From(err).Data["reason"])
	}
	requireRefused("C-1", apierr.IdempotencyKeyReused, nil)
	_, err = p.store.ShipAlone(t.Context(), &store.Instant{}, store.Process{SellerID: p.seller, OrderNo: "O-1", ItemIDs: added.GetExchangeItemIds()},
		carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "412345678901"})
	require.NoError(t, err)
	requireRefused("R-1", apierr.ClaimNotApprovable, "exchange_shipped")
	check, err := ask(t, p.calls.Check, &ordersv1.CheckRequest{ClaimNo: "C-1"})
	require.NoError(t, err)
	require.True(t, check.GetHolds())
	require.True(t, check.GetExchangeShipped())
	_, err = ask(t, p.calls.Release, &ordersv1.ReleaseRequest{ClaimNo: "C-1"})
	require.NoError(t, err)
	requireRefused("R-1", apierr.ClaimNotApprovable, "hold")
}

func TestMalformedCallsNameTheField(t *testing.T) {
	t.Parallel()
	p := setup(t)
	open := func(change func(*ordersv1.OpenRequest)) error {
		request := p.opening("C-1", ordersv1.ClaimType_CLAIM_TYPE_CANCEL, 2, 1)
		change(request)
		_, err := ask(t, p.calls.Open, request)
		return err
	}
	ship := func(request *ordersv1.ShipExchangeLineRequest) error {
		_, err := ask(t, p.calls.ShipExchangeLine, request)
		return err
	}
	add := func(line *ordersv1.ExchangeLine) error {
		_, err := ask(t, p.calls.AddExchangeLine, &ordersv1.AddExchangeLineRequest{ClaimNo: "C-1", Lines: []*ordersv1.ExchangeLine{line}})
		return err
	}
	_, release := ask(t, p.calls.Release, &ordersv1.ReleaseRequest{ClaimNo: "\x00"})
	_, touch := ask(t, p.calls.Touch, &ordersv1.TouchRequest{ClaimNo: "C-1"})
	_, convert := ask(t, p.calls.Convert, &ordersv1.ConvertRequest{ClaimNo: "C-1"})
	for field, err := range map[string]error{
		"claim_no":                       open(func(r *ordersv1.OpenRequest) { r.ClaimNo = "" }),
		"claim_no: must be 1":            open(func(r *ordersv1.OpenRequest) { r.ClaimNo = strings.Repeat("x", 65) }),
		"claim_no: must":                 release,
		"exchange_option_name: must not": add(&ordersv1.ExchangeLine{ItemId: p.ids[0], ExchangeOptionName: "a\u0085b"}),
		"type":                           open(func(r *ordersv1.OpenRequest) { r.Type = 0 }),
		"seller_id":                      open(func(r *ordersv1.OpenRequest) { r.SellerId = "x" }),
		"lines":                          open(func(r *ordersv1.OpenRequest) { r.Lines = nil }),
		"lines[0].item_id":               open(func(r *ordersv1.OpenRequest) { r.Lines[0].ItemId = "x" }),
		"lines[0].quantity":              open(func(r *ordersv1.OpenRequest) { r.Lines[0].Quantity = 0 }),
		"lines[1].item_id":               open(func(r *ordersv1.OpenRequest) { r.Lines = append(r.Lines, r.GetLines()[0]) }),
		"step":                           touch,
		"return_claim_no":                convert,
		"lines[0].line_paid_amount":      add(&ordersv1.ExchangeLine{ItemId: p.ids[0], LinePaidAmount: -1}),
		"lines[0].exchange_option_name":  add(&ordersv1.ExchangeLine{ItemId: p.ids[0], ExchangeOptionName: strings.Repeat("x", 501)}),
	} {
		require.ErrorIs(t, err, apierr.ValidationError, field)
		require.ErrorContains(t, err, field)
	}
	require.ErrorIs(t, open(func(r *ordersv1.OpenRequest) { r.OrderNo = "\x00" }), apierr.OrderNotFound)
	require.ErrorIs(t, ship(&ordersv1.ShipExchangeLineRequest{ClaimNo: "C-1", CarrierName: "DHL", TrackingNo: "1"}), apierr.ShipmentCarrierNotAllowed)
	require.ErrorIs(t, ship(&ordersv1.ShipExchangeLineRequest{ClaimNo: "C-1", CarrierName: "한진택배"}), apierr.ShipmentFieldsRequired)
	require.False(t, p.items()[1].HasActiveClaim)
}
