package rest

import (
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// history implements GET /open/v1/orders/{order_no}/history.
func (a *API) history() gin.HandlerFunc {
	return web.HandleDetail("order_no", apierr.OrderNotFound, a.Orders.History,
		func(h *order.History, _ apierr.Lang) any { return newHistoryView(h) })
}

type historyView struct {
	OrderNo string      `json:"order_no"`
	Events  []eventView `json:"events"`
}

// eventView has the fields of every event first; the others are absent where the kind of the event has none.
type eventView struct {
	ChangedAt        timestamp.Time  `json:"changed_at"`
	Event            order.EventKind `json:"event"`
	ChangedBy        string          `json:"changed_by"`
	KeyPrefix        string          `json:"key_prefix,omitempty"`
	ItemIDs          []uuid.UUID     `json:"item_ids"`
	ItemStatus       order.State     `json:"item_status,omitempty"`
	CarrierName      string          `json:"carrier_name,omitempty"`
	TrackingNo       string          `json:"tracking_no,omitempty"`
	LogisticsCompany *string         `json:"logistics_company,omitzero"`
	ClaimNo          string          `json:"claim_no,omitempty"`
	Outcome          order.HoldState `json:"outcome,omitempty"`
	OriginItemID     *uuid.UUID      `json:"origin_item_id,omitzero"`
	Quantity         int64           `json:"quantity,omitzero"`
}

func newHistoryView(h *order.History) historyView {
	view := historyView{OrderNo: h.OrderNo, Events: make([]eventView, len(h.Events))}
	for i := range h.Events {
		view.Events[i] = newEventView(&h.Events[i])
	}
	return view
}

func newEventView(e *order.Event) eventView {
	view := eventView{
		ChangedAt: timestamp.Time(e.At), Event: e.Kind, ChangedBy: e.ChangedBy, KeyPrefix: e.KeyPrefix, ItemIDs: e.ItemIDs,
		ItemStatus: e.State, CarrierName: e.CarrierName, TrackingNo: e.TrackingNo, LogisticsCompany: e.LogisticsCompany,
		ClaimNo: e.ClaimNo, Outcome: e.HoldState, Quantity: e.Quantity,
	}
	if e.OriginID != uuid.Nil {
		view.OriginItemID = &e.OriginID
	}
	return view
}
