package rest

import (
	"context"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// itemIDs is the list of item ids in every call. A malformed id is not a validation error but an item that is not found,
// whatever its form and length.
var itemIDs = web.List{Min: 1, Max: 200, Unique: true, Element: invalid.Text{NotEmpty: true}}

// idChars is the length to which ids are truncated, in characters, because refusals contain them and are stored. Real ids are
// shorter.
const idChars = 64

// readItemIDs reads the item ids of a call. Ids that are too long are truncated and remain invalid.
func readItemIDs(object *web.Object) []string {
	ids := object.Strings("item_ids", itemIDs)
	for i, id := range ids {
		if runes := []rune(id); len(runes) > idChars {
			ids[i] = string(runes[:idChars])
		}
	}
	return ids
}

// readProcess reads what all process calls on one order share: the order number in the path and the items in the body. Problems
// of the body are reported before the order is looked up.
func readProcess(c *gin.Context, body *web.Body) order.ProcessCommand {
	call := order.ProcessCommand{SellerID: web.Caller(c).SellerID, ItemIDs: readItemIDs(body.Object)}
	if orderNo, ok := web.PathValue(c, "order_no"); ok {
		call.OrderNo = orderNo // otherwise it stays empty, which matches no order
	}
	return call
}

func readItems(c *gin.Context) (order.ProcessCommand, error) {
	body := web.ReadBody(c)
	call := readProcess(c, body)
	return call, body.Err()
}

// processedView is the transition result of the API. E is the view of an item.
type processedView[E any] struct {
	OrderNo     string         `json:"order_no"`
	OrderStatus order.Status   `json:"order_status"`
	UpdatedAt   timestamp.Time `json:"updated_at"`
	Items       []E            `json:"items"`
	// Warnings is an addition to the API, absent when there are none.
	Warnings []warningView `json:"warnings,omitempty"`
}

type processedItemView struct {
	ItemID     uuid.UUID   `json:"item_id"`
	ItemCode   string      `json:"item_code"`
	ItemStatus order.State `json:"item_status"`
	// AlreadyDone is true when the item had reached the state before the call.
	AlreadyDone bool `json:"already_done"`
}

type shippedItemView struct {
	processedItemView
	TrackingNo  string `json:"tracking_no"`
	CarrierName string `json:"carrier_name"`
}

// process returns the handler of a call whose body has only the items, by its change of the order and the view of an item.
func process[E any](
	change func(context.Context, inbox.Tx, order.ProcessCommand) (order.ProcessResult, error),
	item func(string, *order.ProcessedItem) E,
) func(context.Context, inbox.Tx, order.ProcessCommand) (any, error) {
	return func(ctx context.Context, tx inbox.Tx, call order.ProcessCommand) (any, error) {
		done, err := change(ctx, tx, call)
		if err != nil {
			return nil, err
		}
		return newProcessedView(done, item), nil
	}
}

func newProcessedView[E any](done order.ProcessResult, item func(string, *order.ProcessedItem) E) processedView[E] {
	view := processedView[E]{
		OrderNo: done.OrderNo, OrderStatus: done.Status, UpdatedAt: timestamp.Time(done.UpdatedAt), Items: make([]E, len(done.Items)),
	}
	for i := range done.Items {
		view.Items[i] = item(done.OrderNo, &done.Items[i])
	}
	return view
}

func newProcessedItemView(orderNo string, done *order.ProcessedItem) processedItemView {
	return processedItemView{
		ItemID: done.Item.ID, ItemCode: order.ItemCode(orderNo, done.Item.Seq), ItemStatus: done.Item.State,
		AlreadyDone: done.AlreadyDone,
	}
}

func newShippedItemView(orderNo string, done *order.ProcessedItem) shippedItemView {
	return shippedItemView{
		processedItemView: newProcessedItemView(orderNo, done), TrackingNo: done.Item.TrackingNo, CarrierName: done.Item.CarrierName,
	}
}
