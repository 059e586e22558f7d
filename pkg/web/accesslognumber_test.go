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

// The history of an order can be read from the log lines and the spans with its number. A path segment that does not name an
// existing record is not there: it is arbitrary client input.
func TestNumber_ofWhatWasFound(t *testing.T) {
	t.Parallel()
	const inquiry = "0197f0a0-0000-7000-8000-000000000001"
	for name, c := range map[string]struct {
		path, caller string
		err          error
		want         map[string]string
		public       bool
	}{
		"order":       {"/orders/ORD%2D1", "known", nil, map[string]string{"order_no": "ORD-1"}, false},
		"claim":       {"/claims/C-1", "known", nil, map[string]string{"claim_no": "C-1"}, false},
		"inquiry":     {"/qna/" + inquiry, "known", nil, map[string]string{"qna_id": inquiry}, false},
		"conflict":    {"/orders/ORD-1", "known", apierr.OrderItemNotShippable, map[string]string{"order_no": "ORD-1"}, false},
		"our_failure": {"/orders/ORD-1", "known", errors.New("disk full"), map[string]string{"order_no": "ORD-1"}, false},
		"not_found":   {"/orders/ORD-1", "known", apierr.OrderNotFound, map[string]string{}, false},
		"key_reused":  {"/orders/ORD-1", "known", apierr.IdempotencyKeyReused, map[string]string{}, false},
		"key_in_use":  {"/orders/ORD-1", "known", apierr.IdempotencyInProgress, map[string]string{}, false},
		"no_caller":   {"/orders/ORD-1", "", nil, map[string]string{}, false},
		"no_number":   {"/orders/%00", "known", nil, map[string]string{}, false},
		"other":       {"/things/ORD-1", "known", nil, map[string]string{}, false},

		// A public engine finds nothing itself: of what it forwards, it only knows the answer.
		"public":          {"/orders/ORD-1", "known", nil, map[string]string{"order_no": "ORD-1"}, true},
		"public_conflict": {"/relayed/ORD-1", "known", nil, map[string]string{"order_no": "ORD-1"}, true},
		"public_limits":   {"/orders/ORD-1", "known", apierr.RateLimitUnavailable, map[string]string{}, true},
		"public_failure":  {"/orders/ORD-1", "known", errors.New("disk full"), map[string]string{}, true},
		"public_refusal":  {"/orders/ORD-1", "known", apierr.IdempotencyInProgress, map[string]string{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serveAs(t, web.Options{Public: c.public}, telemetry.Config{}, func(e *gin.Engine) {
				handle := web.Handle(func(g *gin.Context) (any, error) {
					if c.caller != "" {
						web.SetCaller(g, seller.SellerID, seller.KeyPrefix)
					}
					return "", c.err
				})
				for _, route := range []string{"/orders/:order_no", "/claims/:claim_no", "/qna/:qna_id", "/things/:thing"} {
					e.GET(route, handle)
				}
				e.GET("/relayed/:order_no", web.Handle(func(g *gin.Context) (any, error) {
					web.SetCaller(g, seller.SellerID, seller.KeyPrefix)
					return web.Answer{Status: http.StatusConflict, Body: []byte(`{"meta":{"code":409}}`)}, nil
				}))
			})
			s.get(c.path)
			line, logged, spanned := s.onlyLine(), map[string]string{}, map[string]string{}
			s.server.Close()
			for _, name := range telemetry.NumberNames() {
				if value, ok := line[name].(string); ok {
					logged[name] = value
				}
				for _, attribute := range s.spans.Ended()[0].Attributes() {
					if string(attribute.Key) == name {
						spanned[name] = attribute.Value.AsString()
					}
				}
			}
			require.Equal(t, c.want, logged, line)
			require.Equal(t, c.want, spanned)
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
