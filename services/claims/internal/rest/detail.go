package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
)

// detail answers GET /open/v1/claims/{claim_no}.
func (r *Reads) detail(c *gin.Context) (any, error) {
	if err := web.ParseQuery(c).Err(); err != nil {
		return nil, err
	}
	no, ok := web.PathValue(c, claimNo)
	if !ok {
		return nil, apierr.ClaimNotFound
	}
	seller := principal.MustFromContext(c.Request.Context()).SellerID
	found, err := r.claims.Get(c.Request.Context(), seller, no)
	if err != nil {
		return nil, err
	}
	c.Header(principal.RowsHeader, "1")
	return viewClaim(&found), nil
}
