package rest

import (
	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// claimView is the representation of a claim in every operation. Unset values are null.
type claimView struct {
	ClaimNo           string              `json:"claim_no"`
	OrderNo           string              `json:"order_no"`
	Type              claim.Type          `json:"type"`
	Status            claim.Status        `json:"status"`
	AvailableActions  []claim.Trigger     `json:"available_actions"`
	Fault             claim.Fault         `json:"fault"`
	ReasonCode        claim.Reason        `json:"reason_code"`
	RefundAmount      *int64              `json:"refund_amount"`
	ClaimShippingFee  *int64              `json:"claim_shipping_fee"`
	PriceDifference   *int64              `json:"price_difference"`
	RequestedAt       timestamp.Time      `json:"requested_at"`
	CompletedAt       *timestamp.Time     `json:"completed_at"`
	UpdatedAt         timestamp.Time      `json:"updated_at"`
	CollectCarrier    *carrier.Name       `json:"collect_carrier_name"`
	CollectTrackingNo *carrier.TrackingNo `json:"collect_tracking_no"`
	InspectResult     *claim.Result       `json:"inspect_result"`
	ReshipCarrier     *carrier.Name       `json:"reship_carrier_name"`
	ReshipTrackingNo  *carrier.TrackingNo `json:"reship_tracking_no"`
	// RefundBreakdown is an addition to the interface: the components of the refund.
	RefundBreakdown *breakdownView `json:"refund_breakdown"`
	// The due times are an addition to the interface: when an uninspected return passes, and until when a shortfall can be paid.
	InspectionDueAt *timestamp.Time `json:"inspection_due_at"`
	PaymentDueAt    *timestamp.Time `json:"payment_due_at"`
	Items           []itemView      `json:"items"`
}

// performedView is a claim in the answer to an action.
type performedView struct {
	claimView
	// AlreadyDone, an addition to the interface, is true when the action had been performed before the call.
	AlreadyDone bool `json:"already_done"`
}

// breakdownView lists the components of a refund. goods + shipping - fee - price_difference = refund_amount = money + points.
type breakdownView struct {
	Goods           int64 `json:"goods"`
	Shipping        int64 `json:"shipping"`
	Fee             int64 `json:"fee"`
	PriceDifference int64 `json:"price_difference"`
	Points          int64 `json:"points"`
	Money           int64 `json:"money"`
}

// itemView is the claimed quantity of one line. The code is that of the claimed line; the id is that of the line that carries the
// quantity, which differs after a split.
type itemView struct {
	ItemCode           string    `json:"item_code"`
	ItemID             uuid.UUID `json:"item_id"`
	Quantity           int64     `json:"quantity"`
	ProductName        string    `json:"product_name"`
	OptionName         string    `json:"option_name"`
	ExchangeOptionName *string   `json:"exchange_option_name"`
}

// viewClaims converts a page to list elements.
func viewClaims(rows []store.Listed) []claimView {
	views := make([]claimView, 0, len(rows))
	for i := range rows {
		views = append(views, viewClaim(&rows[i].Claim))
	}
	return views
}

// viewClaim converts a claim to its view for the seller. Fee and price difference are set from the request on.
func viewClaim(c *claim.Claim) claimView {
	view := claimView{
		ClaimNo: c.No, OrderNo: c.OrderNo, Type: c.Type, Status: c.Status, AvailableActions: c.AvailableActions(),
		Fault: c.Fault(), ReasonCode: c.Reason,
		RefundAmount: c.Money.Refund, ClaimShippingFee: c.ChargedFee(), PriceDifference: &c.Money.Difference,
		RefundBreakdown: (*breakdownView)(c.Breakdown()),
		RequestedAt:     timestamp.Time(c.RequestedAt), CompletedAt: timestamp.Pointer(c.CompletedAt), UpdatedAt: timestamp.Time(c.UpdatedAt),
		InspectionDueAt: timestamp.Pointer(c.InspectionDueAt), PaymentDueAt: timestamp.Pointer(c.PaymentDueAt),
		Items: make([]itemView, 0, len(c.Items)),
	}
	if pickup := c.Performed.Done(claim.Pickup); pickup != nil {
		view.CollectCarrier, view.CollectTrackingNo = &pickup.Values.Carrier, &pickup.Values.TrackingNo
	}
	if inspection := c.Performed.Done(claim.Inspect); inspection != nil {
		view.InspectResult = &inspection.Values.Result
	}
	// A reshipment is visible from its registration on, when the new line may not have shipped yet.
	if reship := c.Performed.Of(claim.Reship); reship != nil {
		view.ReshipCarrier, view.ReshipTrackingNo = &reship.Values.Carrier, &reship.Values.TrackingNo
	}
	for i := range c.Items {
		view.Items = append(view.Items, viewItem(&c.Items[i]))
	}
	return view
}

func viewItem(i *claim.Item) itemView {
	view := itemView{
		ItemCode: i.ItemCode, ItemID: i.CurrentItemID(), Quantity: i.Quantity, ProductName: i.ProductName, OptionName: i.OptionName,
	}
	if i.ExchangeOptionName != "" {
		view.ExchangeOptionName = &i.ExchangeOptionName
	}
	return view
}
