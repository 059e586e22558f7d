package rest

import (
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/store"
)

// itemIDs is what every call says of the items it means. An id that is malformed is not there, whatever it looks like and
// however long it is.
var itemIDs = web.List{Min: 1, Max: 200, Unique: true, Element: invalid.Text{NotEmpty: true}}

// idChars is how much of an id is looked at, in characters: refusals name it and are kept. No id is as long.
const idChars = 64

// readItemIDs reads the items that a call means. What is longer than any id is cut, and stays none.
func readItemIDs(object *web.Object) []string {
	ids := object.Strings("item_ids", itemIDs)
	for i, id := range ids {
		if runes := []rune(id); len(runes) > idChars {
			ids[i] = string(runes[:idChars])
		}
	}
	return ids
}

// readProcess reads what every process call on one order has: the order of the path and the items of the body. What is wrong
// with the body is told before it is found out whether there is such an order.
func readProcess(c *gin.Context, body *web.Body) store.Process {
	call := store.Process{SellerID: web.Caller(c).SellerID, ItemIDs: readItemIDs(body.Object)}
	if orderNo, ok := web.PathValue(c, "order_no"); ok {
		call.OrderNo = orderNo // else it stays empty, and no order is called that
	}
	return call
}

// readItems reads a call whose body holds nothing but the items.
func readItems(c *gin.Context) (store.Process, error) {
	body := web.ReadBody(c)
	call := readProcess(c, body)
	return call, body.Err()
}

// processedView is the transition result of the interface. E is the view of an item.
type processedView[E any] struct {
	OrderNo     string         `json:"order_no"`
	OrderStatus order.Status   `json:"order_status"`
	UpdatedAt   timestamp.Time `json:"updated_at"`
	Items       []E            `json:"items"`
	// Warnings is an addition to the interface, absent when there are none.
	Warnings []warningView `json:"warnings,omitempty"`
}

// processedItemView is an item of a transition result.
type processedItemView struct {
	ItemID     uuid.UUID   `json:"item_id"`
	ItemCode   string      `json:"item_code"`
	ItemStatus order.State `json:"item_status"`
	// AlreadyDone is true when the item had come as far before the call.
	AlreadyDone bool `json:"already_done"`
}

// shippedItemView is an item of a shipment or a delivery.
type shippedItemView struct {
	processedItemView
	TrackingNo  string `json:"tracking_no"`
	CarrierName string `json:"carrier_name"`
}

// newProcessedView returns the view of a result.
func newProcessedView[E any](done store.Processed, item func(string, *order.ProcessedItem) E) processedView[E] {
	view := processedView[E]{
		OrderNo: done.OrderNo, OrderStatus: done.Status, UpdatedAt: timestamp.Time(done.UpdatedAt), Items: make([]E, len(done.Items)),
	}
	for i := range done.Items {
		view.Items[i] = item(done.OrderNo, &done.Items[i])
	}
	return view
}

// newProcessedItemView returns the view of an item.
func newProcessedItemView(orderNo string, done *order.ProcessedItem) processedItemView {
	return processedItemView{
		ItemID: done.Item.ID, ItemCode: order.ItemCode(orderNo, done.Item.Seq), ItemStatus: done.Item.State, AlreadyDone: done.AlreadyDone,
	}
}

// newShippedItemView returns the view of an item that has a parcel.
func newShippedItemView(orderNo string, done *order.ProcessedItem) shippedItemView {
	return shippedItemView{
		processedItemView: newProcessedItemView(orderNo, done), TrackingNo: done.Item.TrackingNo, CarrierName: done.Item.CarrierName,
	}
}
