//go:build go1.24

package sellerapi_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// scripted is a response of a script, see ../scenarios/README.md.
type scripted struct {
	Status    int                `json:"status"`
	Data      json.RawMessage    `json:"data"`
	ErrorCode *string            `json:"error_code"`
	ErrorData json.RawMessage    `json:"error_data"`
	Message   string             `json:"message"`
	Headers   map[string]*string `json:"headers"`
	Text      *string            `json:"text"`
	Broken    string             `json:"broken"`
}

type received struct {
	method, path, query string
	header              http.Header
	body                []byte
}

type server struct {
	*httptest.Server

	mu       sync.Mutex
	answers  []scripted
	requests []received
}

func play(t *testing.T, answers ...scripted) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, received{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header, body})
	answer := scripted{Status: http.StatusTeapot} // an unexpected request
	if len(s.answers) > 0 {
		answer, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	answer.write(w)
}

func (s *server) got() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (a scripted) write(w http.ResponseWriter) {
	if a.Broken == "reset" {
		panic(http.ErrAbortHandler)
	}
	for name, value := range a.Headers {
		w.Header()[name] = nil
		if value != nil {
			w.Header().Set(name, *value)
		}
	}
	text := a.text()
	if a.Broken == "cut" {
		w.Header().Set("Content-Length", strconv.Itoa(len(text)+1))
	}
	w.WriteHeader(cmp.Or(a.Status, http.StatusOK))
	_, _ = io.WriteString(w, text)
}

func (a scripted) text() string {
	if a.Text != nil {
		return *a.Text
	}
	status := cmp.Or(a.Status, http.StatusOK)
	data, errorData := a.Data, a.ErrorData
	if data == nil && status == http.StatusOK {
		data = json.RawMessage("{}")
	}
	text, _ := json.Marshal(map[string]any{
		"meta": map[string]any{
			"code": status, "message": cmp.Or(a.Message, "a text"), "error_code": a.ErrorCode, "error_data": errorData,
		},
		"data": data,
	})
	return string(text)
}

// clock is a clock that advances only by waiting.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	waits []float64
	// end, if set, is the number, counted from 1, of the wait that fails.
	end      int
	endsWith func()
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)} }

// Now implements sellerapi.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Wait implements sellerapi.Clock.
func (c *clock) Wait(ctx context.Context, wait time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits = append(c.waits, wait.Seconds())
	if len(c.waits) == c.end {
		c.endsWith()
		return ctx.Err()
	}
	c.now = c.now.Add(wait)
	return ctx.Err()
}

func client(t *testing.T, s *server, c *clock, options ...sellerapi.Option) *sellerapi.Client {
	t.Helper()
	var keys int
	made, err := sellerapi.New(s.URL, "vpk_test_secret", append([]sellerapi.Option{
		sellerapi.WithClock(c),
		sellerapi.WithRandom(func() float64 { return 0.5 }),
		sellerapi.WithKeys(func() string { keys++; return "key-" + strconv.Itoa(keys) }),
	}, options...)...)
	require.NoError(t, err)
	return made
}

// expected is what a request must contain; absent members are not checked.
type expected struct {
	Method *string         `json:"method"`
	Path   *string         `json:"path"`
	Query  *string         `json:"query"`
	Key    json.RawMessage `json:"key"`
	Body   json.RawMessage `json:"body"`
}

func requireRequests(t *testing.T, want []expected, s *server) {
	t.Helper()
	got := s.got()
	require.Len(t, got, len(want))
	for i, w := range want {
		require.Equal(t, []string{"vpk_test_secret"}, got[i].header["X-Api-Key"])
		requireIfSet(t, w.Method, got[i].method)
		requireIfSet(t, w.Path, got[i].path)
		requireIfSet(t, w.Query, got[i].query)
		switch string(w.Key) {
		case "":
		case "null":
			require.NotContains(t, got[i].header, "Idempotency-Key")
		default:
			require.JSONEq(t, string(w.Key), strconv.Quote(got[i].header.Get("Idempotency-Key")))
		}
		switch string(w.Body) {
		case "":
		case "null":
			require.Empty(t, got[i].body)
		default:
			require.Equal(t, "application/json", got[i].header.Get("Content-Type"))
			require.JSONEq(t, string(w.Body), string(got[i].body))
		}
	}
}

func requireIfSet(t *testing.T, want *string, got string) {
	t.Helper()
	if want != nil {
		require.Equal(t, *want, got)
	}
}

func load[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "scenarios", name))
	require.NoError(t, err)
	var all []T
	require.NoError(t, json.Unmarshal(text, &all))
	require.NotEmpty(t, all)
	return all
}
