package upstream_test

import (
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/upstream"
)

var caller = principal.Principal{
	SellerID: uuid.MustParse("0190a5c0-0000-7000-8000-000000000001"), KeyID: "0190a5c0-0000-7000-8000-000000000002",
	KeyPrefix: "vpk_test_abc", Scopes: []principal.Scope{"orders:read"},
}

type fixture struct {
	url string
	tel *telemetry.Telemetry
}

func op(timeout time.Duration) operation.Operation {
	return operation.Operation{Name: "test", Method: http.MethodGet, Service: operation.Orders, Timeout: timeout}
}

func before(t *testing.T, service string, timeout time.Duration) *fixture {
	t.Helper()
	address, err := url.Parse(service)
	require.NoError(t, err)
	return gateway(t, map[operation.Service]*url.URL{operation.Orders: address}, timeout)
}

func gateway(t *testing.T, addresses map[operation.Service]*url.URL, timeout time.Duration) *fixture {
	t.Helper()
	tel := telemetrytest.ForTest(t)
	forwarder := upstream.New(upstream.Options{Addresses: addresses, Signer: principaltest.Signer(t), Telemetry: tel})
	t.Cleanup(forwarder.Close)
	engine := web.NewEngine(web.Options{Service: "gateway", Telemetry: tel})
	engine.NoRoute(func(c *gin.Context) {
		if err := forwarder.Forward(c.Writer, c.Request, upstream.Call{Operation: op(timeout), Caller: caller}); err != nil {
			web.Fail(c, err)
		}
	})
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	return &fixture{url: server.URL, tel: tel}
}

func serving(t *testing.T, handler http.HandlerFunc) *fixture {
	t.Helper()
	service := httptest.NewServer(handler)
	t.Cleanup(service.Close)
	return before(t, service.URL, time.Minute)
}

// speaking starts a gateway in front of a port that responds to each request with the given bytes and then closes the connection.
func speaking(t *testing.T, answer string) *fixture {
	t.Helper()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = port.Close() })
	go func() {
		for {
			conn, err := port.Accept()
			if err != nil {
				return
			}
			request := make([]byte, 4096)
			_, _ = conn.Read(request)
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	}()
	return before(t, "http://"+port.Addr().String(), time.Minute)
}

func (b *fixture) counted(outcome string) float64 {
	return testutil.ToFloat64(b.tel.Counter(telemetry.UpstreamRequests).WithLabelValues("orders", outcome))
}

type got struct {
	status          int
	header, trailer http.Header
	body            []byte
}

func (b *fixture) get(t *testing.T, path string) got {
	t.Helper()
	return do(t, http.MethodGet, b.url+path, nil)
}

func do(t *testing.T, method, address string, header http.Header) got {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	require.NoError(t, err)
	maps.Copy(request.Header, header)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return got{response.StatusCode, response.Header, response.Trailer, content}
}

func refused(t *testing.T, response got, status int) {
	t.Helper()
	require.Equal(t, status, response.status, string(response.body))
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal(response.body, &envelope))
	require.Equal(t, status, envelope.Meta.Code)
	require.Nil(t, envelope.Meta.ErrorCode)
	require.Equal(t, response.header.Get("X-Request-Id"), envelope.Meta.ErrorData["request_id"])
}

func answer(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = io.WriteString(w, body)
}
