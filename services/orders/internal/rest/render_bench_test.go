package rest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// BenchmarkRender renders a page of 50 orders with two items each, written member by member and encoded by the library, a hundred
// pages per iteration.
//
//	go test ./internal/rest -run '^$' -bench Render -benchtime 20x
func BenchmarkRender(b *testing.B) {
	orders := make([]order.Order, 50)
	for i := range orders {
		orders[i] = renderedOrder(i)
	}
	var written, encoded []byte
	var err error
	ordertest.Compare(b,
		ordertest.Side{Name: "written", Run: func() {
			for range 100 {
				written = ordersView{orders: orders}.AppendJSON(written[:0])
			}
		}},
		ordertest.Side{Name: "encoded", Run: func() {
			for range 100 {
				encoded, err = web.Marshal(plainOrders(orders))
				require.NoError(b, err)
			}
		}})
	require.Equal(b, string(encoded), string(written))
}

func renderedOrder(n int) order.Order {
	company := "가온물류"
	placed := ordertest.NewLine()
	paid := order.Item{
		ID: uuid.New(), Seq: 1, ProductName: placed.ProductName, OptionName: placed.OptionName, Quantity: placed.Quantity,
		Prices: placed.Prices(), State: order.Paid,
	}
	arrived := paid
	arrived.ID, arrived.Seq, arrived.State = uuid.New(), 2, order.Delivered
	arrived.CarrierName, arrived.TrackingNo, arrived.LogisticsCompany = "CJ대한통운", "690000000011", &company
	arrived.ShippedAt, arrived.DeliveredAt, arrived.AutoConfirmAt = ordertest.Epoch, ordertest.Epoch, ordertest.Epoch
	return order.Order{
		ID: uuid.New(), No: fmt.Sprintf("B-%03d", n), Currency: "KRW", Status: order.StatusPaid, SellerStatus: order.StatusPaid,
		PaidAt: ordertest.Epoch, UpdatedAt: ordertest.Epoch, Contact: ordertest.New("", ordertest.Epoch).Contact,
		Items: []order.Item{paid, arrived},
	}
}

type plainOrder struct {
	OrderNo               string          `json:"order_no"`
	OrderStatus           order.Status    `json:"order_status"`
	PaidAt                *timestamp.Time `json:"paid_at"`
	UpdatedAt             *timestamp.Time `json:"updated_at"`
	Currency              string          `json:"currency"`
	SellerItemsAmount     int64           `json:"seller_items_amount"`
	SellerDiscountAmount  int64           `json:"seller_discount_amount"`
	SellerPointUsedAmount int64           `json:"seller_point_used_amount"`
	SellerPaidAmount      int64           `json:"seller_paid_amount"`
	SellerShippingFeeBase int64           `json:"seller_shipping_fee_base"`
	SellerShippingFeePaid int64           `json:"seller_shipping_fee_paid"`
	OrdererName           *string         `json:"orderer_name"`
	OrdererPhone          *string         `json:"orderer_phone"`
	RecipientName         *string         `json:"recipient_name"`
	RecipientPhone        *string         `json:"recipient_phone"`
	Zipcode               *string         `json:"zipcode"`
	Address1              *string         `json:"address1"`
	Address2              string          `json:"address2,omitempty"`
	ShipMemo              string          `json:"ship_memo,omitempty"`
	Items                 []plainItem     `json:"items"`
	SellerOrderStatus     order.Status    `json:"seller_order_status"`
}

