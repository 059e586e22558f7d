// Code generated from proto/openapi/seller-open-api.yaml by go generate; DO NOT EDIT.

package sellerapi

import "time"

// The codes of today; the interface description has the condition of each.
const (
	CodeShipmentFieldsRequired        Code = "SHIPMENT_FIELDS_REQUIRED"
	CodeShipmentInputInvalid          Code = "SHIPMENT_INPUT_INVALID"
	CodeClaimMemoRequired             Code = "CLAIM_MEMO_REQUIRED"
	CodeAPIKeyRequired                Code = "API_KEY_REQUIRED"
	CodeInvalidAPIKey                 Code = "INVALID_API_KEY"
	CodeScopeForbidden                Code = "SCOPE_FORBIDDEN"
	CodeOrderNotFound                 Code = "ORDER_NOT_FOUND"
	CodeOrderItemNotFound             Code = "ORDER_ITEM_NOT_FOUND"
	CodeClaimNotFound                 Code = "CLAIM_NOT_FOUND"
	CodeQnANotFound                   Code = "QNA_NOT_FOUND"
	CodeIdempotencyKeyReused          Code = "IDEMPOTENCY_KEY_REUSED"
	CodeIdempotencyInProgress         Code = "IDEMPOTENCY_IN_PROGRESS"
	CodeIdempotencyUnresolved         Code = "IDEMPOTENCY_UNRESOLVED"
	CodeOrderItemNotPreparable        Code = "ORDER_ITEM_NOT_PREPARABLE"
	CodeOrderItemNotShippable         Code = "ORDER_ITEM_NOT_SHIPPABLE"
	CodeOrderItemNotDeliverable       Code = "ORDER_ITEM_NOT_DELIVERABLE"
	CodeOrderItemHasActiveClaim       Code = "ORDER_ITEM_HAS_ACTIVE_CLAIM"
	CodeShipmentStateConflict         Code = "SHIPMENT_STATE_CONFLICT"
	CodeExchangeItemNotPreparable     Code = "EXCHANGE_ITEM_NOT_PREPARABLE"
	CodeExchangeItemNotReshipping     Code = "EXCHANGE_ITEM_NOT_RESHIPPING"
	CodeClaimNotApprovable            Code = "CLAIM_NOT_APPROVABLE"
	CodeClaimNotRejectable            Code = "CLAIM_NOT_REJECTABLE"
	CodeClaimNotCollectable           Code = "CLAIM_NOT_COLLECTABLE"
	CodeClaimNotCollectDone           Code = "CLAIM_NOT_COLLECT_DONE"
	CodeClaimNotInspectable           Code = "CLAIM_NOT_INSPECTABLE"
	CodeClaimNotReshippable           Code = "CLAIM_NOT_RESHIPPABLE"
	CodeExchangeItemShipFailed        Code = "EXCHANGE_ITEM_SHIP_FAILED"
	CodeQnAAlreadyAnswered            Code = "QNA_ALREADY_ANSWERED"
	CodeQnAAnswerUnresolved           Code = "QNA_ANSWER_UNRESOLVED"
	CodeIdempotencyResultExpired      Code = "IDEMPOTENCY_RESULT_EXPIRED"
	CodeValidationError               Code = "VALIDATION_ERROR"
	CodeIdempotencyKeyRequired        Code = "IDEMPOTENCY_KEY_REQUIRED"
	CodeIdempotencyKeyTooLong         Code = "IDEMPOTENCY_KEY_TOO_LONG"
	CodeInvalidCursor                 Code = "INVALID_CURSOR"
	CodeStatusChangedFilterIncomplete Code = "STATUS_CHANGED_FILTER_INCOMPLETE"
	CodeStatusChangedRangeInvalid     Code = "STATUS_CHANGED_RANGE_INVALID"
	CodeShipmentCarrierNotAllowed     Code = "SHIPMENT_CARRIER_NOT_ALLOWED"
	CodeRateLimited                   Code = "RATE_LIMITED"
	CodeRateLimitUnavailable          Code = "RATE_LIMIT_UNAVAILABLE"

	// CodeOrderBatchError stands in the failed entries of a batch only.
	CodeOrderBatchError Code = "ORDER_BATCH_ERROR"
)

// OrderStatus is the overall state of an order, over the items of all sellers. Do not base work on it.
type OrderStatus string

// The states of an order.
const (
	OrderPaid             OrderStatus = "paid"
	OrderPreparing        OrderStatus = "preparing"
	OrderShipping         OrderStatus = "shipping"
	OrderDelivered        OrderStatus = "delivered"
	OrderConfirmed        OrderStatus = "confirmed"
	OrderPartiallyClaimed OrderStatus = "partially_claimed"
	OrderCanceled         OrderStatus = "canceled"
)

// ItemStatus is the state of an item. Operators may move an item backwards: store what arrives.
type ItemStatus string

// The states of an item. Confirmed, canceled, returned and exchanged are final.
const (
	ItemPaid      ItemStatus = "paid"
	ItemPreparing ItemStatus = "preparing"
	ItemShipping  ItemStatus = "shipping"
	ItemDelivered ItemStatus = "delivered"
	ItemConfirmed ItemStatus = "confirmed"
	ItemCanceled  ItemStatus = "canceled"
	ItemReturned  ItemStatus = "returned"
	ItemExchanged ItemStatus = "exchanged"
)

// ClaimType is what a customer asks for.
type ClaimType string

// The types of claims.
const (
	ClaimCancel   ClaimType = "cancel"
	ClaimReturn   ClaimType = "return"
	ClaimExchange ClaimType = "exchange"
)

// ClaimStatus is the state of a claim.
type ClaimStatus string

