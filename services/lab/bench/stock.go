package bench

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/lab/wire"
)

const (
	// firstNo is the number of the first order to ship.
	firstNo      = 1_000_000_000_000_000
	quantity     = 2
	placedAtOnce = 1000
	placeTimeout = 30 * time.Second
)

type shippable struct{ no, itemID string }

// place places the given number of orders for each of the sellers, after they were changed.
func (w *world) place(ctx context.Context, sellers []*seller, each int, changes ...func(*ordersv1.Order)) ([][]shippable, error) {
	paid := timestamppb.New(time.Now().Add(-time.Minute))
	placed := make([][]shippable, len(sellers))
	all := make([]*ordersv1.Order, 0, each*len(sellers))
	for i, one := range sellers {
		for range each {
			o := shippable{no: strconv.Itoa(firstNo + w.placed), itemID: uuid.NewString()}
			w.placed++
			placed[i], all = append(placed[i], o), append(all, o.placement(one.id, paid))
			for _, change := range changes {
				change(all[len(all)-1])
			}
		}
	}
	client := stack.Intake(w.env.OrdersRPCURL, w.env.RPCToken)
	for first := 0; first < len(all); first += placedAtOnce {
		patient, cancel := context.WithTimeout(ctx, placeTimeout)
		_, err := client.PlaceOrders(patient, &ordersv1.PlaceOrdersRequest{
			Orders: all[first:min(first+placedAtOnce, len(all))],
		})
		cancel()
		if err != nil {
			return nil, fmt.Errorf("place orders: %w", err)
		}
	}
	return placed, nil
}

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
				Quantity: quantity, ListPrice: 15900, UnitPrice: 12900, DiscountAmount: 1000,
			}},
		}},
	}
}

const parcel = `"carrier_name":"CJ대한통운","tracking_no":"690000000011"`

func (o shippable) shipment(key string) []byte {
	return wire.Post("/open/v1/orders/"+o.no+"/shipment", key, fmt.Sprintf(`{"item_ids":[%q],%s}`, o.itemID, parcel))
}

func batch(orders []shippable, key string) []byte {
	entries := make([]string, len(orders))
	for i, o := range orders {
		entries[i] = fmt.Sprintf(`{"order_no":%q,"item_ids":[%q],%s}`, o.no, o.itemID, parcel)
	}
	return wire.Post("/open/v1/orders/batch/shipment", key, `{"items":[`+strings.Join(entries, ",")+`]}`)
}
