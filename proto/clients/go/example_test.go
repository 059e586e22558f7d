//go:build go1.24

package sellerapi_test

import (
	"context"
	"errors"
	"log/slog"
	"os"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// Example reads all orders with items that wait for preparation, and ships them. It is compiled but not run,
// because it needs a server.
func Example() {
	ctx := context.Background()
	client, err := sellerapi.New(os.Getenv("SELLER_API_URL"), os.Getenv("SELLER_API_KEY"))
	if err != nil {
		panic(err)
	}
	for order, err := range client.Orders(ctx, sellerapi.OrderFilter{ItemStatus: sellerapi.ItemPaid, Limit: 100}) {
		if err != nil {
			panic(err)
		}
		_, err := client.ShipOrder(ctx, order.OrderNo, sellerapi.ShipmentRequest{
			ItemIDs: []string{order.Items[0].ItemID}, CarrierName: sellerapi.CarrierCJ, TrackingNo: "6123-4567-8901",
		})
		var refused *sellerapi.Error
		switch {
		case errors.Is(err, sellerapi.CodeShipmentStateConflict):
			slog.Info("shipped with another parcel", "order", order.OrderNo)
		case errors.As(err, &refused):
			slog.Error("refused", "code", refused.Code, "status", refused.Status, "request", refused.RequestID,
				"items", refused.Data.Items)
		}
	}
}
