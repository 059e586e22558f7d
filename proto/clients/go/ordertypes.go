package sellerapi

import "time"

// OrderList is one page of orders.
type OrderList = Page[Order]

// Order is a paid order as one seller sees it: items and seller amounts cover this seller's items only. Names, phone
// numbers and the address are nil after the customer has left the marketplace. Amounts are in Currency, without
// fractions.
type Order struct {
	OrderNo string `json:"order_no"`
	// OrderStatus is over the items of all sellers. Do not base work on it.
	OrderStatus OrderStatus `json:"order_status"`
	PaidAt      time.Time   `json:"paid_at"`
	// UpdatedAt moves whenever the order, an item, a shipment or a claim changes.
	UpdatedAt             time.Time   `json:"updated_at"`
	Currency              string      `json:"currency"`
	SellerItemsAmount     int64       `json:"seller_items_amount"`
	SellerDiscountAmount  int64       `json:"seller_discount_amount"`
	SellerPointUsedAmount int64       `json:"seller_point_used_amount"`
	SellerPaidAmount      int64       `json:"seller_paid_amount"`
	SellerShippingFeeBase int64       `json:"seller_shipping_fee_base"`
	SellerShippingFeePaid int64       `json:"seller_shipping_fee_paid"`
	OrdererName           *string     `json:"orderer_name"`
	OrdererPhone          *string     `json:"orderer_phone"`
	RecipientName         *string     `json:"recipient_name"`
	RecipientPhone        *string     `json:"recipient_phone"`
	Zipcode               *string     `json:"zipcode"`
	Address1              *string     `json:"address1"`
	Address2              *string     `json:"address2,omitempty"`
	ShipMemo              *string     `json:"ship_memo,omitempty"`
	Items                 []OrderItem `json:"items"`
	// SellerOrderStatus is over this seller's items only.
	SellerOrderStatus OrderStatus `json:"seller_order_status"`
}

// OrderItem is one line of an order. When a partial claim completes, the claimed part becomes a line of its own; the
// rest keeps its id and code.
type OrderItem struct {
	// ItemID identifies the line for good.
	ItemID         string     `json:"item_id"`
	ItemCode       string     `json:"item_code"`
	ProductName    string     `json:"product_name"`
	OptionName     string     `json:"option_name"`
	Quantity       int64      `json:"quantity"`
	ListPrice      int64      `json:"list_price"`
	UnitPrice      int64      `json:"unit_price"`
	LineAmount     int64      `json:"line_amount"`
	DiscountAmount int64      `json:"discount_amount"`
	LinePaidAmount int64      `json:"line_paid_amount"`
	ItemStatus     ItemStatus `json:"item_status"`
	// IsExchange says that an exchange created the line. It never changes.
	IsExchange bool `json:"is_exchange"`
	// HasActiveClaim says that a cancel, return or exchange is in progress.
	HasActiveClaim   bool       `json:"has_active_claim"`
	CarrierName      *string    `json:"carrier_name"`
	TrackingNo       *string    `json:"tracking_no"`
	LogisticsCompany *string    `json:"logistics_company"`
	ShippedAt        *time.Time `json:"shipped_at"`
	DeliveredAt      *time.Time `json:"delivered_at"`
	ConfirmedAt      *time.Time `json:"confirmed_at"`
	// AutoConfirmAt is when the purchase will be confirmed by itself.
	AutoConfirmAt *time.Time `json:"auto_confirm_at"`
	// OriginItemID is the line that the claim SplitFromClaimNo split this one off from, or, where that is nil, the one that it
	// stands in for by the exchange ExchangeClaimNo.
	OriginItemID     *string `json:"origin_item_id"`
	SplitFromClaimNo *string `json:"split_from_claim_no"`
	ExchangeClaimNo  *string `json:"exchange_claim_no"`
}

// ItemsRequest names items of an order: 1 to 200 ids, none twice.
type ItemsRequest struct {
	ItemIDs []string `json:"item_ids"`
}

