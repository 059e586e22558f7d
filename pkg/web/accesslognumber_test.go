package web_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

// The history of an order can be read from the log lines with its number. A path segment that does not name an existing record is not
// logged: it is arbitrary client input.
func TestAccessLog_numberOfWhatWasFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, caller string
		err          error
		want         any
	}{
		"order":       {"/orders/ORD%2D1", "known", nil, "ORD-1"},
		"claim":       {"/claims/C-1", "known", nil, "C-1"},
		"conflict":    {"/orders/ORD-1", "known", apierr.OrderItemNotShippable, "ORD-1"},
		"our_failure": {"/orders/ORD-1", "known", errors.New("disk full"), "ORD-1"},
		"not_found":   {"/orders/ORD-1", "known", apierr.OrderNotFound, nil},
		"no_caller":   {"/orders/ORD-1", "", nil, nil},
		"no_number":   {"/orders/%00", "known", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(e *gin.Engine) {
				handle := web.Handle(func(g *gin.Context) (any, error) {
					if c.caller != "" {
						web.SetCaller(g, seller.SellerID, seller.KeyPrefix)
					}
					return "", c.err
				})
				e.GET("/orders/:order_no", handle)
				e.GET("/claims/:claim_no", handle)
			})
			s.get(c.path)
			line := s.onlyLine()
			got := line["order_no"]
			if name == "claim" {
				require.Nil(t, got)
				got = line["claim_no"]
			}
			require.Equal(t, c.want, got, line)
		})
	}
}

// Every trace can be found by the X-Request-Id of its response, not only those of server errors.
func TestSpan_namesEveryRequest(t *testing.T) {
	t.Parallel()
	for status, err := range map[int]error{
		http.StatusOK: nil, http.StatusNotFound: apierr.OrderNotFound, http.StatusInternalServerError: errors.New("disk full"),
	} {
		s := serveAs(t, web.Options{}, telemetry.Config{}, func(e *gin.Engine) {
			e.GET("/thing", web.Handle(func(*gin.Context) (any, error) { return "", err }))
		})
		require.Equal(t, status, s.get("/thing", web.RequestIDHeader, "r-1").Status)
		s.server.Close()
		require.Contains(t, s.spans.Ended()[0].Attributes(), attribute.String("request_id", "r-1"), status)
	}
}
