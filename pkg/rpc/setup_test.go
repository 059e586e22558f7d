package rpc_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// The procedures of these tests: text in, text out. No caller may call the second.
const (
	say      = "/test.v1.Echo/Say"
	unlisted = "/test.v1.Echo/Unlisted"
)

type (
	text    = wrapperspb.StringValue
	handler = func(context.Context, *text) (*text, error)
)

type setup struct {
	config    rpc.Config
	trusted   trust.PublicKeys
	url       string
	tel       *telemetry.Telemetry
	recorder  *tracetest.SpanRecorder
	logs      *telemetrytest.Lines
	recorders []rpc.Recorder
}

// timeout bounds a call and its connection in tests of something else: machines are busy with other tests.
const timeout = time.Minute

func serve(t *testing.T, handle handler, change ...func(*setup)) *setup {
	t.Helper()
	s := &setup{
		config:  rpc.Config{Timeout: timeout, Dial: timeout},
		trusted: trusttest.Keys(), logs: &telemetrytest.Lines{}, recorder: tracetest.NewSpanRecorder(),
	}
	for _, c := range change {
		c(s)
	}
	var err error
	s.tel, err = telemetry.New(t.Context(), "orders", "test", telemetry.Config{LogLevel: slog.LevelDebug},
		telemetry.WithLogWriter(s.logs), telemetry.WithSpanProcessor(s.recorder))
	require.NoError(t, err)
	mux, err := rpc.NewMux("orders", s.trusted, s.config, s.tel)
	require.NoError(t, err)
	mux.Allow(say, "claims", "operator")
	for _, procedure := range []string{say, unlisted} {
		mux.Handle(procedure, connect.NewUnaryHandlerSimple(procedure, handle, mux.Options(s.recorders...)))
	}

	server := httptest.NewUnstartedServer(mux)
	server.Config.Protocols = &http.Protocols{}
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *setup) client(t *testing.T, url string, options ...connect.ClientOption) *connect.Client[text, text] {
	t.Helper()
	c, err := rpc.NewClient(s.config, rpctest.As("claims", "orders"), s.tel)
	require.NoError(t, err)
	t.Cleanup(c.HTTP.CloseIdleConnections)
	return connect.NewClient[text, text](c.HTTP, url+say, append(options, c.Options)...)
}

func (s *setup) call(t *testing.T, message string) (string, error) {
	t.Helper()
	response, err := s.client(t, s.url).CallUnary(t.Context(), connect.NewRequest(wrapperspb.String(message)))
	if err != nil {
		return "", err
	}
	return response.Msg.GetValue(), nil
}

func echo(_ context.Context, request *text) (*text, error) {
	return wrapperspb.String(request.GetValue()), nil
}

func failing(err error) handler {
	return func(context.Context, *text) (*text, error) { return nil, err }
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (s *setup) post(t *testing.T, path, body string, header http.Header) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, bytes.NewBufferString(body))
	require.NoError(t, err)
	request.Header = header
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	require.NoError(t, err)
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return answer{status: response.StatusCode, header: response.Header, body: string(content)}
}

func curlHeader(t *testing.T) http.Header {
	t.Helper()
	return http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + rpctest.Token(t, "operator", "orders")}}
}

// strangers are public keys whose private keys are in no test.
func strangers() trust.PublicKeys {
	return trusttest.Parse(trusttest.Line(trust.Issuer, trusttest.Named("stranger")),
		trusttest.Line(trust.Claims, trusttest.Named("another stranger")))
}
