package rest

import (
	"context"

	"sellerapi.dev/services/orders/internal/store"
)

// prepare implements POST /open/v1/orders/{order_no}/preparation.
func (a *API) prepare(ctx context.Context, tx store.Tx, call store.Process) (any, error) {
	done, err := a.Orders.Prepare(ctx, tx, call)
	if err != nil {
		return nil, err
	}
	return newProcessedView(done, newProcessedItemView), nil
}
