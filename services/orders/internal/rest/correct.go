package rest

import (
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/web"
)

// correctCall is a shipment call whose problem is reported only to a seller who may correct parcels.
type correctCall struct {
	shipCall
	problem error
}

func readCorrection(c *gin.Context) (correctCall, error) {
	call, err := readShipment(c)
	if errors.Is(err, apierr.Unauthenticated) {
		return correctCall{}, err
	}
	call.SellerID = web.Caller(c).SellerID
	return correctCall{shipCall: call, problem: err}, nil
}

// correct implements POST /open/v1/orders/{order_no}/shipment/correction. For a seller who may not correct parcels there is
// nothing at this path, whatever the order and the body.
func (a *API) correct(ctx context.Context, tx inbox.Tx, call correctCall) (any, error) {
	may, err := a.Orders.MayCorrect(ctx, tx, call.SellerID)
	switch {
	case err != nil:
		return nil, err
	case !may:
		return nil, apierr.RouteNotFound
	case call.problem != nil:
		return nil, call.problem
	}
	return ship(a.Orders.CorrectShipment)(ctx, tx, call.shipCall)
}
