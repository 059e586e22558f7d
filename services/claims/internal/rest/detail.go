package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
)

// detail serves GET /open/v1/claims/{claim_no}.
func (a *API) detail() gin.HandlerFunc {
	return web.HandleDetail(claimNo, apierr.ClaimNotFound, a.Claims.Get,
		func(c claim.Claim, _ apierr.Lang) any { return claimView{&c} })
}
