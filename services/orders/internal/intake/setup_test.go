package intake_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/intake"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/rest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

type port struct {
	t      *testing.T
	store  *store.Store
	client ordersv1connect.IntakeClient
	// changes is the client of the marketplace's way back.
	changes ordersv1connect.ChangesClient
	seller  uuid.UUID
}

func setup(t *testing.T) *port {
	t.Helper()
	p := &port{t: t, seller: uuid.New()}
	p.store, _ = storetest.New(t)
	mux, err := rpc.NewMux("orders", trusttest.Keys(), rpc.Config{}, telemetrytest.Discard(t))
	require.NoError(t, err)
	mux.Handle(ordersv1connect.NewIntakeHandler(&intake.Service{Orders: p.store}, mux.Options()))
	cursors, err := paging.NewSigner(make([]byte, 32))
	require.NoError(t, err)
	api := rest.API{Orders: p.store, Cursors: cursors}
	mux.Handle(ordersv1connect.NewChangesHandler(&intake.Changes{
		Orders: p.store, List: api.Changes(), Sellers: changes.Sellers{Cursors: cursors, Changed: p.store.Changed},
	}, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := rpctest.Client(t, rpc.CallerMarketplace, "orders", rpc.Config{})
	p.client = ordersv1connect.NewIntakeClient(client.HTTP, server.URL, client.Options)
	p.changes = ordersv1connect.NewChangesClient(client.HTTP, server.URL, client.Options)
	return p
}

// timeout is the deadline of a call; a machine that is busy with other tests needs more than the default.
const timeout = time.Minute

func (p *port) place(orders ...*ordersv1.Order) ([]*ordersv1.PlaceResult, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), timeout)
	defer cancel()
	response, err := p.client.PlaceOrders(ctx, &ordersv1.PlaceOrdersRequest{Orders: orders})
	if err != nil {
		return nil, err
	}
	return response.GetResults(), nil
}

func (p *port) pay(orderNo string, outcome ordersv1.PaymentOutcome, paidAt *timestamppb.Timestamp) (bool, error) {
	p.t.Helper()
	response, err := p.client.RecordPayment(p.t.Context(), &ordersv1.RecordPaymentRequest{
		OrderNo: orderNo, Outcome: outcome, PaidAt: paidAt,
	})
	if err != nil {
		return false, err
	}
	return response.GetChanged(), nil
}

func (p *port) visible() []string {
	p.t.Helper()
	page, err := p.store.List(p.t.Context(), p.seller, order.Filter{}, nil, 100)
	require.NoError(p.t, err)
	numbers := make([]string, 0, len(page.Rows))
	for _, o := range page.Rows {
		numbers = append(numbers, o.No)
	}
	return numbers
}

// newOrder returns a valid paid order of the seller with one new line, paid an hour ago.
func (p *port) newOrder(no string) *ordersv1.Order {
	return &ordersv1.Order{
		OrderNo: no, MemberId: "m-1", Currency: "KRW", PaidAt: timestamppb.New(time.Now().Add(-time.Hour)),
		Contact: &ordersv1.Contact{
			OrdererName: "김민준", OrdererPhone: "1", RecipientName: "이서연", RecipientPhone: "2", Zipcode: "3",
			Address1: "4", Address2: "5", ShipMemo: "6",
		},
		Sellers: []*ordersv1.SellerPart{{
			SellerId: p.seller.String(), PointUsedAmount: 500, ShippingFeeBase: 3000, ShippingFeePaid: 2500,
			Lines: []*ordersv1.Line{{
				ItemId: uuid.NewString(), ProductId: "p-1", ProductName: "티셔츠", OptionName: "M",
				Quantity: 2, ListPrice: 15_900, UnitPrice: 12_900, DiscountAmount: 1000,
			}},
		}},
	}
}

func requireInvalid(t *testing.T, err error, field string) {
	t.Helper()
	require.ErrorIs(t, err, apierr.ValidationError)
	var wire *connect.Error
	require.ErrorAs(t, err, &wire)
	require.Equal(t, connect.CodeInvalidArgument, wire.Code())
	require.Contains(t, wire.Message(), field+": ", "the message names the field, for people with curl")
	var row *apierr.Error
	require.ErrorAs(t, err, &row)
	problems, _ := row.Data["errors"].([]any)
	require.Len(t, problems, 1)
	require.Equal(t, field, problems[0].(map[string]any)["field"])
}
