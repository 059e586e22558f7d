package orders_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/service/servicetest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders"
)

// An order counts once, however many sellers have a part in it, and orders that were just
// placed count as growth.
func TestSizeCommand(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.Postgres.URL = pgtest.Database(t)
	require.NoError(t, orders.Schema.Migrate(t.Context(), settings.Postgres))
	require.Nil(t, servicetest.Size(t, orders.Schema.SizeCommand(), settings.Postgres).Growth, "there is no order")

	addresses := start(t, settings)
	client := rpctest.Client(t, rpc.CallerMarketplace, "orders", settings.RPC)
	intake := ordersv1connect.NewIntakeClient(client.HTTP, "http://"+addresses["rpc"], client.Options)
	part := func() *ordersv1.SellerPart {
		return &ordersv1.SellerPart{SellerId: uuid.NewString(), Lines: []*ordersv1.Line{{ProductName: "양말", Quantity: 1, UnitPrice: 1}}}
	}
	_, err := intake.PlaceOrders(t.Context(), &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{{
		OrderNo: strings.ToUpper(uuid.NewString()), MemberId: "m", Currency: "KRW", PaidAt: timestamppb.New(time.Now().Add(-time.Minute)),
		Sellers: []*ordersv1.SellerPart{part(), part()},
	}}})
	require.NoError(t, err)

	report := servicetest.Size(t, orders.Schema.SizeCommand(), settings.Postgres)
	require.Equal(t, "order", report.Record.Name)
	require.Equal(t, "order_numbers by orders.placed_at", report.Growth.BasedOn)
	require.InDelta(t, 86400/report.Growth.Seconds, report.Growth.RecordsPerDay, 1e-3, "growth of one order")
	require.NotNil(t, report.Inbox)
}
