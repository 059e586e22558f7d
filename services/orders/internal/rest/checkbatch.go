package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

// checkBatch implements POST /open/v1/orders/batch/shipment/check: the body and the answer of the batch, each entry decided as it
// would be now. Entries of one order see the effect of those before them, as in the batch.
func (a *API) checkBatch() gin.HandlerFunc {
	return web.Handle(func(c *gin.Context) (any, error) {
		call, err := readBatch(c)
		if err != nil {
			return nil, err
		}
		return a.decideBatch(c, call)
	})
}

func (a *API) decideBatch(c *gin.Context, call batch) (any, error) {
	ctx := c.Request.Context()
	if err := a.batchSlots.Acquire(ctx, 1); err != nil {
		return nil, apierr.Unavailable.Because(err)
	}
	defer a.batchSlots.Release(1)
	all := make([]int, len(call.entries))
	for i := range all {
		all[i] = i
	}
	outcomes := make([]entryResult, len(call.entries))
	shipments, sent := call.shipments(all, outcomes)
	decided, err := a.Orders.CheckShipments(ctx, call.seller, shipments)
	if err != nil {
		return nil, err
	}
	for at, i := range sent {
		outcomes[i].ShipResult = decided[at]
	}
	return newBatchView(call, outcomes), nil
}
