package rest

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/orders/internal/order"
)

// listView is the data of the list.
type listView struct {
	List       []orderView `json:"list"`
	NextCursor *string     `json:"next_cursor"`
}

// orderView is an order as sellers see it. Fields that may be null are pointers into the order; address2 and ship_memo are
// absent when there is none. seller_order_status is an addition to the interface.
type orderView struct {
	OrderNo               string         `json:"order_no"`
	OrderStatus           order.Status   `json:"order_status"`
	PaidAt                timestamp.Time `json:"paid_at"`
	UpdatedAt             timestamp.Time `json:"updated_at"`
	Currency              string         `json:"currency"`
	SellerItemsAmount     int64          `json:"seller_items_amount"`
	SellerDiscountAmount  int64          `json:"seller_discount_amount"`
	SellerPointUsedAmount int64          `json:"seller_point_used_amount"`
	SellerPaidAmount      int64          `json:"seller_paid_amount"`
	SellerShippingFeeBase int64          `json:"seller_shipping_fee_base"`
	SellerShippingFeePaid int64          `json:"seller_shipping_fee_paid"`
	OrdererName           *string        `json:"orderer_name"`
	OrdererPhone          *string        `json:"orderer_phone"`
	RecipientName         *string        `json:"recipient_name"`
	RecipientPhone        *string        `json:"recipient_phone"`
	Zipcode               *string        `json:"zipcode"`
	Address1              *string        `json:"address1"`
	Address2              string         `json:"address2,omitempty"`
	ShipMemo              string         `json:"ship_memo,omitempty"`
	Items                 []itemView     `json:"items"`
	SellerOrderStatus     order.Status   `json:"seller_order_status"`
}

// itemView is an item of an order. auto_confirm_at, origin_item_id and split_from_claim_no are additions to the interface.
type itemView struct {
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
}

// orderViews returns the views of a page.
func orderViews(orders []order.Order) []orderView {
	views := make([]orderView, len(orders))
	for i := range orders {
		views[i] = newOrderView(&orders[i])
	}
	return views
}

// newOrderView returns the view of an order. It points into the order.
func newOrderView(o *order.Order) orderView {
	amounts := o.Amounts()
	view := orderView{
		OrderNo:               o.No,
		OrderStatus:           o.Status,
		PaidAt:                timestamp.Time(o.PaidAt),
		UpdatedAt:             timestamp.Time(o.UpdatedAt),
		Currency:              o.Currency,
		SellerItemsAmount:     amounts.Items,
		SellerDiscountAmount:  amounts.Discount,
		SellerPointUsedAmount: amounts.PointUsed,
		SellerPaidAmount:      amounts.Paid,
		SellerShippingFeeBase: amounts.ShippingFeeBase,
		SellerShippingFeePaid: amounts.ShippingFeePaid,
		OrdererName:           nullable(&o.Contact.OrdererName),
		OrdererPhone:          nullable(&o.Contact.OrdererPhone),
		RecipientName:         nullable(&o.Contact.RecipientName),
		RecipientPhone:        nullable(&o.Contact.RecipientPhone),
		Zipcode:               nullable(&o.Contact.Zipcode),
		Address1:              nullable(&o.Contact.Address1),
		Address2:              o.Contact.Address2,
		ShipMemo:              o.Contact.ShipMemo,
		Items:                 make([]itemView, len(o.Items)),
		SellerOrderStatus:     o.SellerStatus,
	}
	for i := range o.Items {
		view.Items[i] = newItemView(o.No, &o.Items[i])
	}
	return view
}

// newItemView returns the view of an item: what it has, as far as its state shows it.
func newItemView(orderNo string, item *order.Item) itemView {
	view := itemView{
		ItemID:           item.ID,
		ItemCode:         order.ItemCode(orderNo, item.Seq),
		ProductName:      item.ProductName,
		OptionName:       item.OptionName,
		Quantity:         item.Quantity,
		ListPrice:        item.Prices.List,
		UnitPrice:        item.Prices.Unit,
		LineAmount:       item.Prices.Line,
		DiscountAmount:   item.Prices.Discount,
		LinePaidAmount:   item.Prices.Paid,
		ItemStatus:       item.State,
		IsExchange:       item.IsExchange,
		HasActiveClaim:   item.HasActiveClaim,
		AutoConfirmAt:    moment(&item.AutoConfirmAt),
		SplitFromClaimNo: nullable(&item.SplitFromClaimNo),
	}
	if item.OriginID != uuid.Nil {
		view.OriginItemID = &item.OriginID
	}
	shows := item.State.Shows()
	if shows.Parcel {
		view.CarrierName, view.TrackingNo = nullable(&item.CarrierName), nullable(&item.TrackingNo)
	}
	if shows.LogisticsCompany {
		view.LogisticsCompany = item.LogisticsCompany
	}
	if shows.ShippedAt {
		view.ShippedAt = moment(&item.ShippedAt)
	}
	if shows.DeliveredAt {
		view.DeliveredAt = moment(&item.DeliveredAt)
	}
	if shows.ConfirmedAt {
		view.ConfirmedAt = moment(&item.ConfirmedAt)
	}
	return view
}

// nullable is null for an empty text.
func nullable(text *string) *string {
	if *text == "" {
		return nil
	}
	return text
}

// moment is null for no time.
func moment(at *time.Time) *timestamp.Time {
	if at.IsZero() {
		return nil
	}
	return timestamp.Pointer(at)
}
