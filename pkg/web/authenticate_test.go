package web_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
)

func TestOnlyAPrincipalSignedForThisRequestIsAdmitted(t *testing.T) {
	t.Parallel()
	signer, err := principal.NewSigner(bytes.Repeat([]byte{1}, 32))
	require.NoError(t, err)
	stranger, err := principal.NewSigner(bytes.Repeat([]byte{2}, 32))
	require.NoError(t, err)
	s := serve(t, func(e *gin.Engine) {
		e.Use(web.Authenticate(signer))
		whoami := web.Handle(func(c *gin.Context) (any, error) {
			return principal.MustFromContext(c.Request.Context()).SellerID, nil
		})
		e.GET("/orders/:order_no", whoami)
		e.POST("/orders/:order_no", whoami)
	})
	path := "/orders/a%2Fb"
	good := signer.Sign("GET", path, seller, time.Now())
	a := s.get(path+"?limit=1", principal.Header, good)
	require.Equal(t, 200, a.Status, a.Body)
	require.JSONEq(t, `"`+seller.SellerID.String()+`"`, string(a.Data))

	requireFailure(t, s.get(path), 401, "")
	requireFailure(t, s.get(path, principal.Header, ""), 401, "")
	requireFailure(t, s.get(path, principal.Header, good, principal.Header, good), 401, "")
	requireFailure(t, s.get("/orders/c", principal.Header, good), 401, "")
	requireFailure(t, s.post(path, "", principal.Header, good), 401, "")
	requireFailure(t, s.get(path, principal.Header, stranger.Sign("GET", path, seller, time.Now())), 401, "")
	requireFailure(t, s.get(path, principal.Header, signer.Sign("GET", path, seller, time.Now().Add(-time.Hour))), 401, "")
	lines := s.reported()
	require.Equal(t, seller.SellerID.String(), lines[0]["seller_id"])
	require.Equal(t, principal.ErrMissing.Error(), lines[1]["error"])
	require.Equal(t, principal.ErrExpired.Error(), lines[7]["error"])
}
