package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	otelcodes "go.opentelemetry.io/otel/codes"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
)

type view struct {
	Name     string          `json:"name"`
	PaidAt   timestamp.Time  `json:"paid_at"`
	Shipped  *timestamp.Time `json:"shipped_at"`
	Items    []string        `json:"items"`
	Address2 string          `json:"address2,omitempty"`
}

// A success is the whole envelope, byte for byte, with its headers.
func TestHandle_successByteForByte(t *testing.T) {
	t.Parallel()
	paid := timestamp.Time(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
	s := serveOne(t, func(c *gin.Context) (any, error) {
		c.Header("X-Extra", "1")
		return &view{Name: `<b>"Kim" & 김</b>`, PaidAt: paid}, nil
	})
	a := s.get("/thing")
	requireBytes(t, `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},`+
		`"data":{"name":"<b>\"Kim\" & 김</b>","paid_at":"2026-03-04T05:06:07.000000Z","shipped_at":null,"items":[]}}`, a.Body)
	require.Equal(t, 200, a.Status)
	require.Equal(t, "1", a.Header.Get("X-Extra"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, strconv.Itoa(len(a.Body)), a.Header.Get("Content-Length"))
}

type written struct{ json string }

// AppendJSON implements web.Appender.
func (w written) AppendJSON(b []byte) []byte { return append(b, w.json...) }

func TestHandle_selfMarshalingData(t *testing.T) {
	t.Parallel()
	long := `["` + strings.Repeat("김", 10_000) + `"]` // more than a new buffer holds
	s := serve(t, func(e *gin.Engine) {
		e.GET("/short", web.Handle(func(*gin.Context) (any, error) { return written{`{ "a": 1 }`}, nil }))
		e.GET("/long", web.Handle(func(*gin.Context) (any, error) { return written{long}, nil }))
	})
	for range 3 { // buffers are reused
		for path, want := range map[string]string{"/short": `{ "a": 1 }`, "/long": long} {
			requireBytes(t, `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":`+want+`}`, s.get(path).Body)
		}
	}
}

// Equal values must be equal bytes, or a golden file would flicker.
func TestMarshal_sortedAndUnescaped(t *testing.T) {
	t.Parallel()
	stored, err := web.Marshal(map[string]any{"b": 1, "a": "<"})
	require.NoError(t, err)
	requireBytes(t, `{"a":"<","b":1}`, string(stored))
}

// A failure is the whole envelope, byte for byte, without any data.
func TestHandle_failureByteForByte(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) {
		return "ignored", fmt.Errorf("ship: %w", apierr.ScopeForbidden.With(map[string]any{"required_scope": "orders:<write>"}))
	})
	a := s.get("/thing", "X-Request-Id", "r-1")
	require.Equal(t, 403, a.Status)
	requireBytes(t, `{"meta":{"code":403,"message":"The API key does not have the scope that this operation needs.",`+
		`"error_code":"SCOPE_FORBIDDEN","error_data":{"doc_url":"/docs/errors/SCOPE_FORBIDDEN","request_id":"r-1","required_scope":"orders:<write>"}},"data":null}`, a.Body)
	require.Equal(t, strconv.Itoa(len(a.Body)), a.Header.Get("Content-Length"))
}

// Every row of the table must result in the response that the table defines.
func TestHandle_everyCodeAsItsRow(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/fail/:code", web.Handle(func(c *gin.Context) (any, error) {
			code, ok := apierr.Lookup(c.Param("code"))
			require.True(t, ok)
			return nil, code
		}))
	})
	for _, row := range apierr.Codes() {
		if row.Code == apierr.OrderBatchError {
			continue
		}
		a := s.get("/fail/" + string(row.Code))
		requireFailure(t, a, row.Status, row.Code.WireCode())
		require.Equal(t, row.English, a.Meta.Message)
		wait := ""
		if row.RetryAfter > 0 {
			wait = strconv.Itoa(row.RetryAfter)
		}
		require.Equal(t, wait, a.Header.Get("Retry-After"), row.Code)
		require.Equal(t, row.Korean, s.get("/fail/"+string(row.Code), "Accept-Language", "ko-KR,ko;q=0.9,en;q=0.8").Meta.Message)
	}
}

// The code of a batch entry has status 200; as a response it would look like a
// success.
func TestHandle_batchEntryCodeIsNoSuccess(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) { return nil, apierr.OrderBatchError })
	requireFailure(t, s.get("/thing"), 500, "")
}

func TestFail_unknownErrorIsInternal(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) { return nil, errors.New("dial 10.0.0.7: refused") })
	a := s.get("/thing")
	requireFailure(t, a, 500, "")
	require.NotContains(t, a.Body, "10.0.0.7")
	require.Len(t, a.Meta.ErrorData, 2, "only the request ID and the link to its page")
}

// A failure can have its own Retry-After, which is rounded up to seconds.
func TestFailure_namesItsOwnWait(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) {
		return nil, apierr.RateLimited.With(map[string]any{"limit": "rows"}).After(12*time.Second + 1)
	})
	a := s.get("/thing")
	requireFailure(t, a, 429, "RATE_LIMITED")
	require.Equal(t, "13", a.Header.Get("Retry-After"))
	require.Equal(t, "rows", a.Meta.ErrorData["limit"])
}

