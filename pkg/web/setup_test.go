package web_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
)

type site struct {
	t      *testing.T
	URL    string
	server *httptest.Server
	tel    *telemetry.Telemetry
	spans  *tracetest.SpanRecorder
	logs   *telemetrytest.Lines
}

func serve(t *testing.T, routes func(*gin.Engine)) *site {
	t.Helper()
	return serveAs(t, web.Options{}, telemetry.Config{}, routes)
}

func serveAs(t *testing.T, options web.Options, config telemetry.Config, routes func(*gin.Engine)) *site {
	t.Helper()
	s := &site{t: t, logs: &telemetrytest.Lines{}, spans: tracetest.NewSpanRecorder()}
	tel, err := telemetry.New(context.Background(), "test", "1", config, //nolint:usetesting // outlives the test's context on shutdown
		telemetry.WithLogWriter(s.logs), telemetry.WithSpanProcessor(s.spans))
	require.NoError(t, err)
	s.tel = tel
	options.Service, options.Telemetry = "test", tel
	engine := web.NewEngine(options)
	routes(engine)
	s.server = httptest.NewUnstartedServer(engine)
	s.server.Config.DisableGeneralOptionsHandler = true // "OPTIONS *" is handled by the engine too
	s.server.Start()
	s.URL = s.server.URL
	t.Cleanup(s.server.Close)
	return s
}

func serveOne(t *testing.T, fn func(*gin.Context) (any, error)) *site {
	t.Helper()
	return serve(t, func(e *gin.Engine) {
		e.GET("/thing", web.Handle(fn))
		e.POST("/thing", web.Handle(fn))
	})
}

type answer struct {
	Status int
	Header http.Header
	Body   string
	web.Envelope
}

// do sends a request; headers come in pairs of name and value.
func (s *site) do(method, target, body string, headers ...string) answer {
	s.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+target, reader)
	require.NoError(s.t, err)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	return s.send(request)
}

func (s *site) send(request *http.Request) answer {
	s.t.Helper()
	response, err := s.server.Client().Transport.RoundTrip(request)
	require.NoError(s.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	a := answer{Status: response.StatusCode, Header: response.Header, Body: string(body)}
	if len(body) > 0 {
		require.NoError(s.t, json.Unmarshal(body, &a.Envelope), "not an envelope: %s", body)
		require.Equal(s.t, a.Status, a.Meta.Code)
	}
	return a
}

func (s *site) get(target string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, target, "", headers...)
}

func (s *site) post(target, body string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodPost, target, body, headers...)
}

// A line is written after its response was sent.
func (s *site) reported() []map[string]any {
	s.t.Helper()
	s.server.Close()
	written := strings.Split(strings.TrimSpace(s.logs.String()), "\n")
	all := make([]map[string]any, 0, len(written))
	for _, line := range written {
		var fields map[string]any
		require.NoError(s.t, json.Unmarshal([]byte(line), &fields), line)
		all = append(all, fields)
	}
	return all
}

func (s *site) onlyLine() map[string]any {
	s.t.Helper()
	all := s.reported()
	require.Len(s.t, all, 1, "one log line per request")
	return all[0]
}

func requireFailure(t *testing.T, a answer, status int, code string) {
	t.Helper()
	require.Equal(t, status, a.Status, a.Body)
	if code == "" {
		require.Nil(t, a.Meta.ErrorCode, a.Body)
	} else {
		require.NotNil(t, a.Meta.ErrorCode, a.Body)
		require.Equal(t, code, *a.Meta.ErrorCode)
	}
	require.JSONEq(t, "null", string(a.Data))
	require.NotEmpty(t, a.Meta.Message)
	require.Equal(t, a.Header.Get("X-Request-Id"), a.Meta.ErrorData["request_id"])
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
}

type problem struct {
	Field, Code, Message string
	Allowed              []string
}

func problems(t *testing.T, a answer) []problem {
	t.Helper()
	requireFailure(t, a, 422, "VALIDATION_ERROR")
	raw, err := json.Marshal(a.Meta.ErrorData["errors"])
	require.NoError(t, err)
	var list []problem
	require.NoError(t, json.Unmarshal(raw, &list))
	return list
}

// codes returns the problems without their texts, as field=code.
func codes(t *testing.T, a answer) []string {
	t.Helper()
	list := problems(t, a)
	short := make([]string, 0, len(list))
	for _, p := range list {
		require.NotEmpty(t, p.Message)
		short = append(short, p.Field+"="+p.Code)
	}
	return short
}

// requireBytes compares byte for byte where equivalent JSON is not enough:
// clients see the order of the members and what is escaped.
func requireBytes(t *testing.T, want, got string) {
	t.Helper()
	require.Equal(t, want, got)
}