// The states of a claim. Completed, rejected, withdrawn, expired and converted_to_return are final.
const (
	ClaimPaymentPending    ClaimStatus = "payment_pending"
	ClaimRequested         ClaimStatus = "requested"
	ClaimApproved          ClaimStatus = "approved"
	ClaimCollecting        ClaimStatus = "collecting"
	ClaimCollected         ClaimStatus = "collected"
	ClaimInspecting        ClaimStatus = "inspecting"
	ClaimReshipping        ClaimStatus = "reshipping"
	ClaimRefundProcessing  ClaimStatus = "refund_processing"
	ClaimCompleted         ClaimStatus = "completed"
	ClaimRejected          ClaimStatus = "rejected"
	ClaimWithdrawn         ClaimStatus = "withdrawn"
	ClaimExpired           ClaimStatus = "expired"
	ClaimConvertedToReturn ClaimStatus = "converted_to_return"
)

// ClaimAction is what a seller can do with a claim: the last part of the path of an action.
type ClaimAction string

// The actions on claims.
const (
	ActionApprove     ClaimAction = "approve"
	ActionReject      ClaimAction = "reject"
	ActionPickup      ClaimAction = "pickup"
	ActionCollectDone ClaimAction = "collect-done"
	ActionInspect     ClaimAction = "inspect"
	ActionReship      ClaimAction = "reship"
)

// ChangedBy is who caused an event of a history.
type ChangedBy string

// Who causes events.
const (
	BySeller   ChangedBy = "seller"
	ByCustomer ChangedBy = "customer"
	ByOperator ChangedBy = "operator"
	BySystem   ChangedBy = "system"
	ByClaim    ChangedBy = "claim"
)

// Fault is who bears the shipping fee of a claim.
type Fault string

// Who bears the fee.
const (
	FaultBuyer  Fault = "buyer"
	FaultSeller Fault = "seller"
)

// ReasonCode is why the customer asks.
type ReasonCode string

// The reasons of claims.
const (
	ReasonChangeOfMind    ReasonCode = "change_of_mind"
	ReasonDefective       ReasonCode = "defective"
	ReasonWrongDelivery   ReasonCode = "wrong_delivery"
	ReasonOutOfStock      ReasonCode = "out_of_stock"
	ReasonDelayedBySeller ReasonCode = "delayed_by_seller"
	ReasonEtc             ReasonCode = "etc"
)

// InspectResult is the result of an inspection.
type InspectResult string

// The results of an inspection.
const (
	InspectPass InspectResult = "pass"
	InspectFail InspectResult = "fail"
)

// InquiryStatus is the state of an inquiry.
type InquiryStatus string

// The states of an inquiry.
const (
	InquiryStatusWaiting  InquiryStatus = "waiting"
	InquiryStatusAnswered InquiryStatus = "answered"
)

// InquiryCategory is what an inquiry is about. The marketplace adds categories without notice.
type InquiryCategory string

// The categories of today.
const (
	CategoryProduct      InquiryCategory = "product"
	CategoryDelivery     InquiryCategory = "delivery"
	CategoryReturnRefund InquiryCategory = "return_refund"
	CategoryExchange     InquiryCategory = "exchange"
	CategoryCancel       InquiryCategory = "cancel"
	CategoryEtc          InquiryCategory = "etc"
)

// IdempotencyOutcome is what a call met with its idempotency key.
type IdempotencyOutcome string

// What a call meets with its idempotency key.
const (
	IdempotencyFirst      IdempotencyOutcome = "first"
	IdempotencyReplayed   IdempotencyOutcome = "replayed"
	IdempotencyInProgress IdempotencyOutcome = "in_progress"
	IdempotencyReused     IdempotencyOutcome = "reused"
	IdempotencyGone       IdempotencyOutcome = "gone"
)

// Carrier is the name of a carrier, exactly as the server spells it.
type Carrier string

// The allowed carriers.
const (
	CarrierCJ     Carrier = "CJ대한통운"
	CarrierPost   Carrier = "우체국택배"
	CarrierHanjin Carrier = "한진택배"
	CarrierLotte  Carrier = "롯데택배"
	CarrierLogen  Carrier = "로젠택배"
)

// OrderFilter chooses orders; fields that are zero do not. Both ends of a range belong to it.
type OrderFilter struct {
	// Paid at this time or later.
	PaidAtGte time.Time `query:"paid_at_gte"`
	// Paid at this time or earlier. Earlier than `paid_at_gte` is 422.
	PaidAtLte time.Time `query:"paid_at_lte"`
	// Changed at this time or later. The basis of collecting changes.
	UpdatedAtGte time.Time `query:"updated_at_gte"`
	// Changed at this time or earlier. Earlier than `updated_at_gte` is 422.
	UpdatedAtLte time.Time `query:"updated_at_lte"`
	// Orders whose overall state is this one.
	OrderStatus OrderStatus `query:"order_status"`
	// Orders with at least one item of this seller in this state.
	ItemStatus ItemStatus `query:"item_status"`
	// The order with exactly this number.
	OrderNo string `query:"order_no"`
	// Orders with at least one item of this seller that has not been shipped and whose `ship_by` is this time or earlier.
	ShipByLte time.Time `query:"ship_by_lte"`
	// With `status_changed_at_gte`, `status_changed_at_lte` or both. An item of this seller entered this state, whatever
	// its state is now.
	StatusChangedTo ItemStatus `query:"status_changed_to"`
	// With `status_changed_to` only. An item entered that state at this time or later.
	StatusChangedAtGte time.Time `query:"status_changed_at_gte"`
	// With `status_changed_to` only. An item entered that state at this time or earlier.
	StatusChangedAtLte time.Time `query:"status_changed_at_lte"`
	// Elements on a page.
	Limit int `query:"limit"`
	// `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`.
	Cursor string `query:"cursor"`
	// Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on changes are returned,
	// those at that time included; or `after` of an answer, unchanged. It takes no filter and no `cursor`, only `limit`.
	After string `query:"after"`
	// Seconds to wait for the next change, only with `after`. With something newer the answer comes at once; else as soon
	// as something of the seller changes, or as an empty page with the same position when the time is over. A second call
	// of the key for the same list ends the first. The header `X-Wait: 0` says that the call did not wait, because too many
	// do.
	Wait int `query:"wait"`
}

