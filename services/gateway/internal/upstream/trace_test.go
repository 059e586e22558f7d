package upstream_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// One trace has the client's span, the request's, the inner hop's, and the spans of the service.
func TestTrace_continuedBelowInnerHop(t *testing.T) {
	t.Parallel()
	sent := make(chan string, 1)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Get("Traceparent")
		answer(w, `{}`)
	}))
	t.Cleanup(service.Close)
	address, err := url.Parse(service.URL)
	require.NoError(t, err)
	tel, spans := telemetrytest.Recording(t)
	forwarder := upstream.New(upstream.Options{
		Addresses: map[operation.Service]*url.URL{operation.Orders: address}, Signer: principaltest.Signer(t), Telemetry: tel,
	})
	engine := web.NewEngine(web.Options{Service: "gateway", Telemetry: tel})
	engine.GET("/", func(c *gin.Context) {
		if err := forwarder.Forward(c.Writer, c.Request, upstream.Call{Operation: op(time.Minute), Caller: caller}); err != nil {
			web.Fail(c, err)
		}
	})
	engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))

	hop, request := spanOf(t, spans.Ended(), trace.SpanKindClient), spanOf(t, spans.Ended(), trace.SpanKindServer)
	require.Equal(t, request.SpanContext().SpanID(), hop.Parent().SpanID())
	parts := strings.Split(<-sent, "-")
	require.Equal(t, hop.SpanContext().TraceID().String(), parts[1])
	require.Equal(t, hop.SpanContext().SpanID().String(), parts[2])
}

func spanOf(t *testing.T, spans []sdktrace.ReadOnlySpan, kind trace.SpanKind) sdktrace.ReadOnlySpan {
	t.Helper()
	for _, span := range spans {
		if span.SpanKind() == kind {
			return span
		}
	}
	require.Fail(t, "no span of kind "+kind.String())
	return nil
}