type plainItem struct {
	ItemID           uuid.UUID       `json:"item_id"`
	ItemCode         string          `json:"item_code"`
	ProductName      string          `json:"product_name"`
	OptionName       string          `json:"option_name"`
	Quantity         int64           `json:"quantity"`
	ListPrice        int64           `json:"list_price"`
	UnitPrice        int64           `json:"unit_price"`
	LineAmount       int64           `json:"line_amount"`
	DiscountAmount   int64           `json:"discount_amount"`
	LinePaidAmount   int64           `json:"line_paid_amount"`
	ItemStatus       order.State     `json:"item_status"`
	IsExchange       bool            `json:"is_exchange"`
	HasActiveClaim   bool            `json:"has_active_claim"`
	CarrierName      *string         `json:"carrier_name"`
	TrackingNo       *string         `json:"tracking_no"`
	LogisticsCompany *string         `json:"logistics_company"`
	ShippedAt        *timestamp.Time `json:"shipped_at"`
	DeliveredAt      *timestamp.Time `json:"delivered_at"`
	ConfirmedAt      *timestamp.Time `json:"confirmed_at"`
	AutoConfirmAt    *timestamp.Time `json:"auto_confirm_at"`
	OriginItemID     *uuid.UUID      `json:"origin_item_id"`
	SplitFromClaimNo *string         `json:"split_from_claim_no"`
	ExchangeClaimNo  *string         `json:"exchange_claim_no"`
}

// orNull returns a pointer to the value, or nil for the zero value.
func orNull[T comparable](value *T) *T {
	var zero T
	if *value == zero {
		return nil
	}
	return value
}

func timeOrNull(at *time.Time) *timestamp.Time {
	if at.IsZero() {
		return nil
	}
	return (*timestamp.Time)(at)
}

func plainOrders(orders []order.Order) []plainOrder {
	views := make([]plainOrder, len(orders))
	for i := range orders {
		views[i] = viewPlain(&orders[i])
	}
	return views
}

func viewPlain(o *order.Order) plainOrder {
	amounts, c := o.Amounts(), &o.Contact
	view := plainOrder{
		OrderNo: o.No, OrderStatus: o.Status, PaidAt: timeOrNull(&o.PaidAt), UpdatedAt: timeOrNull(&o.UpdatedAt), Currency: o.Currency,
		SellerItemsAmount: amounts.Items, SellerDiscountAmount: amounts.Discount, SellerPointUsedAmount: amounts.PointUsed,
		SellerPaidAmount: amounts.Paid, SellerShippingFeeBase: amounts.ShippingFeeBase, SellerShippingFeePaid: amounts.ShippingFeePaid,
		OrdererName: orNull(&c.OrdererName), OrdererPhone: orNull(&c.OrdererPhone), RecipientName: orNull(&c.RecipientName),
		RecipientPhone: orNull(&c.RecipientPhone), Zipcode: orNull(&c.Zipcode), Address1: orNull(&c.Address1),
		Address2: c.Address2, ShipMemo: c.ShipMemo, Items: make([]plainItem, len(o.Items)), SellerOrderStatus: o.SellerStatus,
	}
	for i := range o.Items {
		view.Items[i] = viewPlainItem(o.No, &o.Items[i])
	}
	return view
}

func viewPlainItem(orderNo string, i *order.Item) plainItem {
	shows, p := i.State.Shows(), i.Prices
	view := plainItem{
		ItemID: i.ID, ItemCode: order.ItemCode(orderNo, i.Seq), ProductName: i.ProductName, OptionName: i.OptionName,
		Quantity:  i.Quantity,
		ListPrice: p.List, UnitPrice: p.Unit, LineAmount: p.Line, DiscountAmount: p.Discount, LinePaidAmount: p.Paid,
		ItemStatus: i.State, IsExchange: i.IsExchange, HasActiveClaim: i.HasActiveClaim,
		AutoConfirmAt: timeOrNull(&i.AutoConfirmAt), OriginItemID: orNull(&i.OriginID), SplitFromClaimNo: orNull(&i.SplitFromClaimNo),
		ExchangeClaimNo: orNull(&i.ExchangeClaimNo),
	}
	if shows.Parcel {
		view.CarrierName, view.TrackingNo = orNull(&i.CarrierName), orNull(&i.TrackingNo)
	}
	if shows.LogisticsCompany {
		view.LogisticsCompany = i.LogisticsCompany
	}
	if shows.ShippedAt {
		view.ShippedAt = timeOrNull(&i.ShippedAt)
	}
	if shows.DeliveredAt {
		view.DeliveredAt = timeOrNull(&i.DeliveredAt)
	}
	if shows.ConfirmedAt {
		view.ConfirmedAt = timeOrNull(&i.ConfirmedAt)
	}
	return view
}
