package orders_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders"
)

// An operator brings orders back by their numbers and is told the result for each, including one that does not exist.
func TestBringBackCommand(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.Postgres.URL = pgtest.Database(t)
	require.NoError(t, orders.Schema.Migrate(t.Context(), settings.Postgres))
	addresses := start(t, settings)
	client := rpctest.Client(t, rpc.CallerMarketplace, "orders", settings.RPC)
	intake := ordersv1connect.NewIntakeClient(client.HTTP, "http://"+addresses["rpc"], client.Options)
	number := strings.ToUpper(uuid.NewString())
	_, err := intake.PlaceOrders(t.Context(), &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{{
		OrderNo: number, MemberId: "m", Currency: "KRW", PaidAt: timestamppb.New(time.Now().Add(-time.Minute)),
		Sellers: []*ordersv1.SellerPart{{
			SellerId: uuid.NewString(), Lines: []*ordersv1.Line{{ProductName: "양말", Quantity: 1, UnitPrice: 1}},
		}},
	}}})
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), settings.Postgres.URL.Reveal())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) })
	var archived bool
	require.NoError(t, conn.QueryRow(t.Context(), "select orders.archive_order(seller_id, order_id) from orders.orders").Scan(&archived))
	require.True(t, archived)

	var out bytes.Buffer
	command := orders.Schema.BringBackCommand()
	command.Postgres.URL, command.Numbers = settings.Postgres.URL, []string{number, number}
	require.NoError(t, command.Run(t.Context(), &out))
	require.Equal(t, number+": back from the archive\n"+number+": not in the archive\n", out.String())
	command.Numbers = []string{"NONE"}
	require.ErrorIs(t, command.Run(t.Context(), &out), apierr.OrderNotFound)
}