// OrderList is one page of orders.
type OrderList = Page[Order]

// ClaimFilter chooses claims; fields that are zero do not. Both ends of a range belong to it.
type ClaimFilter struct {
	// Claims of this type.
	Type ClaimType `query:"type"`
	// Claims in exactly this state.
	Status ClaimStatus `query:"status"`
	// Requested at this time or later.
	RequestedAtGte time.Time `query:"requested_at_gte"`
	// Requested at this time or earlier. Earlier than `requested_at_gte` is 422.
	RequestedAtLte time.Time `query:"requested_at_lte"`
	// Changed at this time or later. The basis of collecting changes.
	UpdatedAtGte time.Time `query:"updated_at_gte"`
	// Changed at this time or earlier. Earlier than `updated_at_gte` is 422.
	UpdatedAtLte time.Time `query:"updated_at_lte"`
	// Elements on a page.
	Limit int `query:"limit"`
	// `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`.
	Cursor string `query:"cursor"`
	// Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on changes are returned,
	// those at that time included; or `after` of an answer, unchanged. It takes no filter and no `cursor`, only `limit`.
	After string `query:"after"`
	// Seconds to wait for the next change, only with `after`. With something newer the answer comes at once; else as soon
	// as something of the seller changes, or as an empty page with the same position when the time is over. A second call
	// of the key for the same list ends the first. The header `X-Wait: 0` says that the call did not wait, because too many
	// do.
	Wait int `query:"wait"`
}

// ClaimList is one page of claims.
type ClaimList = Page[Claim]

// InquiryFilter chooses inquiries; fields that are zero do not. Both ends of a range belong to it.
type InquiryFilter struct {
	// Inquiries in this state.
	Status InquiryStatus `query:"status"`
	// Changed at this time or later. The basis of collecting changes.
	UpdatedAtGte time.Time `query:"updated_at_gte"`
	// Changed at this time or earlier. Earlier than `updated_at_gte` is 422.
	UpdatedAtLte time.Time `query:"updated_at_lte"`
	// Elements on a page.
	Limit int `query:"limit"`
	// `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`.
	Cursor string `query:"cursor"`
	// Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on changes are returned,
	// those at that time included; or `after` of an answer, unchanged. It takes no filter and no `cursor`, only `limit`.
	After string `query:"after"`
	// Seconds to wait for the next change, only with `after`. With something newer the answer comes at once; else as soon
	// as something of the seller changes, or as an empty page with the same position when the time is over. A second call
	// of the key for the same list ends the first. The header `X-Wait: 0` says that the call did not wait, because too many
	// do.
	Wait int `query:"wait"`
}

// InquiryList is one page of inquiries.
type InquiryList = Page[Inquiry]

// LoggedRequestFilter chooses requests; fields that are zero do not. Both ends of a range belong to it.
type LoggedRequestFilter struct {
	// Arrived at this time or later.
	RequestedAtGte time.Time `query:"requested_at_gte"`
	// Arrived at this time or earlier. Earlier than `requested_at_gte` is 422.
	RequestedAtLte time.Time `query:"requested_at_lte"`
	// Calls with the key that begins with these 12 characters. Never send a whole key here.
	Key string `query:"key"`
	// Calls of this operation, an `operationId` of this document. Anything else is 422.
	Operation string `query:"operation"`
	// Calls that were refused with this code of the error table. Anything else is 422.
	ErrorCode string `query:"error_code"`
	// Calls with this `X-Request-Id`.
	RequestID string `query:"request_id"`
	// Calls whose path names this order, claim or inquiry.
	Record string `query:"record"`
	// Elements on a page.
	Limit int `query:"limit"`
	// `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`.
	Cursor string `query:"cursor"`
}

// LoggedRequestList is one page of requests.
type LoggedRequestList = Page[LoggedRequest]

// ErrorData is what a client can act on. `request_id` and `doc_url` are always there; every other member comes with the
// codes that it names.
type ErrorData struct {
	// The value of `X-Request-Id`. Quote it when you report a problem.
	RequestID string `json:"request_id"`
	// The page about the code, on the host that answered: what happened and what to do. For failures without a code it is
	// the page of the HTTP status.
	DocURL string `json:"doc_url"`
	// `VALIDATION_ERROR`: everything that is wrong, at most the first hundred problems.
	Errors []FieldError `json:"errors,omitempty"`
	// `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: the items concerned, all of them this seller's
	// or unknown.
	Items []ItemProblem `json:"items,omitempty"`
	// `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: state of the claim. `QNA_ALREADY_ANSWERED`:
	// state of the inquiry.
	Status string `json:"status,omitempty"`
	// `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: what can be newly done with the claim.
	AvailableActions []ClaimAction `json:"available_actions,omitempty"`
	// `INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way, where it is known;
	// `frozen`: an operator has stopped the claim.
	Reason string `json:"reason,omitempty"`
	// `CLAIM_NOT_…` with the reason `frozen`: why the operator has stopped the claim, `dispute`, `fraud_check`,
	// `payment_check` or `other`.
	Code string `json:"code,omitempty"`
	// `SHIPMENT_INPUT_INVALID`: the member of the body that has control characters.
	Field string `json:"field,omitempty"`
	// `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names.
	Allowed []string `json:"allowed,omitempty"`
	// `SCOPE_FORBIDDEN`: the scope that the key lacks.
	RequiredScope string `json:"required_scope,omitempty"`
	// `RATE_LIMITED`: the limit that is used up.
	Limit string `json:"limit,omitempty"`
	// `RATE_LIMITED`: how much that limit allows.
	Max int64 `json:"max,omitempty"`
	// `RATE_LIMITED`: in how many seconds.
	WindowSeconds int64 `json:"window_seconds,omitempty"`
	// `RATE_LIMITED`: seconds to wait, as in `Retry-After`.
	RetryAfter int64 `json:"retry_after,omitempty"`
	// `QNA_ALREADY_ANSWERED`: when the answer that stands was given.
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
	// Body too large (413): what is allowed.
	MaxBytes int64 `json:"max_bytes,omitempty"`
	// Addition. Body not JSON (415): the `Content-Type` that was sent, at most its first 100 characters.
	ContentType string `json:"content_type,omitempty"`
	// Addition. Body compressed (415): the `Content-Encoding` that was sent, at most its first 100 characters.
	ContentEncoding string `json:"content_encoding,omitempty"`
}

