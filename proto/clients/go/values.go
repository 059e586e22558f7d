package sellerapi

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

// ClaimAction is something that a seller can do with a claim.
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
