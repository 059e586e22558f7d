package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

// detail answers GET /open/v1/orders/{order_no}.
func (a *API) detail(c *gin.Context) (any, error) {
	countRows(c, 0)
	if err := web.ParseQuery(c).Err(); err != nil {
		return nil, err
	}
	orderNo, ok := web.PathValue(c, "order_no")
	if !ok {
		return nil, apierr.OrderNotFound
	}
	found, err := a.Orders.Find(c.Request.Context(), caller(c).SellerID, orderNo)
	if err != nil {
		return nil, err
	}
	countRows(c, 1)
	return detailView{found}, nil
}