// FieldError is one thing that is wrong with a request.
type FieldError struct {
	// Where, for instance `items[3].tracking_no` or `query.limit`. `body` and `query` stand for the whole.
	Field string `json:"field"`
	// What.
	Code string `json:"code"`
	// A text for people.
	Message string `json:"message"`
	// The allowed values, where there is a list of them.
	Allowed []string `json:"allowed,omitempty"`
}

// ItemProblem is an item that stands in the way.
type ItemProblem struct {
	// As sent.
	ItemID string `json:"item_id"`
	// Its state. Absent for `ORDER_ITEM_NOT_FOUND`.
	ItemStatus ItemStatus `json:"item_status,omitempty"`
	// `SHIPMENT_STATE_CONFLICT`: the carrier that is stored.
	CarrierName string `json:"carrier_name,omitempty"`
	// `SHIPMENT_STATE_CONFLICT`: the tracking number that is stored.
	TrackingNo string `json:"tracking_no,omitempty"`
	// `SHIPMENT_STATE_CONFLICT`: the forwarding agent that is stored, null if none.
	LogisticsCompany *string `json:"logistics_company,omitempty"`
}

// Order is a paid order as one seller sees it. `items` and the `seller_…` amounts cover this seller's items only, also
// when the order has items of others. The names, phone numbers and the address become null when the customer leaves the
// marketplace.
type Order struct {
	// Number of the order; identifies it.
	OrderNo string `json:"order_no"`
	// State of the whole order, over the items of all sellers. Do not base work on it.
	OrderStatus OrderStatus `json:"order_status"`
	// When it was paid.
	PaidAt time.Time `json:"paid_at"`
	// Moves whenever the order, an item, a shipment or a claim changes.
	UpdatedAt time.Time `json:"updated_at"`
	// Currency code.
	Currency string `json:"currency"`
	// Sum of `line_amount`.
	SellerItemsAmount int64 `json:"seller_items_amount"`
	// Sum of `discount_amount`.
	SellerDiscountAmount int64 `json:"seller_discount_amount"`
	// Points that the customer used on this seller's items.
	SellerPointUsedAmount int64 `json:"seller_point_used_amount"`
	// Sum of `line_paid_amount`, without shipping.
	SellerPaidAmount int64 `json:"seller_paid_amount"`
	// Shipping fee before any reduction.
	SellerShippingFeeBase int64 `json:"seller_shipping_fee_base"`
	// Shipping fee that the customer paid.
	SellerShippingFeePaid int64 `json:"seller_shipping_fee_paid"`
	// Who ordered.
	OrdererName *string `json:"orderer_name"`
	// Phone number of the one who ordered.
	OrdererPhone *string `json:"orderer_phone"`
	// Who receives.
	RecipientName *string `json:"recipient_name"`
	// Phone number of the one who receives the parcel.
	RecipientPhone *string `json:"recipient_phone"`
	// Postal code.
	Zipcode *string `json:"zipcode"`
	// Address.
	Address1 *string `json:"address1"`
	// Rest of the address. Absent when there is none.
	Address2 *string `json:"address2,omitempty"`
	// The customer's wish for the delivery. Absent when there is none.
	ShipMemo *string `json:"ship_memo,omitempty"`
	// This seller's items, by `item_code`.
	Items []OrderItem `json:"items"`
	// The state of the order over this seller's items only.
	SellerOrderStatus OrderStatus `json:"seller_order_status"`
}

// OrderItem is one line of an order. A claim may concern a part of its quantity. When such a claim completes, the line
// is split: the claimed part becomes a new line with a new `item_id`, the next free `item_code` and a final state; the
// rest keeps both and goes on. Amounts are divided so that their sums stay exact. Until everything of a line is
// claimed, what remains of it is the line under its code that has no final state; its quantity and those of the
// completed claims with its `item_code` add up to what was bought. The claim that takes the last piece ends the line
// itself: then nothing remains.
type OrderItem struct {
	// Identifies the line for good; the value for `item_ids`.
	ItemID string `json:"item_id"`
	// Code of the line, `{order_no}-{NN}`.
	ItemCode string `json:"item_code"`
	// Name of the product.
	ProductName string `json:"product_name"`
	// Name of the option.
	OptionName string `json:"option_name"`
	// Number of pieces.
	Quantity int64 `json:"quantity"`
	// Price before any reduction, of one piece.
	ListPrice int64 `json:"list_price"`
	// Selling price of one piece. That of the wanted option, for a line that an exchange created.
	UnitPrice int64 `json:"unit_price"`
	// Selling price of the line.
	LineAmount int64 `json:"line_amount"`
	// Discount on the line. A line that an exchange created keeps that of the goods that it replaces, but no more than its
	// `line_amount`; what exceeds it lapses.
	DiscountAmount int64 `json:"discount_amount"`
	// What was paid for the line: `line_amount` - `discount_amount`. For a line that an exchange created this is what was
	// paid for the goods that it replaces, plus the `price_difference`.
	LinePaidAmount int64      `json:"line_paid_amount"`
	ItemStatus     ItemStatus `json:"item_status"`
	// The line was created by an exchange. Never changes.
	IsExchange bool `json:"is_exchange"`
	// A cancel, return or exchange is in progress on the line.
	HasActiveClaim bool `json:"has_active_claim"`
	// Carrier of the parcel. Null in `paid` and `preparing`.
	CarrierName *string `json:"carrier_name"`
	// Tracking number as the server normalised it. Null in `paid` and `preparing`.
	TrackingNo *string `json:"tracking_no"`
	// Forwarding agent given with the shipment. Set in `shipping`, `delivered` and `confirmed` only.
	LogisticsCompany *string `json:"logistics_company"`
	// Null before `shipping`.
	ShippedAt *time.Time `json:"shipped_at"`
	// Null before `delivered`.
	DeliveredAt *time.Time `json:"delivered_at"`
	// Set in `confirmed` only.
	ConfirmedAt *time.Time `json:"confirmed_at"`
	// When the purchase will be confirmed by itself. Null outside `delivered` and while a claim is in progress.
	AutoConfirmAt *time.Time `json:"auto_confirm_at"`
	// The line that this one was split off from, or that it stands in for when an exchange created it (since the exchange
	// completed, the line that carries the exchanged quantity). Null otherwise.
	OriginItemID *string `json:"origin_item_id"`
	// The claim whose completion split this line off; null when it was not split off.
	SplitFromClaimNo *string `json:"split_from_claim_no"`
	// The exchange that created this line; null when none did.
	ExchangeClaimNo *string `json:"exchange_claim_no"`
	// By when the line should be shipped, as the marketplace says; it may move. Null when there is no such time, and
	// outside `paid` and `preparing`. The interface enforces nothing.
	ShipBy *time.Time `json:"ship_by"`
	// Doubts about `tracking_no`. Only in `shipping`, and absent when there are none.
	Warnings []Warning `json:"warnings,omitempty"`
}

