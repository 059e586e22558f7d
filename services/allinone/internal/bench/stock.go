package bench

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
)

const (
	// firstNo is the number of the first order to ship. All have 16 digits: pgbench can count them, and they
	// are as long as the digest of an idempotency key.
	firstNo = 1_000_000_000_000_000
	// placedAtOnce is how many orders one call places, and placePatience how long it may take.
	placedAtOnce  = 1000
	placePatience = 30 * time.Second
)

// shippable is a paid order of seller A with one item.
type shippable struct{ no, itemID string }

// take returns n orders of the stock; each is taken once.
func (w *world) take(n int) []shippable {
	taken := w.stock[:n]
	w.stock = w.stock[n:]
	return taken
}

// restock places orders until there are n in stock.
func (w *world) restock(ctx context.Context, n int) error {
	client := stack.Intake(w.env.OrdersRPCURL, w.env.RPCToken)
	paid := timestamppb.New(time.Now().Add(-time.Minute))
	for len(w.stock) < n {
		request := &ordersv1.PlaceOrdersRequest{}
		for range min(placedAtOnce, n-len(w.stock)) {
			o := shippable{no: strconv.Itoa(firstNo + w.placed), itemID: uuid.NewString()}
			w.placed++
			w.stock = append(w.stock, o)
			request.Orders = append(request.Orders, o.placement(w.env.SellerAID, paid))
		}
		patient, cancel := context.WithTimeout(ctx, placePatience)
		_, err := client.PlaceOrders(patient, connect.NewRequest(request))
		cancel()
		if err != nil {
			return fmt.Errorf("place orders: %w", err)
		}
	}
	return nil
}

// placement is the order as the marketplace places it.
func (o shippable) placement(sellerID string, paid *timestamppb.Timestamp) *ordersv1.Order {
	return &ordersv1.Order{
		OrderNo: o.no, MemberId: "member-" + o.no, Currency: "KRW", PaidAt: paid,
		Contact: &ordersv1.Contact{
			OrdererName: "김민준", OrdererPhone: "010-0123-4567", RecipientName: "이서연", RecipientPhone: "010-0765-4321",
			Zipcode: "06236", Address1: "서울특별시 강남구 테헤란로 152", Address2: "3층", ShipMemo: "문 앞에 놓아주세요",
		},
		Sellers: []*ordersv1.SellerPart{{
			SellerId: sellerID, ShippingFeeBase: 3000, ShippingFeePaid: 3000,
			Lines: []*ordersv1.Line{{
				ItemId: o.itemID, ProductId: "P-1", ProductName: "순면 티셔츠", OptionName: "블랙 / M",
				Quantity: 2, ListPrice: 15900, UnitPrice: 12900, DiscountAmount: 1000,
			}},
		}},
	}
}
