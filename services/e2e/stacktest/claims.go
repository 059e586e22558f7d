package stacktest

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Claim is a claim as the specification describes it to clients, including the due times and the breakdown that this
// implementation adds.
type Claim struct {
	ClaimNo           string      `json:"claim_no"`
	OrderNo           string      `json:"order_no"`
	Type              string      `json:"type"`
	Status            string      `json:"status"`
	AvailableActions  []string    `json:"available_actions"`
	Fault             string      `json:"fault"`
	ReasonCode        string      `json:"reason_code"`
	RefundAmount      *int64      `json:"refund_amount"`
	ClaimShippingFee  *int64      `json:"claim_shipping_fee"`
	PriceDifference   *int64      `json:"price_difference"`
	RequestedAt       string      `json:"requested_at"`
	CompletedAt       *string     `json:"completed_at"`
	UpdatedAt         string      `json:"updated_at"`
	CollectCarrier    *string     `json:"collect_carrier_name"`
	CollectTrackingNo *string     `json:"collect_tracking_no"`
	InspectResult     *string     `json:"inspect_result"`
	ReshipCarrier     *string     `json:"reship_carrier_name"`
	ReshipTrackingNo  *string     `json:"reship_tracking_no"`
	InspectionDueAt   *string     `json:"inspection_due_at"`
	PaymentDueAt      *string     `json:"payment_due_at"`
	RefundBreakdown   *Breakdown  `json:"refund_breakdown"`
	Items             []ClaimItem `json:"items"`
}

// Breakdown is the composition of a refund.
type Breakdown struct {
	Goods           int64 `json:"goods"`
	Shipping        int64 `json:"shipping"`
	Fee             int64 `json:"fee"`
	PriceDifference int64 `json:"price_difference"`
	Points          int64 `json:"points"`
	Money           int64 `json:"money"`
}

// ClaimItem is the claimed quantity of a line.
type ClaimItem struct {
	ItemCode           string  `json:"item_code"`
	ItemID             string  `json:"item_id"`
	Quantity           int64   `json:"quantity"`
	ProductName        string  `json:"product_name"`
	OptionName         string  `json:"option_name"`
	ExchangeOptionName *string `json:"exchange_option_name"`
}

// The types of claims.
const (
	Cancel   = "cancel"
	Return   = "return"
	Exchange = "exchange"
)

// claimable holds, by type of claim, a state in which lines can be claimed.
var claimable = map[string]string{Cancel: "paid", Return: "delivered", Exchange: "delivered"}

// Claimable brings the first seller's lines to a state in which a claim of the type can be requested.
func Claimable(kind string) OrderOption { return InState(claimable[kind]) }

// ClaimOption changes a request before it is sent.
type ClaimOption func(*claimsv1.RequestClaimRequest)

// NewClaim returns a request that claims all pieces of all lines of an order's first seller, for a reason that is the
// seller's fault. An exchange asks for another option at the same price.
func NewClaim(kind string, order *ordersv1.Order, options ...ClaimOption) *claimsv1.RequestClaimRequest {
	part := order.GetSellers()[0]
	request := &claimsv1.RequestClaimRequest{
		ClaimNo: NewClaimNo(), SellerId: part.GetSellerId(), OrderNo: order.GetOrderNo(), Type: kind, ReasonCode: "defective",
	}
	for _, line := range part.GetLines() {
		item := &claimsv1.ClaimItem{ItemId: line.GetItemId(), Quantity: line.GetQuantity()}
		if kind == Exchange {
			item.ExchangeOptionName = "화이트 / L"
		}
		request.Items = append(request.Items, item)
	}
	for _, option := range options {
		option(request)
	}
	return request
}

// NewClaimNo returns a new, unique claim number.
func NewClaimNo() string { return "C" + strings.ToUpper(strings.ReplaceAll(uuid.NewString(), "-", "")) }

// Because sets the reason, which determines whose fault it is.
func Because(reason string) ClaimOption {
	return func(r *claimsv1.RequestClaimRequest) { r.ReasonCode = reason }
}

// AskedAt sets the time at which the customer requested the claim, for claims that are reported late.
func AskedAt(at time.Time) ClaimOption {
	return func(r *claimsv1.RequestClaimRequest) { r.RequestedAt = timestamppb.New(at) }
}

// Pieces claims n pieces of each line.
func Pieces(n int64) ClaimOption {
	return func(r *claimsv1.RequestClaimRequest) {
		for _, item := range r.GetItems() {
			item.Quantity = n
		}
	}
}

// OnlyLines claims only the lines with these ids.
func OnlyLines(ids ...string) ClaimOption {
	return func(r *claimsv1.RequestClaimRequest) {
		var kept []*claimsv1.ClaimItem
		for _, item := range r.GetItems() {
			for _, id := range ids {
				if item.GetItemId() == id {
					kept = append(kept, item)
				}
			}
		}
		r.Items = kept
	}
}

// For sets the option name and unit price for which the goods are exchanged.
func For(optionName string, unitPrice int64) ClaimOption {
	return func(r *claimsv1.RequestClaimRequest) {
		for _, item := range r.GetItems() {
			item.ExchangeOptionName, item.ExchangeUnitPrice = optionName, unitPrice
		}
	}
}
