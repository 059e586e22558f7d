package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// listName is the name to which the cursors of this list are bound.
const listName = "orders"

// orderNoChars is the maximum length of an order number in a request, in characters.
const orderNoChars = 64

// listFilters are the parameters of the list other than limit and cursor.
var listFilters = []string{
	"paid_at_gte", "paid_at_lte", "updated_at_gte", "updated_at_lte", "order_status", "item_status", "order_no",
	"ship_by_lte", "status_changed_to", "status_changed_at_gte", "status_changed_at_lte",
}

var (
	orderStatuses = invalid.Names(order.Statuses())
	itemStates    = invalid.Names(order.VisibleStates())
)

// list implements GET /open/v1/orders.
func (a *API) list() gin.HandlerFunc {
	return web.HandleList(a.Cursors, web.ListOperation[order.Filter, order.Order]{
		Name: listName, Filters: listFilters, Read: readFilter,
		Page: a.Orders.List, Forward: a.Orders.Forward,
		View: func(orders []order.Order, lang apierr.Lang) any { return ordersView{orders, lang} },
	})
}

// readFilter reads the filters. The parameters of the status change must be consistent; otherwise it returns the codes of
// order.NewChangeFilter.
func readFilter(q *web.Query) (order.Filter, error) {
	var filter order.Filter
	filter.Paid.From, filter.Paid.Until = q.Range("paid_at_gte", "paid_at_lte")
	filter.Updated.From, filter.Updated.Until = q.Range("updated_at_gte", "updated_at_lte")
	filter.ShipBy = q.Time("ship_by_lte")
	filter.Status = order.Status(q.Enum("order_status", orderStatuses))
	filter.ItemState = order.State(q.Enum("item_status", itemStates))
	filter.No = q.String("order_no", orderNoChars)
	to := order.State(q.Enum("status_changed_to", itemStates))
	at := order.Range{From: q.Time("status_changed_at_gte"), Until: q.Time("status_changed_at_lte")}
	var err error
	filter.Change, err = order.NewChangeFilter(to, at)
	return filter, err
}
