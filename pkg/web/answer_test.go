package web_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

// A repetition gets the bytes of the first response, so what is stored must be
// what is sent.
func TestRender_sameAsHandle(t *testing.T) {
	t.Parallel()
	for name, fn := range map[string]func(*gin.Context) (any, error){
		"success":                  func(*gin.Context) (any, error) { return map[string]any{"b": "<", "a": 1}, nil },
		"refusal":                  func(*gin.Context) (any, error) { return nil, apierr.OrderNotFound.With(map[string]any{"a": "<"}) },
		"refusal with Retry-After": func(*gin.Context) (any, error) { return nil, apierr.Unavailable },
		"value not encodable":      func(*gin.Context) (any, error) { return func() {}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(e *gin.Engine) {
				e.GET("/direct", web.Handle(fn))
				e.GET("/rendered", web.Handle(func(c *gin.Context) (any, error) {
					data, err := fn(c)
					return web.Render(c, data, err), nil
				}))
			})
			direct := s.get("/direct", "X-Request-Id", "r", "Accept-Language", "ko")
			rendered := s.get("/rendered", "X-Request-Id", "r", "Accept-Language", "ko")
			require.Equal(t, direct.Status, rendered.Status)
			requireBytes(t, direct.Body, rendered.Body)
			require.Equal(t, direct.Header.Get("Retry-After"), rendered.Header.Get("Retry-After"))
			lines := s.reported()
			for _, field := range []string{"level", "status", "error_code", "error"} {
				require.Equal(t, lines[0][field], lines[1][field], field)
			}
		})
	}
}

// A stored response is sent unchanged.
func TestAnswer_keptOneIsSentAsItIs(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(*gin.Context) (any, error) {
		return web.Answer{Status: http.StatusConflict, Body: []byte(`{"meta":{"code":409},"data":null}`)}, nil
	})
	a := s.get("/thing")
	require.Equal(t, 409, a.Status)
	requireBytes(t, `{"meta":{"code":409},"data":null}`, a.Body)
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "INFO", s.onlyLine()["level"])
}

// A response can be rendered outside of an engine.
func TestRender_withoutEngine(t *testing.T) {
	t.Parallel()
	c := &gin.Context{Request: requestWithQuery("")}
	answer := web.Render(c, nil, errors.New("broken"))
	require.Equal(t, 500, answer.Status)
	require.Equal(t, apierr.Internal, answer.Failure.Code)
	require.Contains(t, string(answer.Body), `"request_id"`)
}