// ItemsRequest is items of an order.
type ItemsRequest struct {
	// Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order or seller gives 404
	// `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty text gives 422.
	ItemIDs []string `json:"item_ids"`
}

// ShipmentRequest is one parcel of an order.
type ShipmentRequest struct {
	// Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order or seller gives 404
	// `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty text gives 422.
	ItemIDs []string `json:"item_ids"`
	// Exactly one of the five names. Anything else, also an empty text, gives `SHIPMENT_CARRIER_NOT_ALLOWED`.
	CarrierName Carrier `json:"carrier_name"`
	// As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives `SHIPMENT_FIELDS_REQUIRED`,
	// control characters `SHIPMENT_INPUT_INVALID`.
	TrackingNo string `json:"tracking_no"`
	// Name of a forwarding agent. Absent and null are the same; an empty text is a value of its own.
	LogisticsCompany *string `json:"logistics_company,omitempty"`
}

// BatchShipmentRequest is up to 500 parcels.
type BatchShipmentRequest struct {
	// The parcels, each for one order.
	Items []BatchShipmentEntry `json:"items"`
}

// BatchShipmentEntry is one parcel of one order. It succeeds or fails as a whole.
type BatchShipmentEntry struct {
	// The order.
	OrderNo string `json:"order_no"`
	// Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order or seller gives 404
	// `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty text gives 422.
	ItemIDs []string `json:"item_ids"`
	// Exactly one of the five names. Anything else, also an empty text, gives `SHIPMENT_CARRIER_NOT_ALLOWED`.
	CarrierName Carrier `json:"carrier_name"`
	// As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives `SHIPMENT_FIELDS_REQUIRED`,
	// control characters `SHIPMENT_INPUT_INVALID`.
	TrackingNo string `json:"tracking_no"`
	// Name of a forwarding agent. Absent and null are the same; an empty text is a value of its own.
	LogisticsCompany *string `json:"logistics_company,omitempty"`
}

// OrderHistory is what happened to a seller's items of an order.
type OrderHistory struct {
	// The order.
	OrderNo string `json:"order_no"`
	// In chronological order.
	Events []OrderEvent `json:"events"`
}

// OrderEvent is an event. `changed_at`, `event`, `changed_by` and `item_ids` are always there; every other member comes
// with the events that it names.
type OrderEvent struct {
	ChangedAt time.Time `json:"changed_at"`
	// `status`: the items entered a state. `parcel`: they were put into a parcel, the first one or another. `hold`: a claim
	// holds them from now on. `hold_end`: it holds them no longer. `split`: a claim on a part of an item split that part
	// off.
	Event     string    `json:"event"`
	ChangedBy ChangedBy `json:"changed_by"`
	// The first 12 characters of the key of yours that was used. Only where `changed_by` is `seller`.
	KeyPrefix string `json:"key_prefix,omitempty"`
	// The items.
	ItemIDs []string `json:"item_ids"`
	// `status`: the state.
	ItemStatus ItemStatus `json:"item_status,omitempty"`
	// `parcel`: its carrier.
	CarrierName string `json:"carrier_name,omitempty"`
	// `parcel`: its tracking number.
	TrackingNo string `json:"tracking_no,omitempty"`
	// `parcel`: the forwarding agent, if one was given.
	LogisticsCompany string `json:"logistics_company,omitempty"`
	// `hold`, `hold_end`, `split`: the claim.
	ClaimNo string `json:"claim_no,omitempty"`
	// `hold_end`: `released` when the claim ended without effect, `settled` when it completed, `converted` when a return
	// holds the items now.
	Outcome string `json:"outcome,omitempty"`
	// `split`: the item that the part was split off from.
	OriginItemID string `json:"origin_item_id,omitempty"`
	// `split`: the pieces of the part.
	Quantity int64 `json:"quantity,omitempty"`
}

// PreparationResult is what tells the items that are in `preparing`, now or before.
type PreparationResult struct {
	// The order.
	OrderNo     string      `json:"order_no"`
	OrderStatus OrderStatus `json:"order_status"`
	UpdatedAt   time.Time   `json:"updated_at"`
	// The items that were sent, in their new state.
	Items []PreparedItem `json:"items"`
}

// PreparedItem is an item that is in the wanted state.
type PreparedItem struct {
	// The item, by the id that never changes.
	ItemID string `json:"item_id"`
	// The item, by its code.
	ItemCode   string     `json:"item_code"`
	ItemStatus ItemStatus `json:"item_status"`
	// The item was in the wanted state before this call.
	AlreadyDone bool `json:"already_done"`
}

