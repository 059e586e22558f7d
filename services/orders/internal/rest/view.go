package rest

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

// ordersView are the elements of the list.
type ordersView struct {
	orders []order.Order
	lang   apierr.Lang
}

// AppendJSON implements web.Appender.
func (v ordersView) AppendJSON(b []byte) []byte {
	w := object{json: b, lang: v.lang}
	w.elements(len(v.orders), func(i int) { w.order(&v.orders[i]) })
	return w.json
}

// detailView is the data of the detail.
type detailView struct {
	*order.Order
	lang apierr.Lang
}

// AppendJSON implements web.Appender.
func (v detailView) AppendJSON(b []byte) []byte {
	w := object{json: b, lang: v.lang}
	w.order(v.Order)
	return w.json
}

// order writes a seller's view of an order. address2 and ship_memo are absent when empty. seller_order_status is an addition to the
// API.
func (w *object) order(o *order.Order) {
	amounts := o.Amounts()
	w.open()
	w.text("order_no", o.No)
	w.text("order_status", string(o.Status))
	w.momentOrNull("paid_at", o.PaidAt)
	w.momentOrNull("updated_at", o.UpdatedAt)
	w.text("currency", o.Currency)
	w.number("seller_items_amount", amounts.Items)
	w.number("seller_discount_amount", amounts.Discount)
	w.number("seller_point_used_amount", amounts.PointUsed)
	w.number("seller_paid_amount", amounts.Paid)
	w.number("seller_shipping_fee_base", amounts.ShippingFeeBase)
	w.number("seller_shipping_fee_paid", amounts.ShippingFeePaid)
	w.textOrNull("orderer_name", o.Contact.OrdererName)
	w.textOrNull("orderer_phone", o.Contact.OrdererPhone)
	w.textOrNull("recipient_name", o.Contact.RecipientName)
	w.textOrNull("recipient_phone", o.Contact.RecipientPhone)
	w.textOrNull("zipcode", o.Contact.Zipcode)
	w.textOrNull("address1", o.Contact.Address1)
	w.textIfAny("address2", o.Contact.Address2)
	w.textIfAny("ship_memo", o.Contact.ShipMemo)
	w.list("items", len(o.Items), func(i int) { w.item(o.No, &o.Items[i]) })
	w.text("seller_order_status", string(o.SellerStatus))
	w.close()
}

// item writes an item of an order with the fields that its state shows. auto_confirm_at, origin_item_id, split_from_claim_no,
// exchange_claim_no and warnings are additions to the API.
func (w *object) item(orderNo string, item *order.Item) {
	shows := item.State.Shows()
	w.open()
	w.id("item_id", item.ID)
	w.text("item_code", order.ItemCode(orderNo, item.Seq))
	w.text("product_name", item.ProductName)
	w.text("option_name", item.OptionName)
	w.number("quantity", item.Quantity)
	w.number("list_price", item.Prices.List)
	w.number("unit_price", item.Prices.Unit)
	w.number("line_amount", item.Prices.Line)
	w.number("discount_amount", item.Prices.Discount)
	w.number("line_paid_amount", item.Prices.Paid)
	w.text("item_status", string(item.State))
	w.flag("is_exchange", item.IsExchange)
	w.flag("has_active_claim", item.HasActiveClaim)
	w.textOrNull("carrier_name", when(shows.Parcel, item.CarrierName))
	w.textOrNull("tracking_no", when(shows.Parcel, item.TrackingNo))
	w.optionalText("logistics_company", when(shows.LogisticsCompany, item.LogisticsCompany))
	w.momentOrNull("shipped_at", when(shows.ShippedAt, item.ShippedAt))
	w.momentOrNull("delivered_at", when(shows.DeliveredAt, item.DeliveredAt))
	w.momentOrNull("confirmed_at", when(shows.ConfirmedAt, item.ConfirmedAt))
	w.momentOrNull("auto_confirm_at", item.AutoConfirmAt)
	w.idOrNull("origin_item_id", item.OriginID)
	w.textOrNull("split_from_claim_no", item.SplitFromClaimNo)
	w.textOrNull("exchange_claim_no", item.ExchangeClaimNo)
	if item.State == order.Shipping {
		w.doubt(carrier.Name(item.CarrierName), carrier.TrackingNo(item.TrackingNo))
	}
	w.close()
}

// doubt writes the warning about the tracking number of an item in shipping, if there is one. After the delivery the number has proved
// right.
func (w *object) doubt(name carrier.Name, number carrier.TrackingNo) {
	doubt := carrier.Suspicious(name, number)
	if doubt == "" {
		return
	}
	w.list("warnings", 1, func(int) {
		w.open()
		w.text("field", "tracking_no")
		w.text("code", trackingNoSuspicious)
		w.text("reason", string(doubt))
		w.text("message", explain(doubt, name).In(w.lang))
		w.close()
	})
}

// when returns the value if it is shown, else the zero value.
func when[T any](shown bool, value T) T {
	if shown {
		return value
	}
	var nothing T
	return nothing
}
