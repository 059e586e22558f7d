package web_test

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

func twoRoutes(e *gin.Engine) {
	echo := func(c *gin.Context) (any, error) { return map[string]string{"route": c.FullPath()}, nil }
	e.GET("/open/v1/orders", web.Handle(echo))
	e.GET("/open/v1/orders/:order_no", web.Handle(echo))
	e.POST("/open/v1/orders/:order_no/shipment", web.Handle(echo))
	e.POST("/open/v1/orders/batch/shipment", web.Handle(echo))
}

func TestEngine_unknownRouteIsTheEnvelope(t *testing.T) {
	t.Parallel()
	s := serve(t, twoRoutes)
	for _, path := range []string{
		"/", "/open/v1", "/open/v1/orders/", "/open/v1/Orders", "/open/v1/ordres", "//open/v1/orders", "/open/v1//orders",
		"/open/v1/orders/1/", "/open/v1/orders/1/shipment/", "/open/v1/%6Frders", "/open/v1/x/../orders", "/%00", "/a%2Fb",
	} {
		a := s.get(path)
		requireFailure(t, a, 404, "")
		require.Empty(t, a.Header.Get("Location"), path)
	}
}

// A wrong method gets an envelope and the allowed methods.
func TestEngine_wrongMethodHasAllow(t *testing.T) {
	t.Parallel()
	s := serve(t, twoRoutes)
	for _, method := range []string{
		http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch,
		http.MethodOptions, "BREW",
	} {
		a := s.do(method, "/open/v1/orders", "")
		requireFailure(t, a, 405, "")
		require.Equal(t, "GET", a.Header.Get("Allow"), method)
	}
	a := s.get("/open/v1/orders/batch/shipment")
	requireFailure(t, a, 405, "")
	require.Equal(t, "POST", a.Header.Get("Allow"))
}

// An id may contain an escaped slash; it must not select another route.
func TestEngine_encodedSlashKeepsRoute(t *testing.T) {
	t.Parallel()
	s := serve(t, twoRoutes)
	require.Contains(t, s.get("/open/v1/orders/a%2Fb").Body, `"/open/v1/orders/:order_no"`)
	requireFailure(t, s.post("/open/v1/orders/batch%2Fshipment", ""), 405, "")
}

// Requests that no ordinary client can make must still get an envelope.
func TestEngine_oddTargetsGetEnvelope(t *testing.T) {
	t.Parallel()
	s := serve(t, twoRoutes)
	for _, line := range []string{
		"CONNECT example.com:443", "GET http://example.com/nowhere", "OPTIONS /nowhere", "OPTIONS *", "GET /?a=%zz;b",
	} {
		status, body := s.raw(line + " HTTP/1.1\r\nHost: x\r\n\r\n")
		require.Equal(t, 404, status, line)
		require.Contains(t, body, `"error_code":null`, line)
	}
}

func (s *site) raw(request string) (status int, body string) {
	s.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(s.t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	require.NoError(s.t, err)
	defer func() { _ = conn.Close() }()
	_, err = conn.Write([]byte(request))
	require.NoError(s.t, err)
	// The response to CONNECT has a body here, which a reader expects only for GET.
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodGet})
	require.NoError(s.t, err)
	defer func() { _ = response.Body.Close() }()
	buffer := make([]byte, response.ContentLength)
	_, err = bufio.NewReader(response.Body).Read(buffer)
	require.NoError(s.t, err)
	return response.StatusCode, string(buffer)
}

// A client must not be able to choose the address that appears in spans.
func TestEngine_forwardedAddressesNotTrusted(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) { return c.ClientIP(), nil })
	a := s.get("/thing", "X-Forwarded-For", "203.0.113.9", "X-Real-Ip", "203.0.113.9")
	require.JSONEq(t, `"127.0.0.1"`, string(a.Data))
}

// The gateway's trace is continued in the services behind it.
func TestTrace_continuedBehindTheGateway(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) { return "x", nil })
	s.get("/thing", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	line := s.onlyLine()
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", line["trace_id"])
	spans := s.spans.Ended()
	require.Len(t, spans, 1)
	require.Equal(t, "GET /thing", spans[0].Name())
	require.Equal(t, "b7ad6b7169203331", spans[0].Parent().SpanID().String())
}

// A client may ask for its trace to be recorded or not; the gateway decides, and its trace is only linked to the client's.
func TestTrace_clientIsLinkedOnly(t *testing.T) {
	t.Parallel()
	for _, sampled := range []string{"00", "01"} {
		s := serveAs(t, web.Options{Public: true}, telemetry.Config{}, func(e *gin.Engine) {
			e.GET("/thing", web.Handle(func(*gin.Context) (any, error) { return "x", nil }))
		})
		s.get("/thing", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-"+sampled)
		spans := s.spans.Ended()
		require.Len(t, spans, 1)
		require.False(t, spans[0].Parent().IsValid())
		require.Len(t, spans[0].Links(), 1)
		require.Equal(t, "b7ad6b7169203331", spans[0].Links()[0].SpanContext.SpanID().String())
		line := s.onlyLine()
		require.Equal(t, "0af7651916cd43dd8448eb211c80319c", line["client_trace_id"])
		require.Equal(t, spans[0].SpanContext().TraceID().String(), line["trace_id"])
		require.NotEqual(t, line["client_trace_id"], line["trace_id"])
	}
}