// ShipmentResult is what tells the items that have this shipment, now or before.
type ShipmentResult struct {
	// The order.
	OrderNo     string      `json:"order_no"`
	OrderStatus OrderStatus `json:"order_status"`
	UpdatedAt   time.Time   `json:"updated_at"`
	// The items that were sent, with their parcel.
	Items []ShippedItem `json:"items"`
	// Doubts about a tracking number that was accepted all the same, because carriers change their numbers. Absent when
	// there are none.
	Warnings []Warning `json:"warnings,omitempty"`
}

// DeliveryResult is what tells the items that are delivered, now or before.
type DeliveryResult struct {
	// The order.
	OrderNo     string      `json:"order_no"`
	OrderStatus OrderStatus `json:"order_status"`
	UpdatedAt   time.Time   `json:"updated_at"`
	// The items that were sent, with their parcel.
	Items []ShippedItem `json:"items"`
}

// ShippedItem is an item that has its shipment.
type ShippedItem struct {
	// The item, by the id that never changes.
	ItemID string `json:"item_id"`
	// The item, by its code.
	ItemCode   string     `json:"item_code"`
	ItemStatus ItemStatus `json:"item_status"`
	// The item was in the wanted state before this call.
	AlreadyDone bool `json:"already_done"`
	// Tracking number as the server normalised it.
	TrackingNo string `json:"tracking_no"`
	// Carrier of the parcel.
	CarrierName Carrier `json:"carrier_name"`
}

// Warning is a doubt about a tracking number.
type Warning struct {
	// Where: `tracking_no`, or `items[3].tracking_no` in the request of a batch.
	Field string `json:"field"`
	// The kind of warning.
	Code string `json:"code"`
	// `not_digits`: this carrier's numbers consist of digits. `length`: they have other lengths. `check_digit`: the last
	// digit does not fit the others, so the number is probably mistyped.
	Reason string `json:"reason"`
	// A text for people.
	Message string `json:"message"`
}

// BatchShipmentResult is what became of the parcels of a batch.
type BatchShipmentResult struct {
	// Ids of the items that have their shipment, now or before, each once however many entries name it.
	Succeeded []string `json:"succeeded"`
	// The entries that failed.
	Failed  []FailedEntry `json:"failed"`
	Summary BatchSummary  `json:"summary"`
	// Doubts about a tracking number that was accepted all the same, because carriers change their numbers. Absent when
	// there are none.
	Warnings []Warning `json:"warnings,omitempty"`
}

// FailedEntry is a parcel of a batch that was refused.
type FailedEntry struct {
	// As sent.
	OrderNo string `json:"order_no"`
	// The entry's item ids, cut to 64 characters where they are longer; empty when the order was not found.
	OrderItemPublicIDs []string `json:"order_item_public_ids"`
	// The code that the shipment of this order alone would be refused with, or `ORDER_BATCH_ERROR`.
	ErrorCode Code `json:"error_code"`
	// A text for people. Never branch on it.
	Message string `json:"message"`
	// Where the entry stands in `items` of the request, counted from 0.
	Index     int64          `json:"index"`
	ErrorData EntryErrorData `json:"error_data"`
}

// EntryErrorData is what the single shipment is refused with in `error_data`. `doc_url` is always there; every other
// member comes with the codes that it names.
type EntryErrorData struct {
	// The page about the code, on the host that answered.
	DocURL string `json:"doc_url"`
	// `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: the items concerned.
	Items []ItemProblem `json:"items,omitempty"`
	// `SHIPMENT_INPUT_INVALID`: the member of the entry that has control characters.
	Field *string `json:"field,omitempty"`
	// `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names.
	Allowed []string `json:"allowed,omitempty"`
}

// BatchSummary is counts of items, not of orders. An item that several entries name is decided by each in turn and
// counts once in each sum: one that an entry shipped and another wanted in a different parcel counts in both.
type BatchSummary struct {
	// Number of ids in `succeeded`.
	Succeeded int64 `json:"succeeded"`
	// The different ids sent in entries that failed, also when the order was not found.
	Failed int64 `json:"failed"`
}

// ClaimHistory is what happened to a claim.
type ClaimHistory struct {
	// The claim.
	ClaimNo string `json:"claim_no"`
	// The order.
	OrderNo string `json:"order_no"`
	// In chronological order.
	Events []ClaimEvent `json:"events"`
}

// ClaimEvent is an event. `changed_at`, `event` and `changed_by` are always there; every other member comes with the
// events that it names.
type ClaimEvent struct {
	ChangedAt time.Time `json:"changed_at"`
	// `status`: the claim entered a status. `parcel`: the collection or the reshipment got its parcel. `refund`: a refund
	// took a step.
	Event     string    `json:"event"`
	ChangedBy ChangedBy `json:"changed_by"`
	// The first 12 characters of the key of yours that was used. Only where `changed_by` is `seller`.
	KeyPrefix string `json:"key_prefix,omitempty"`
	// `status`: the status.
	Status ClaimStatus `json:"status,omitempty"`
	// `parcel`: that of the collection (`collect`) or of the reshipment (`reship`).
	Parcel string `json:"parcel,omitempty"`
	// `parcel`: its carrier.
	CarrierName string `json:"carrier_name,omitempty"`
	// `parcel`: its tracking number.
	TrackingNo string `json:"tracking_no,omitempty"`
	// `refund`: that of the claim (`refund`), or of what the customer paid in advance (`shortfall_return`).
	Refund string `json:"refund,omitempty"`
	// `refund`: `queued`, `sent` to the payment provider, `awaiting_account` of the customer, `retrying` after a failure,
	// `manual` when an operator sees to it, `succeeded`.
	RefundStatus string `json:"refund_status,omitempty"`
	// `refund`: money and points together.
	Amount int64 `json:"amount,omitempty"`
}

