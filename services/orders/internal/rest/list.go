package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// listName is what cursors of this list are bound to.
const listName = "orders"

// orderNoChars is the longest order number that can be asked for, in characters.
const orderNoChars = 64

// The parameters of the list.
var listParameters = []string{
	"paid_at_gte", "paid_at_lte", "updated_at_gte", "updated_at_lte", "order_status", "item_status", "order_no",
	"status_changed_to", "status_changed_at_gte", "status_changed_at_lte", "limit", "cursor",
}

// The values of the parameters that have a list of them.
var (
	orderStatuses = texts(order.Statuses())
	itemStates    = texts(order.VisibleStates())
)

// list answers GET /open/v1/orders.
func (a *API) list(c *gin.Context) (any, error) {
	countRows(c, 0)
	seller := caller(c).SellerID
	request, err := a.readList(web.ParseQuery(c, listParameters...), seller.String())
	if err != nil {
		return nil, err
	}
	page, err := a.Orders.List(c.Request.Context(), seller, request.filter, request.after, request.limit)
	if err != nil {
		return nil, err
	}
	countRows(c, len(page.Orders))
	view := listView{orders: page.Orders}
	if page.More {
		last := page.Orders[len(page.Orders)-1]
		view.nextCursor = a.Cursors.Seal(request.scope, paging.Position{UpdatedAt: last.UpdatedAt, ID: last.ID})
	}
	return view, nil
}

// listRequest is a request for a page.
type listRequest struct {
	filter order.Filter
	after  *paging.Position
	limit  int
	// scope is what the next cursor is bound to.
	scope paging.Scope
}

// readList reads a request. With a cursor the filters are those of the walk that it belongs to, sent again or not.
func (a *API) readList(q *web.Query, seller string) (listRequest, error) {
	request := listRequest{limit: q.Limit()}
	cursor := q.Cursor()
	filter, change := readFilter(q)
	if err := q.Err(); err != nil {
		return listRequest{}, err
	}
	if cursor != "" {
		filters, position, err := a.Cursors.Open(seller, listName, q.Sent(), cursor)
		if err != nil {
			return listRequest{}, err
		}
		q.Resume(filters)
		filter, change = readFilter(q)
		if err := q.Err(); err != nil {
			return listRequest{}, err
		}
		request.after = &position
	}
	var err error
	if filter.Change, err = order.NewChangeFilter(change.To, change.At); err != nil {
		return listRequest{}, err
	}
	request.filter = filter
	request.scope = paging.Scope{SellerID: seller, List: listName, Filters: q.Sent()}
	return request, nil
}

// readFilter reads the filters. The parameters of the status change are returned apart, because they must fit together and
// their own codes say so.
func readFilter(q *web.Query) (filter order.Filter, change order.ChangeFilter) {
	filter.Paid.From, filter.Paid.Until = q.Range("paid_at_gte", "paid_at_lte")
	filter.Updated.From, filter.Updated.Until = q.Range("updated_at_gte", "updated_at_lte")
	filter.Status = order.Status(q.Enum("order_status", orderStatuses))
	filter.ItemState = order.State(q.Enum("item_status", itemStates))
	filter.No = q.String("order_no", orderNoChars)
	change.To = order.State(q.Enum("status_changed_to", itemStates))
	change.At = order.Range{From: q.Time("status_changed_at_gte"), Until: q.Time("status_changed_at_lte")}
	return filter, change
}

// texts spells values as parameters have them.
func texts[T ~string](values []T) []string {
	list := make([]string, 0, len(values))
	for _, value := range values {
		list = append(list, string(value))
	}
	return list
}