// ShipmentRequest is one parcel of an order.
type ShipmentRequest struct {
	ItemIDs     []string `json:"item_ids"`
	CarrierName Carrier  `json:"carrier_name"`
	// TrackingNo may be written as printed: the server leaves out spaces, hyphens and dots.
	TrackingNo string `json:"tracking_no"`
	// LogisticsCompany is a forwarding agent; nil for none, which differs from an empty text.
	LogisticsCompany *string `json:"logistics_company,omitempty"`
}

// BatchShipmentRequest is up to 500 parcels.
type BatchShipmentRequest struct {
	Items []BatchShipmentEntry `json:"items"`
}

// BatchShipmentEntry is one parcel of one order. It succeeds or fails as a whole.
type BatchShipmentEntry struct {
	OrderNo          string   `json:"order_no"`
	ItemIDs          []string `json:"item_ids"`
	CarrierName      Carrier  `json:"carrier_name"`
	TrackingNo       string   `json:"tracking_no"`
	LogisticsCompany *string  `json:"logistics_company,omitempty"`
}

// PreparationResult tells the items that are in preparing, now or before.
type PreparationResult struct {
	OrderNo     string         `json:"order_no"`
	OrderStatus OrderStatus    `json:"order_status"`
	UpdatedAt   time.Time      `json:"updated_at"`
	Items       []PreparedItem `json:"items"`
}

// PreparedItem is an item of a PreparationResult.
type PreparedItem struct {
	ItemID     string     `json:"item_id"`
	ItemCode   string     `json:"item_code"`
	ItemStatus ItemStatus `json:"item_status"`
	// AlreadyDone says that the item was there before this call.
	AlreadyDone bool `json:"already_done"`
}

// ShipmentResult tells the items that have this shipment, now or before.
type ShipmentResult struct {
	OrderNo     string        `json:"order_no"`
	OrderStatus OrderStatus   `json:"order_status"`
	UpdatedAt   time.Time     `json:"updated_at"`
	Items       []ShippedItem `json:"items"`
	// Warnings are doubts about a tracking number that was accepted all the same.
	Warnings []Warning `json:"warnings,omitempty"`
}

// DeliveryResult tells the items that are delivered, now or before.
type DeliveryResult struct {
	OrderNo     string        `json:"order_no"`
	OrderStatus OrderStatus   `json:"order_status"`
	UpdatedAt   time.Time     `json:"updated_at"`
	Items       []ShippedItem `json:"items"`
}

// ShippedItem is an item of a ShipmentResult or DeliveryResult.
type ShippedItem struct {
	ItemID     string     `json:"item_id"`
	ItemCode   string     `json:"item_code"`
	ItemStatus ItemStatus `json:"item_status"`
	// AlreadyDone says that the item was there before this call.
	AlreadyDone bool `json:"already_done"`
	// TrackingNo is as the server stores it.
	TrackingNo  string  `json:"tracking_no"`
	CarrierName Carrier `json:"carrier_name"`
}

// Warning is a doubt about a tracking number.
type Warning struct {
	// Field is "tracking_no", or "items[3].tracking_no" in a batch.
	Field string `json:"field"`
	// Code is "TRACKING_NO_SUSPICIOUS".
	Code string `json:"code"`
	// Reason is "not_digits", "length" or "check_digit".
	Reason string `json:"reason"`
	// Message is for people.
	Message string `json:"message"`
}

// BatchShipmentResult tells what became of the parcels of a batch.
type BatchShipmentResult struct {
	// Succeeded are the ids of items that have their shipment, now or before.
	Succeeded []string      `json:"succeeded"`
	Failed    []FailedEntry `json:"failed"`
	Summary   BatchSummary  `json:"summary"`
	Warnings  []Warning     `json:"warnings,omitempty"`
}

// FailedEntry is a parcel of a batch that was refused.
type FailedEntry struct {
	OrderNo string `json:"order_no"`
	// OrderItemPublicIDs are the entry's item ids; empty when the order was not found.
	OrderItemPublicIDs []string `json:"order_item_public_ids"`
	ErrorCode          Code     `json:"error_code"`
	// Message is for people.
	Message string `json:"message"`
}

// BatchSummary counts items, not orders.
type BatchSummary struct {
	Succeeded int64 `json:"succeeded"`
	Failed    int64 `json:"failed"`
}
