package web

import (
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
)

// Authenticate admits only requests that carry one valid signed principal, and
// puts it into the request's context. Everything else is answered 401 without a
// published code: a client never gets there, because the gateway signs every
// request that it forwards. Why it was refused is in the log only.
func Authenticate(signer *principal.Signer) gin.HandlerFunc {
	return func(c *gin.Context) {
		p, err := verify(signer, c)
		if err != nil {
			Fail(c, apierr.Unauthenticated.Because(err))
			return
		}
		SetCaller(c, p.SellerID, p.KeyPrefix)
		c.Request = c.Request.WithContext(principal.NewContext(c.Request.Context(), p))
	}
}

// verify reads the header. Two of them are none: it is unclear who wrote which.
func verify(signer *principal.Signer, c *gin.Context) (principal.Principal, error) {
	values := c.Request.Header.Values(principal.Header)
	if len(values) != 1 {
		return principal.Principal{}, principal.ErrMissing
	}
	return signer.Verify(c.Request.Method, c.Request.URL.EscapedPath(), values[0], time.Now())
}