// Claim is a cancel, return or exchange. It holds no data of the recipient. What is not known yet is null.
type Claim struct {
	// Number of the claim; identifies it.
	ClaimNo string `json:"claim_no"`
	// The order that the claim belongs to.
	OrderNo string `json:"order_no"`
	// What the customer asks for.
	Type   ClaimType   `json:"type"`
	Status ClaimStatus `json:"status"`
	// What can be newly done now: the last part of the path of an action. Follows from type and status alone, so a claim
	// that an operator has frozen shows the same. Empty when there is nothing; repeating what was done still answers 200.
	AvailableActions []ClaimAction `json:"available_actions"`
	// Who bears the shipping fee; follows from `reason_code`.
	Fault Fault `json:"fault"`
	// Why the customer asks.
	ReasonCode ReasonCode `json:"reason_code"`
	// What the customer gets back in the end, in money and in points, fees deducted. Null before it is fixed, or when
	// nothing is refunded.
	RefundAmount *int64 `json:"refund_amount"`
	// Fee of the return or exchange. Deducted from the refund when `fault` is `buyer`, 0 when it is `seller`. Null for a
	// claim that ended as `rejected`, `withdrawn`, `expired` or `converted_to_return`: nothing was charged, or the return
	// gives it back. The return in the place of an exchange charges no more than its refund can pay.
	ClaimShippingFee *int64 `json:"claim_shipping_fee"`
	// Exchange: positive, the customer paid so much more; negative, the customer gets so much back, at most what was paid
	// for the goods. 0 otherwise.
	PriceDifference *int64    `json:"price_difference"`
	RequestedAt     time.Time `json:"requested_at"`
	// When the claim ended, in whatever way.
	CompletedAt *time.Time `json:"completed_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
	// Carrier of the returned goods, after `pickup`.
	CollectCarrierName *string `json:"collect_carrier_name"`
	// Tracking number of the returned goods, after `pickup`.
	CollectTrackingNo *string `json:"collect_tracking_no"`
	// `pass` or `fail`. Tells a rejection by inspection (`fail`) from an explicit one (null).
	InspectResult *InspectResult `json:"inspect_result"`
	// Carrier of the exchanged goods, after `reship`.
	ReshipCarrierName *string `json:"reship_carrier_name"`
	// Tracking number of the exchanged goods, after `reship`.
	ReshipTrackingNo *string `json:"reship_tracking_no"`
	// The claimed items.
	Items []ClaimItem `json:"items"`
	// Return in `collected`: when it counts as passed if nobody inspects. Null otherwise, also while an operator has frozen
	// the claim; later by the duration of the freeze afterwards.
	InspectionDueAt *time.Time `json:"inspection_due_at"`
	// `payment_pending`: when the claim expires if the customer does not pay. Null otherwise, also while an operator has
	// frozen the claim; later by the duration of the freeze afterwards.
	PaymentDueAt *time.Time `json:"payment_due_at"`
	// In answers to actions only: whether the action had been performed, or begun, before the call, so that the call
	// changed nothing. A replayed answer says what was said first.
	AlreadyDone *bool `json:"already_done,omitempty"`
	// What `refund_amount` consists of; null as long as that is null.
	RefundBreakdown *RefundBreakdown `json:"refund_breakdown"`
}

// RefundBreakdown is what a refund consists of: `goods` + `shipping` - `fee` - `price_difference` = `refund_amount` =
// `money` + `points`.
type RefundBreakdown struct {
	// What was paid for the goods that came back; 0 for an exchange.
	Goods int64 `json:"goods"`
	// What the customer had paid for shipping the order, with the claim that completes the undoing of your part of it.
	Shipping int64 `json:"shipping"`
	// What of `claim_shipping_fee` is deducted from this refund; not what the customer paid before. What an exchange
	// deducted before it became a return, the return gives back.
	Fee int64 `json:"fee"`
	// Exchange: as in the claim, negative. Return that took the place of an exchange: what the exchange has refunded. 0
	// otherwise.
	PriceDifference int64 `json:"price_difference"`
	// What the customer gets back in points, for what was paid with points. Fees are deducted from money first.
	Points int64 `json:"points"`
	// What the customer gets back in money.
	Money int64 `json:"money"`
}

// ClaimItem is the claimed quantity of one line. `item_code` always names the line that was claimed. `item_id` names
// the line that carries the claimed quantity: after a split, the new one. So the two may belong to different lines of
// the order.
type ClaimItem struct {
	// The item, by its code.
	ItemCode string `json:"item_code"`
	// The item, by the id that never changes.
	ItemID string `json:"item_id"`
	// Number of pieces that the claim is about.
	Quantity int64 `json:"quantity"`
	// Name of the product.
	ProductName string `json:"product_name"`
	// Name of the option.
	OptionName string `json:"option_name"`
	// Exchange: the option that the customer wants. Null otherwise.
	ExchangeOptionName *string `json:"exchange_option_name"`
}

// RejectRequest is the reason of a rejection.
type RejectRequest struct {
	// Why. One character or more; tabs and line ends (LF or CR LF) are the only control characters allowed.
	Memo string `json:"memo"`
}

// ParcelRequest is a parcel of a claim, on its way back or out again.
type ParcelRequest struct {
	// Exactly one of the five names. Anything else, also an empty text, gives `SHIPMENT_CARRIER_NOT_ALLOWED`.
	CarrierName Carrier `json:"carrier_name"`
	// As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives `SHIPMENT_FIELDS_REQUIRED`,
	// control characters `SHIPMENT_INPUT_INVALID`.
	TrackingNo string `json:"tracking_no"`
}

// InspectRequest is the result of an inspection.
type InspectRequest struct {
	// `pass` accepts the returned goods, `fail` refuses them.
	Result InspectResult `json:"result"`
	// Compulsory with `fail`: absent or null is 422 `VALIDATION_ERROR`, empty or blank 400 `CLAIM_MEMO_REQUIRED`. Stored as
	// well with `pass`. Tabs and line ends (LF or CR LF) are the only control characters allowed.
	Memo string `json:"memo,omitempty"`
}

// Inquiry is a customer's question about a product. Never show a secret one to others than the seller.
type Inquiry struct {
	// Identifies the inquiry.
	QnAID string `json:"qna_id"`
	// The product that the question is about.
	ProductID string `json:"product_id"`
	// Name of the product.
	ProductName string `json:"product_name"`
	// What it is about. The marketplace adds categories without notice.
	Category InquiryCategory `json:"category"`
	// The customer's text, of secret inquiries too.
	Body string `json:"body"`
	// Only the seller and the customer may see it.
	IsSecret bool `json:"is_secret"`
	// The customer's name as the shop shows it.
	MemberDisplayName string        `json:"member_display_name"`
	Status            InquiryStatus `json:"status"`
	// Addresses of the customer's pictures.
	ImageURLs []string  `json:"image_urls"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// The answer that stands; null while the inquiry waits.
	Answer *InquiryAnswer `json:"answer"`
}

