package sellerapi

import "time"

// ClaimList is one page of claims.
type ClaimList = Page[Claim]

// Claim is a cancel, return or exchange. What is not known yet is nil.
type Claim struct {
	ClaimNo string      `json:"claim_no"`
	OrderNo string      `json:"order_no"`
	Type    ClaimType   `json:"type"`
	Status  ClaimStatus `json:"status"`
	// AvailableActions is what can be newly done now. Repeating what was done still succeeds.
	AvailableActions []ClaimAction `json:"available_actions"`
	Fault            Fault         `json:"fault"`
	ReasonCode       ReasonCode    `json:"reason_code"`
	// RefundAmount is what the customer gets back in the end, in money and in points, fees deducted.
	RefundAmount *int64 `json:"refund_amount"`
	// ClaimShippingFee is nil for a claim that ended without effect: nothing was charged.
	ClaimShippingFee *int64 `json:"claim_shipping_fee"`
	// PriceDifference of an exchange: positive, the customer paid so much more; negative, the customer gets so much back.
	PriceDifference    *int64     `json:"price_difference"`
	RequestedAt        time.Time  `json:"requested_at"`
	CompletedAt        *time.Time `json:"completed_at"`
	UpdatedAt          time.Time  `json:"updated_at"`
	CollectCarrierName *string    `json:"collect_carrier_name"`
	CollectTrackingNo  *string    `json:"collect_tracking_no"`
	// InspectResult tells a rejection by inspection from an explicit one.
	InspectResult     *InspectResult `json:"inspect_result"`
	ReshipCarrierName *string        `json:"reship_carrier_name"`
	ReshipTrackingNo  *string        `json:"reship_tracking_no"`
	Items             []ClaimItem    `json:"items"`
	// InspectionDueAt is when a collected return counts as passed if nobody inspects.
	InspectionDueAt *time.Time `json:"inspection_due_at"`
	// PaymentDueAt is when the claim expires if the customer does not pay.
	PaymentDueAt *time.Time `json:"payment_due_at"`
	// RefundBreakdown is what RefundAmount consists of, nil as long as that is.
	RefundBreakdown *RefundBreakdown `json:"refund_breakdown"`
}

// RefundBreakdown is what a refund consists of: Goods + Shipping - Fee - PriceDifference is the refund, and so is Money + Points.
// Only PriceDifference can be negative.
type RefundBreakdown struct {
	// Goods is what was paid for the goods that came back; 0 for an exchange.
	Goods int64 `json:"goods"`
	// Shipping is what of the order's shipping goes back.
	Shipping int64 `json:"shipping"`
	// Fee is what of the claim's fee is deducted from this refund.
	Fee int64 `json:"fee"`
	// PriceDifference is that of an exchange; for a return that took the place of one, what the exchange has refunded.
	PriceDifference int64 `json:"price_difference"`
	Points          int64 `json:"points"`
	Money           int64 `json:"money"`
}

// ClaimItem is the claimed quantity of one line. After a split ItemCode names the line that was claimed and ItemID the
// new line that carries the claimed quantity.
type ClaimItem struct {
	ItemCode    string `json:"item_code"`
	ItemID      string `json:"item_id"`
	Quantity    int64  `json:"quantity"`
	ProductName string `json:"product_name"`
	OptionName  string `json:"option_name"`
	// ExchangeOptionName is the option that the customer wants; nil unless it is an exchange.
	ExchangeOptionName *string `json:"exchange_option_name"`
}

// RejectRequest says why a claim is rejected.
type RejectRequest struct {
	Memo string `json:"memo"`
}

// ParcelRequest is a parcel of a claim, on its way back or out again.
type ParcelRequest struct {
	CarrierName Carrier `json:"carrier_name"`
	TrackingNo  string  `json:"tracking_no"`
}

// InspectRequest is the result of an inspection. Memo is compulsory with InspectFail.
type InspectRequest struct {
	Result InspectResult `json:"result"`
	Memo   string        `json:"memo,omitempty"`
}
