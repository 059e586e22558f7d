package rest

import (
	"context"

	"sellerapi.dev/services/orders/internal/store"
)

// deliver implements POST /open/v1/orders/{order_no}/delivery.
func (a *API) deliver(ctx context.Context, tx store.Tx, call store.Process) (any, error) {
	done, err := a.Orders.Deliver(ctx, tx, call)
	if err != nil {
		return nil, err
	}
	return newProcessedView(done, newShippedItemView), nil
}