// Data that cannot be encoded must not leave part of a response behind.
func TestHandle_unencodableData(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/data", web.Handle(func(*gin.Context) (any, error) { return map[string]any{"f": func() {}}, nil }))
		e.GET("/error", web.Handle(func(*gin.Context) (any, error) {
			return nil, apierr.OrderNotFound.With(map[string]any{"f": func() {}})
		}))
	})
	requireFailure(t, s.get("/data"), 500, "")
	requireFailure(t, s.get("/error"), 404, "ORDER_NOT_FOUND")
	for _, line := range s.reported() {
		require.Contains(t, line["error"], "func()")
	}
}

func TestEngine_panicIsInternal(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/panic", web.Handle(func(*gin.Context) (any, error) { panic("lost my head") }))
		e.GET("/fine", web.Handle(func(*gin.Context) (any, error) { return "fine", nil }))
	})
	a := s.get("/panic")
	requireFailure(t, a, 500, "")
	require.NotContains(t, a.Body, "lost my head")
	require.Equal(t, 200, s.get("/fine").Status)
	line := s.reported()[0]
	require.Equal(t, "ERROR", line["level"])
	require.Equal(t, "panic: lost my head", line["error"])
	require.Contains(t, line["stack"], "handle_test.go")
}

// A proxied response that breaks off must not look complete.
func TestEngine_abortMidAnswerCutsConnection(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/abort", func(*gin.Context) { panic(http.ErrAbortHandler) })
		e.GET("/half", func(c *gin.Context) {
			c.Header("Content-Length", "1000")
			_, _ = c.Writer.WriteString("half")
			c.Writer.Flush()
			panic("broke")
		})
	})
	for _, path := range []string{"/abort", "/half"} {
		response, err := s.server.Client().Get(s.URL + path)
		if err == nil {
			_, err = response.Body.Read(make([]byte, 1000))
			for err == nil {
				_, err = response.Body.Read(make([]byte, 1000))
			}
			require.NoError(t, response.Body.Close())
			require.NotErrorIs(t, err, http.ErrBodyReadAfterClose)
			require.ErrorContains(t, err, "unexpected EOF")
		}
		require.Error(t, err)
	}
	lines := s.reported()
	require.Len(t, lines, 2)
	require.InDelta(t, 502, lines[0]["status"], 0)
	require.InDelta(t, 500, lines[1]["status"], 0)
	for _, line := range lines {
		require.Equal(t, true, line["aborted"])
		require.Equal(t, "ERROR", line["level"])
	}
	for _, span := range s.spans.Ended() {
		require.Equal(t, otelcodes.Error, span.Status().Code, "the span has the error, whatever the status sent")
	}
}

// A middleware that fails ends the chain: the next handler is not called.
func TestFail_endsChain(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/guarded", func(c *gin.Context) { web.Fail(c, apierr.InvalidAPIKey) },
			web.Handle(func(*gin.Context) (any, error) { panic("reached") }))
	})
	requireFailure(t, s.get("/guarded"), 401, "INVALID_API_KEY")
}

// A failure after the response began is logged and not sent.
func TestWriteFailure_afterAnswerBegan(t *testing.T) {
	t.Parallel()
	s := serve(t, func(e *gin.Engine) {
		e.GET("/late", func(c *gin.Context) {
			_, _ = c.Writer.WriteString(`{"meta":{"code":200}}`)
			web.WriteFailure(c.Writer, c.Request, apierr.BadUpstream)
			web.Handle(func(*gin.Context) (any, error) { return "second answer", nil })(c)
		})
	})
	require.JSONEq(t, `{"meta":{"code":200}}`, s.get("/late").Body)
	require.Equal(t, "BadUpstream", s.onlyLine()["error_code"])
}

// A proxy's error handler has no gin context, and outside of an engine there is
// not even a request id.
func TestWriteFailure_withoutEngine(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	recorder.Header().Set("Content-Encoding", "gzip")
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Accept-Language", "ko")
	web.WriteFailure(recorder, request, apierr.Unavailable)
	require.Equal(t, 503, recorder.Code)
	require.Equal(t, "1", recorder.Header().Get("Retry-After"))
	require.Empty(t, recorder.Header().Get("Content-Encoding"))
	require.Contains(t, recorder.Body.String(), apierr.Unavailable.Message(apierr.Korean))
	require.Contains(t, recorder.Body.String(), recorder.Header().Get("X-Request-Id"))
	recorder = httptest.NewRecorder()
	web.WriteFailure(recorder, request, nil)
	require.Equal(t, 500, recorder.Code)
}

// The message of a success is in the language that the client prefers.
func TestHandle_languageOfSuccess(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) { return web.Language(c).String(), nil })
	a := s.get("/thing", "Accept-Language", "ko")
	require.Equal(t, "정상 처리되었습니다.", a.Meta.Message)
	require.JSONEq(t, `"ko"`, string(a.Data))
	require.Equal(t, "OK", s.get("/thing", "Accept-Language", "en;q=0.9,ko;q=0.1").Meta.Message)
}
