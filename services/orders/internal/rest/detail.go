package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// detail implements GET /open/v1/orders/{order_no}.
func (a *API) detail() gin.HandlerFunc {
	return web.HandleDetail("order_no", apierr.OrderNotFound, a.Orders.Find,
		func(o *order.Order, lang apierr.Lang) any { return detailView{o, lang} })
}
