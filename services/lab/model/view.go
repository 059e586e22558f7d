package model

import "time"

const (
	inspectionPeriod = 72 * time.Hour
	paymentPeriod    = 72 * time.Hour
)

// Contact is the personal data of every order, by the names of its fields.
var Contact = map[string]string{
	"orderer_name": "김민준", "orderer_phone": "010-0123-4567", "recipient_name": "이서연", "recipient_phone": "010-0765-4321",
	"zipcode": "06236", "address1": "서울특별시 강남구 테헤란로 152", "address2": "3층", "ship_memo": "문 앞에 놓아주세요",
}

// mayBeAbsent are the fields of the personal data that are omitted instead of null.
var mayBeAbsent = set("address2", "ship_memo")

// OrderView returns an order as its seller sees it, or nil when the seller cannot see it.
func (m *Model) OrderView(no int) Object {
	o := m.Orders[no]
	if !o.Visible() {
		return nil
	}
	own := o.own()
	var items, discount, paid int64
	lines := make([]any, 0, len(own))
	for i := range own {
		items += own[i].Amount
		paid += own[i].Paid
		discount += own[i].Amount - own[i].Paid
		lines = append(lines, m.lineView(o, &own[i]))
	}
	view := Object{
		"order_no": OrderNo(no), "order_status": o.Status(), "paid_at": o.PaidAt.value(0), "updated_at": Stamp{},
		"currency":            CurrencyOf(no),
		"seller_items_amount": items, "seller_discount_amount": discount, "seller_point_used_amount": o.Spec.Points,
		"seller_paid_amount": paid, "seller_shipping_fee_base": o.Spec.ShippingBase, "seller_shipping_fee_paid": o.Spec.ShippingPaid,
		"items": lines, "seller_order_status": rollUp(own),
	}
	for name, text := range Contact {
		if !o.Forgotten {
			view[name] = text
		} else if !mayBeAbsent[name] {
			view[name] = nil
		}
	}
	return view
}

func (m *Model) lineView(o *Order, l *Line) Object {
	view := Object{
		"item_id": ItemID{o.No, l.Code}, "item_code": CodeOf{o.No, l.Code}, "product_name": l.Product, "option_name": l.Option,
		"quantity": l.Quantity, "list_price": l.List, "unit_price": l.Unit, "line_amount": l.Amount,
		"discount_amount":  l.Amount - l.Paid,
		"line_paid_amount": l.Paid, "item_status": l.State, "is_exchange": l.Exchange, "has_active_claim": l.held(),
		"carrier_name": nil, "tracking_no": nil, "logistics_company": nil, "shipped_at": l.Shipped.value(0),
		"delivered_at": l.Delivered.value(0), "confirmed_at": l.Confirmed.value(0), "auto_confirm_at": nil, "ship_by": nil,
		"origin_item_id": nil, "split_from_claim_no": claimOrNull(l.SplitFrom), "exchange_claim_no": claimOrNull(l.ExchangeClaim),
	}
	if l.Parcel != nil {
		view["carrier_name"], view["tracking_no"] = l.Parcel.Carrier, l.Parcel.TrackingNo
	}
	if showsLogistics[l.State] && l.Parcel.Logistics != nil {
		view["logistics_company"] = *l.Parcel.Logistics
	}
	if l.State == Delivered && !l.held() {
		view["auto_confirm_at"] = l.Delivered.value(confirmAfter)
	}
	if l.Origin != 0 {
		view["origin_item_id"] = ItemID{o.No, l.Origin}
	}
	return view
}

func claimOrNull(no int) any {
	if no == 0 {
		return nil
	}
	return ClaimNo(no)
}

// ClaimView returns a claim as its seller sees it.
func (m *Model) ClaimView(no int) Object { return m.claimView(m.Claims[no]) }

func (m *Model) claimView(c *Claim) Object {
	view := Object{
		"claim_no": ClaimNo(c.No), "order_no": OrderNo(c.Order), "type": c.Type, "status": c.Status, "available_actions": c.actions(),
		"fault": c.Fault(), "reason_code": c.Reason, "refund_amount": nil, "refund_breakdown": nil,
		"claim_shipping_fee": c.Money.Fee, "price_difference": c.Money.Difference, "requested_at": c.RequestedAt.value(0),
		"completed_at": c.CompletedAt.value(0), "updated_at": Stamp{}, "collect_carrier_name": nil, "collect_tracking_no": nil,
		"inspect_result": nil, "reship_carrier_name": nil, "reship_tracking_no": nil,
		"inspection_due_at": c.InspectionFrom.value(inspectionPeriod), "payment_due_at": nil, "items": m.claimItems(c),
	}
	if withoutEffect[c.Status] || c.Status == Converted {
		view["claim_shipping_fee"] = nil
	}
	if c.Status == PaymentPending {
		view["payment_due_at"] = c.PaymentFrom.value(paymentPeriod)
	}
	if c.Frozen {
		view["inspection_due_at"], view["payment_due_at"] = nil, nil
	}
	if b := c.Money.Breakdown; b != nil {
		view["refund_amount"] = b.Refund()
		view["refund_breakdown"] = Object{
			"goods": b.Goods, "shipping": b.Shipping, "fee": b.Fee, "price_difference": b.Difference, "points": b.Points, "money": b.Money,
		}
	}
	if e := c.performed(Pickup); e != nil {
		view["collect_carrier_name"], view["collect_tracking_no"] = e.Parcel.Carrier, e.Parcel.TrackingNo
	}
	if e := c.performed(Inspect); e != nil {
		view["inspect_result"] = e.Result
	}
	if e := c.performed(Reship); e != nil {
		view["reship_carrier_name"], view["reship_tracking_no"] = e.Parcel.Carrier, e.Parcel.TrackingNo
	}
	return view
}

func (m *Model) claimItems(c *Claim) []any {
	items := make([]any, 0, len(c.Items))
	for _, item := range c.Items {
		current := item.Line
		if item.Settled != 0 {
			current = item.Settled
		}
		view := Object{
			"item_code": CodeOf{c.Order, item.Line}, "item_id": ItemID{c.Order, current}, "quantity": item.Quantity,
			"product_name": item.Product, "option_name": item.Option, "exchange_option_name": nil,
		}
		if item.Wanted != "" {
			view["exchange_option_name"] = item.Wanted
		}
		items = append(items, view)
	}
	return items
}

// The texts of every inquiry.
const (
	InquiryBody     = "식기세척기에 넣어도 되나요?"
	InquiryProduct  = "통주물 텀블러"
	InquiryCategory = "product"
	InquiryMember   = "김**"
)

// InquiryView returns an inquiry as its seller sees it.
func (m *Model) InquiryView(no int) Object {
	i := m.Inquiries[no]
	view := Object{
		"qna_id": InquiryID(no), "product_id": Anything{}, "product_name": InquiryProduct,
		"category": InquiryCategory, "body": InquiryBody,
		"is_secret": no%2 == 0, "member_display_name": InquiryMember, "status": "waiting", "image_urls": []any{},
		"created_at": i.PostedAt.value(0), "updated_at": Stamp{}, "answer": nil,
	}
	if i.Content != "" {
		view["status"] = "answered"
		view["answer"] = Object{"content": i.Content, "answered_at": i.Answered.value(0)}
	}
	return view
}
