package web_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

var seller = principal.Principal{
	SellerID:  uuid.MustParse("0197a1b2-0000-7000-8000-000000000001"),
	KeyID:     "key-1",
	KeyPrefix: "vpk_live_abc",
	Scopes:    []principal.Scope{"orders:read"},
}

// One line describes a request, without any value that the client sent.
func TestAccessLog_oneLineWithoutValues(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.POST("/orders/:other", func(c *gin.Context) {
			web.SetCaller(c, seller.SellerID, seller.KeyPrefix)
		}, web.Handle(func(c *gin.Context) (any, error) {
			_ = web.ReadBody(c)
			return "12345678", nil
		}))
	})
	a := s.post("/orders/CANARY-1?recipient=CANARY-2", `{"phone":"CANARY-3"}`,
		"X-Api-Key", "vpk_live_CANARY-4", "X-Request-Id", "r-1", "User-Agent", "CANARY-5")
	line := s.onlyLine()
	require.NotContains(t, s.logs.String(), "CANARY")
	for name, want := range map[string]any{
		"level": "INFO", "msg": "request", "request_id": "r-1", "method": "POST", "route": "/orders/:other", "status": 200.0,
		"bytes": float64(len(a.Body)), "seller_id": seller.SellerID.String(), "key_prefix": "vpk_live_abc",
	} {
		require.Equal(t, want, line[name], name)
	}
	require.Positive(t, line["duration_ms"])
	require.Len(t, line["trace_id"], 32)
	require.NotContains(t, line, "error_code")
	for _, attribute := range s.spans.Ended()[0].Attributes() {
		for _, secret := range []string{"CANARY-1", "CANARY-2", "CANARY-3", "CANARY-4"} {
			require.NotContains(t, attribute.Value.String(), secret, attribute.Key)
		}
	}
}

func TestAccessLog_levelByOutcome(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/refused", web.Handle(func(*gin.Context) (any, error) {
			return nil, apierr.InvalidAPIKey.Because(errors.New("revoked"))
		}))
		e.GET("/broken", web.Handle(func(*gin.Context) (any, error) { return nil, errors.New("disk full") }))
	})
	s.get("/refused")
	s.get("/broken")
	all := s.reported()
	require.Len(t, all, 2)
	refused, broken := all[0], all[1]
	require.Equal(t, []any{"INFO", "INVALID_API_KEY", "revoked", 401.0},
		[]any{refused["level"], refused["error_code"], refused["error"], refused["status"]})
	require.Equal(t, []any{"ERROR", "Internal", "disk full", 500.0},
		[]any{broken["level"], broken["error_code"], broken["error"], broken["status"]})
	spans := s.spans.Ended()
	require.Len(t, spans, 2)
	require.Empty(t, spans[0].Events())
	require.Len(t, spans[1].Events(), 1, "the span has the cause")
}

// Paths and methods are unbounded; each would create a time series.
func TestMetrics_routeTemplatesBoundLabels(t *testing.T) {
	t.Parallel()
	s := serve(t, twoRoutes)
	s.get("/open/v1/orders/1")
	s.get("/open/v1/orders/2")
	for _, path := range []string{"/a", "/b", "/c"} {
		s.get(path)
	}
	s.do("BREW", "/d", "")
	s.do("STEEP", "/open/v1/orders", "")
	s.server.Close()
	requests := s.tel.Counter(telemetry.HTTPRequests)
	count := func(labels ...string) float64 { return testutil.ToFloat64(requests.WithLabelValues(labels...)) }
	require.InDelta(t, 2, count("/open/v1/orders/:order_no", "GET", "200", ""), 0)
	require.InDelta(t, 3, count("unmatched", "GET", "404", ""), 0)
	require.InDelta(t, 1, count("unmatched", "OTHER", "404", ""), 0)
	require.InDelta(t, 1, count("unmatched", "OTHER", "405", ""), 0)
	require.Equal(t, 4, testutil.CollectAndCount(requests))
	require.Equal(t, 3, testutil.CollectAndCount(s.tel.Histogram(telemetry.HTTPDuration)))
	require.InDelta(t, 0, testutil.ToFloat64(s.tel.Gauge(telemetry.HTTPInFlight).WithLabelValues()), 0)
}

// Every outcome is counted once, with its code or, after a panic, with none.
func TestMetrics_everyOutcomeCountedOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/fail", web.Handle(func(*gin.Context) (any, error) { return nil, apierr.OrderNotFound }))
		e.GET("/panic", web.Handle(func(*gin.Context) (any, error) { panic("x") }))
	})
	s.get("/fail")
	s.get("/panic")
	require.Len(t, s.reported(), 2)
	requests := s.tel.Counter(telemetry.HTTPRequests)
	require.InDelta(t, 1, testutil.ToFloat64(requests.WithLabelValues("/fail", "GET", "404", "ORDER_NOT_FOUND")), 0)
	require.InDelta(t, 1, testutil.ToFloat64(requests.WithLabelValues("/panic", "GET", "500", "")), 0)
	require.Equal(t, 2, testutil.CollectAndCount(requests))
}

// Clients that disconnect must not cause alerts.
func TestAccessLog_departedClientIsNoError(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	s := serveOne(t, func(c *gin.Context) (any, error) {
		close(entered)
		<-c.Request.Context().Done()
		return nil, c.Request.Context().Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/thing", nil)
	require.NoError(t, err)
	go func() {
		<-entered
		cancel()
	}()
	_, err = s.server.Client().Transport.RoundTrip(request) //nolint:bodyclose // there is no answer
	require.ErrorIs(t, err, context.Canceled)
	line := s.onlyLine()
	require.Equal(t, "INFO", line["level"])
	require.InDelta(t, 499, line["status"], 0)
	require.Equal(t, 1, testutil.CollectAndCount(s.tel.Counter(telemetry.HTTPRequests)))
}

func TestRequestID_echoedOrReplaced(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) { return web.RequestID(c.Request.Context()), nil })
	for _, sent := range []string{"a", "A-z_0.9", strings.Repeat("x", 64)} {
		a := s.get("/thing", "X-Request-Id", sent)
		require.Equal(t, []string{sent}, a.Header.Values("X-Request-Id"))
		require.JSONEq(t, `"`+sent+`"`, string(a.Data))
	}
	seen := map[uuid.UUID]bool{}
	for _, sent := range []string{"", " ", strings.Repeat("x", 65), "a b", "a/b", `a"b`, "가", "a\tb", "{{id}}"} {
		id, err := uuid.Parse(s.get("/thing", "X-Request-Id", sent).Header.Get("X-Request-Id"))
		require.NoError(t, err, sent)
		require.Equal(t, uuid.Version(7), id.Version())
		require.False(t, seen[id], "an id finds one request")
		seen[id] = true
	}
	require.Empty(t, web.RequestID(t.Context()))
}