// LoggedRequest is a call of the seller and what became of it.
type LoggedRequest struct {
	// When the call arrived.
	RequestedAt time.Time `json:"requested_at"`
	// The `X-Request-Id` of the call, which its client may have chosen.
	RequestID string `json:"request_id"`
	// The first 12 characters of the key.
	Key string `json:"key"`
	// The operation, by its `operationId`.
	Operation string `json:"operation"`
	// The order, claim or inquiry that the path names. Null if the operation has none, and if what the path names was not
	// found and has not the form of a number.
	Record *string `json:"record"`
	// The parameters of the query, as far as they are kept: `…` stands for what may be anything. Null if there were none.
	Query *string `json:"query"`
	// The HTTP status of the answer.
	Status int64 `json:"status"`
	// The code with which the call was refused, of the error table. Null for a success, and for failures without a code. A
	// batch is a success: what became of its entries is not kept.
	ErrorCode *Code `json:"error_code"`
	// What is kept of `error_data` of a refusal; null if that is nothing.
	ErrorData *LoggedErrorData `json:"error_data"`
	// The rows in the answer, as they were charged.
	Rows int64 `json:"rows"`
	// How long the call took, in milliseconds, without the time that it was held by `wait`.
	DurationMs int64 `json:"duration_ms"`
	// What the call met with its `Idempotency-Key`: `first` it was new, `replayed` the first answer was sent again,
	// `in_progress` the first call was not yet answered, `reused` it belonged to another request, `gone` the answer was
	// deleted. Null if the call had none, or was refused before it was looked at.
	Idempotency *IdempotencyOutcome `json:"idempotency"`
}

// LoggedErrorData is the members of `error_data` that are kept: without texts, and without what quotes the request.
// Which there are depends on the code.
type LoggedErrorData struct {
	// `VALIDATION_ERROR`: what is wrong, at most the first ten problems.
	Errors []LoggedProblem `json:"errors,omitempty"`
	// `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: items concerned, at most ten, without their
	// parcels.
	Items []ItemProblem `json:"items,omitempty"`
	// `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: state of the claim. `QNA_ALREADY_ANSWERED`:
	// state of the inquiry.
	Status string `json:"status,omitempty"`
	// `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: what can be newly done with the claim.
	AvailableActions []ClaimAction `json:"available_actions,omitempty"`
	// `INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way, where it is known;
	// `frozen`: an operator has stopped the claim.
	Reason string `json:"reason,omitempty"`
	// `CLAIM_NOT_…` with the reason `frozen`: why the operator has stopped the claim, `dispute`, `fraud_check`,
	// `payment_check` or `other`.
	Code string `json:"code,omitempty"`
	// `SHIPMENT_INPUT_INVALID`: the member of the body that has control characters.
	Field string `json:"field,omitempty"`
	// `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names.
	Allowed []string `json:"allowed,omitempty"`
	// `SCOPE_FORBIDDEN`: the scope that the key lacks.
	RequiredScope string `json:"required_scope,omitempty"`
	// `RATE_LIMITED`: the limit that is used up.
	Limit string `json:"limit,omitempty"`
	// `RATE_LIMITED`: how much that limit allows.
	Max int64 `json:"max,omitempty"`
	// `RATE_LIMITED`: in how many seconds.
	WindowSeconds int64 `json:"window_seconds,omitempty"`
	// `RATE_LIMITED`: seconds to wait, as in `Retry-After`.
	RetryAfter int64 `json:"retry_after,omitempty"`
	// `QNA_ALREADY_ANSWERED`: when the answer that stands was given.
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
	// Body too large (413): what is allowed.
	MaxBytes int64 `json:"max_bytes,omitempty"`
}

// LoggedProblem is one thing that was wrong with a request.
type LoggedProblem struct {
	// Where, for instance `items[3].tracking_no`. `body` and `query` stand for the whole, and for a name that the client
	// chose.
	Field string `json:"field"`
	// What, as in `FieldError`.
	Code string `json:"code"`
	// The allowed values, where there is a short list of them.
	Allowed []string `json:"allowed,omitempty"`
}

// InquiryAnswer is an answer as it was sent.
type InquiryAnswer struct {
	// The answer as it was sent.
	Content    string    `json:"content"`
	AnsweredAt time.Time `json:"answered_at"`
}

// AnswerRequest is an answer to an inquiry.
type AnswerRequest struct {
	// The answer. Not blank; tabs and line ends (LF or CR LF) are the only control characters allowed.
	Content string `json:"content"`
}

// InquiryAnswered is the answer that the inquiry has now.
type InquiryAnswered struct {
	// The inquiry.
	QnAID  string        `json:"qna_id"`
	Status InquiryStatus `json:"status"`
	// The same answer was there before this call.
	Converged  bool          `json:"converged"`
	AnsweredAt time.Time     `json:"answered_at"`
	UpdatedAt  time.Time     `json:"updated_at"`
	Answer     InquiryAnswer `json:"answer"`
}
