package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
)

// history serves GET /open/v1/claims/{claim_no}/history.
func (a *API) history() gin.HandlerFunc {
	return web.HandleDetail(claimNo, apierr.ClaimNotFound, a.Claims.History,
		func(h claim.History, _ apierr.Lang) any { return newHistoryView(&h) })
}

type historyView struct {
	ClaimNo string      `json:"claim_no"`
	OrderNo string      `json:"order_no"`
	Events  []eventView `json:"events"`
}

// eventView has the fields of every event first; the others are absent where the kind of the event has none.
type eventView struct {
	ChangedAt    timestamp.Time     `json:"changed_at"`
	Event        claim.EventKind    `json:"event"`
	ChangedBy    actor.By           `json:"changed_by"`
	KeyPrefix    string             `json:"key_prefix,omitempty"`
	Status       claim.Status       `json:"status,omitempty"`
	Parcel       string             `json:"parcel,omitempty"`
	CarrierName  carrier.Name       `json:"carrier_name,omitempty"`
	TrackingNo   carrier.TrackingNo `json:"tracking_no,omitempty"`
	Refund       claim.RefundKind   `json:"refund,omitempty"`
	RefundStatus claim.RefundStatus `json:"refund_status,omitempty"`
	Amount       *int64             `json:"amount,omitzero"`
}

var changedBy = map[claim.ActorKind]actor.By{
	claim.ByAPI: actor.Seller, claim.ByCustomer: actor.Customer, claim.ByOperator: actor.Operator, claim.ByService: actor.System,
}

// parcels are the names of parcels in the fields of a claim.
var parcels = map[claim.Trigger]string{claim.Pickup: "collect", claim.Reship: "reship"}

func newHistoryView(h *claim.History) historyView {
	view := historyView{ClaimNo: h.No, OrderNo: h.OrderNo, Events: make([]eventView, len(h.Events))}
	for i := range h.Events {
		view.Events[i] = newEventView(&h.Events[i])
	}
	return view
}

func newEventView(e *claim.Event) eventView {
	view := eventView{
		ChangedAt: timestamp.Time(e.At), Event: e.Kind, ChangedBy: changedBy[e.By], KeyPrefix: e.KeyPrefix, Status: e.Status,
		Parcel: parcels[e.Parcel], CarrierName: e.Carrier, TrackingNo: e.TrackingNo, Refund: e.Refund, RefundStatus: e.RefundStatus,
	}
	if e.Kind == claim.EventRefund {
		view.Amount = &e.Amount
	}
	return view
}
