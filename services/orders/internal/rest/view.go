package rest

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/web/jsonwriter"
	"sellerapi.dev/services/orders/internal/order"
)

type object struct {
	jsonwriter.Writer
	lang apierr.Lang
}

type ordersView struct {
	orders []order.Order
	lang   apierr.Lang
}

// AppendJSON implements web.Appender.
func (v ordersView) AppendJSON(b []byte) []byte {
	w := object{Writer: jsonwriter.Writer{JSON: b}, lang: v.lang}
	w.Elements(len(v.orders), func(i int) { w.order(&v.orders[i]) })
	return w.JSON
}

type detailView struct {
	*order.Order
	lang apierr.Lang
}

// AppendJSON implements web.Appender.
func (v detailView) AppendJSON(b []byte) []byte {
	w := object{Writer: jsonwriter.Writer{JSON: b}, lang: v.lang}
	w.order(v.Order)
	return w.JSON
}

// order writes a seller's view of an order. address2 and ship_memo are absent when empty. seller_order_status is an addition to
// the API.
func (w *object) order(o *order.Order) {
	amounts := o.Amounts()
	w.Open()
	w.Text("order_no", o.No)
	w.Text("order_status", string(o.Status))
	w.MomentOrNull("paid_at", o.PaidAt)
	w.MomentOrNull("updated_at", o.UpdatedAt)
	w.Text("currency", o.Currency)
	w.Number("seller_items_amount", amounts.Items)
	w.Number("seller_discount_amount", amounts.Discount)
	w.Number("seller_point_used_amount", amounts.PointUsed)
	w.Number("seller_paid_amount", amounts.Paid)
	w.Number("seller_shipping_fee_base", amounts.ShippingFeeBase)
	w.Number("seller_shipping_fee_paid", amounts.ShippingFeePaid)
	w.TextOrNull("orderer_name", o.Contact.OrdererName)
	w.TextOrNull("orderer_phone", o.Contact.OrdererPhone)
	w.TextOrNull("recipient_name", o.Contact.RecipientName)
	w.TextOrNull("recipient_phone", o.Contact.RecipientPhone)
	w.TextOrNull("zipcode", o.Contact.Zipcode)
	w.TextOrNull("address1", o.Contact.Address1)
	w.TextIfAny("address2", o.Contact.Address2)
	w.TextIfAny("ship_memo", o.Contact.ShipMemo)
	w.List("items", len(o.Items), func(i int) { w.item(o.No, &o.Items[i]) })
	w.Text("seller_order_status", string(o.SellerStatus))
	w.Close()
}

// item writes an item of an order with the fields that its state shows. auto_confirm_at, origin_item_id, split_from_claim_no,
// exchange_claim_no, ship_by and warnings are additions to the API.
func (w *object) item(orderNo string, item *order.Item) {
	shows := item.State.Shows()
	w.Open()
	w.ID("item_id", item.ID)
	w.Text("item_code", order.ItemCode(orderNo, item.Seq))
	w.Text("product_name", item.ProductName)
	w.Text("option_name", item.OptionName)
	w.Number("quantity", item.Quantity)
	w.Number("list_price", item.Prices.List)
	w.Number("unit_price", item.Prices.Unit)
	w.Number("line_amount", item.Prices.Line)
	w.Number("discount_amount", item.Prices.Discount)
	w.Number("line_paid_amount", item.Prices.Paid)
	w.Text("item_status", string(item.State))
	w.Flag("is_exchange", item.IsExchange)
	w.Flag("has_active_claim", item.HasActiveClaim)
	w.TextOrNull("carrier_name", when(shows.Parcel, item.CarrierName))
	w.TextOrNull("tracking_no", when(shows.Parcel, item.TrackingNo))
	w.OptionalText("logistics_company", when(shows.LogisticsCompany, item.LogisticsCompany))
	w.MomentOrNull("shipped_at", when(shows.ShippedAt, item.ShippedAt))
	w.MomentOrNull("delivered_at", when(shows.DeliveredAt, item.DeliveredAt))
	w.MomentOrNull("confirmed_at", when(shows.ConfirmedAt, item.ConfirmedAt))
	w.MomentOrNull("auto_confirm_at", item.AutoConfirmAt)
	w.IDOrNull("origin_item_id", item.OriginID)
	w.TextOrNull("split_from_claim_no", item.SplitFromClaimNo)
	w.TextOrNull("exchange_claim_no", item.ExchangeClaimNo)
	w.MomentOrNull("ship_by", when(shows.ShipBy, item.ShipBy))
	if item.State == order.Shipping {
		w.doubt(carrier.Name(item.CarrierName), carrier.TrackingNo(item.TrackingNo))
	}
	w.Close()
}

// doubt writes the warning about the tracking number of an item in shipping, if there is one. After the delivery the number has
// proved right.
func (w *object) doubt(name carrier.Name, number carrier.TrackingNo) {
	doubt := carrier.Suspicious(name, number)
	if doubt == "" {
		return
	}
	w.List("warnings", 1, func(int) {
		w.Open()
		w.Text("field", "tracking_no")
		w.Text("code", trackingNoSuspicious)
		w.Text("reason", string(doubt))
		w.Text("message", explain(doubt, name).In(w.lang))
		w.Close()
	})
}

func when[T any](shown bool, value T) T {
	if shown {
		return value
	}
	var nothing T
	return nothing
}
