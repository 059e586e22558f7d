package rest

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/orders/internal/order"
)

// Changes returns the list as the marketplace follows it.
func (a *API) Changes() changes.List[order.Order] {
	return changes.List[order.Order]{
		Name: listName, Cursors: a.Cursors, Forward: a.Orders.Forward,
		Position: func(o *order.Order) paging.Position { return paging.Position{UpdatedAt: o.UpdatedAt, ID: o.ID} },
		View:     func(o *order.Order) ([]byte, error) { return detailView{o, apierr.English}.AppendJSON(nil), nil },
	}
}
