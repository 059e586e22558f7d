package upstream_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/upstream"
)

func forwarder(t *testing.T, longest time.Duration, handler http.HandlerFunc) *upstream.Forwarder {
	t.Helper()
	service := httptest.NewServer(handler)
	t.Cleanup(service.Close)
	address, err := url.Parse(service.URL)
	require.NoError(t, err)
	f := upstream.New(upstream.Options{
		Addresses: map[operation.Service]*url.URL{operation.Orders: address}, Longest: longest,
		Signer: principaltest.Signer(t), Telemetry: telemetrytest.ForTest(t),
	})
	t.Cleanup(f.Close)
	return f
}

func inner(t *testing.T) *http.Request {
	t.Helper()
	ctx := context.WithValue(t.Context(), http.ServerContextKey, &http.Server{ReadHeaderTimeout: time.Second})
	return httptest.NewRequestWithContext(ctx, http.MethodGet, "/open/v1/orders", nil)
}

// half sends the beginning of a response, and then ends it with the given function.
func half(end func(r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer(w, strings.Repeat(" ", 64<<10))
		_ = http.NewResponseController(w).Flush()
		end(r)
		panic(http.ErrAbortHandler)
	}
}

// A fetched response is complete and has only the headers for clients.
func TestFetch_wholeWithHeadersForClients(t *testing.T) {
	t.Parallel()
	f := forwarder(t, 0, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.Header().Set("X-Internal", "secret")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"a":1}`)
	})
	got, err := f.Fetch(inner(t), upstream.Call{Operation: op(time.Minute), Caller: caller})
	require.NoError(t, err)
	require.Equal(t, http.StatusConflict, got.Status)
	require.JSONEq(t, `{"a":1}`, string(got.Body))
	require.Equal(t, "7", got.Header.Get("Retry-After"))
	require.Empty(t, got.Header.Get("X-Internal"))
}

// A fetched response that breaks off is an error.
func TestFetch_brokenOffIsNoAnswer(t *testing.T) {
	t.Parallel()
	f := forwarder(t, 0, half(func(*http.Request) {}))
	got, err := f.Fetch(inner(t), upstream.Call{Operation: op(time.Minute), Caller: caller})
	require.ErrorIs(t, err, apierr.BadUpstream)
	require.Empty(t, got)
}

// A fetched response that does not end in time is a timeout.
func TestFetch_unendingAnswerTimesOut(t *testing.T) {
	t.Parallel()
	f := forwarder(t, 0, half(func(r *http.Request) { <-r.Context().Done() }))
	_, err := f.Fetch(inner(t), upstream.Call{Operation: op(100 * time.Millisecond), Caller: caller})
	require.ErrorIs(t, err, apierr.UpstreamTimeout)
}

// The configured maximum bounds the timeout of every operation.
func TestFetch_longestTimeBoundsAll(t *testing.T) {
	t.Parallel()
	f := forwarder(t, 50*time.Millisecond, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := f.Fetch(inner(t), upstream.Call{Operation: op(time.Hour), Caller: caller})
	require.ErrorIs(t, err, apierr.UpstreamTimeout)
}

// slow is a client that takes the first part of an answer only when a time has passed.
type slow struct {
	*httptest.ResponseRecorder

	takes context.Context //nolint:containedctx // ended when it takes the first part
}

// Write implements http.ResponseWriter.
func (s slow) Write(part []byte) (int, error) {
	<-s.takes.Done()
	return s.ResponseRecorder.Write(part)
}

// The time of an operation is the service's: what a client takes to read does not count, what the service takes after that does.
func TestForward_clientReadsSlowly(t *testing.T) {
	t.Parallel()
	const timeout = time.Second
	body := strings.Repeat(" ", 1<<20)
	for name, c := range map[string]struct {
		service http.HandlerFunc
		stuck   bool
	}{
		"known length": {service: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			answer(w, body)
		}},
		"unknown length":       {service: func(w http.ResponseWriter, _ *http.Request) { answer(w, body) }},
		"the service is stuck": {service: half(func(r *http.Request) { <-r.Context().Done() }), stuck: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := forwarder(t, timeout, c.service)
			takes, cancel := context.WithTimeout(t.Context(), 2*timeout)
			t.Cleanup(cancel)
			client, brokeOff := slow{httptest.NewRecorder(), takes}, 0
			var err error
			forward := func() {
				err = f.Forward(client, inner(t), upstream.Call{Operation: op(time.Minute), Caller: caller, BrokeOff: func() { brokeOff++ }})
			}
			if c.stuck {
				require.PanicsWithValue(t, http.ErrAbortHandler, forward)
				require.Equal(t, 1, brokeOff)
				return
			}
			require.NotPanics(t, forward)
			require.NoError(t, err)
			require.Equal(t, len(body), client.Body.Len())
			require.Zero(t, brokeOff)
		})
	}
}

// streaming starts a gateway that forwards, and calls a function when the service breaks off.
func streaming(t *testing.T, f *upstream.Forwarder, brokeOff func()) string {
	t.Helper()
	engine := web.NewEngine(web.Options{Service: "gateway", Telemetry: telemetrytest.ForTest(t)})
	engine.NoRoute(func(c *gin.Context) {
		call := upstream.Call{Operation: op(time.Minute), Caller: caller, BrokeOff: brokeOff}
		if err := f.Forward(c.Writer, c.Request, call); err != nil {
			web.Fail(c, err)
		}
	})
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	return server.URL
}

func TestFetch_reportsBrokenOffSide(t *testing.T) {
	t.Parallel()
	var told atomic.Int64
	address := streaming(t, forwarder(t, 0, half(func(*http.Request) {})), func() { told.Add(1) })
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	_, err = io.ReadAll(response.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, response.Body.Close())
	require.EqualValues(t, 1, told.Load(), "called once the service breaks off")

	ended := make(chan struct{})
	stuck := half(func(r *http.Request) { <-r.Context().Done(); close(ended) })
	address = streaming(t, forwarder(t, 0, stuck), func() { told.Add(1) })
	request, err = http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err = (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	<-ended
	require.EqualValues(t, 1, told.Load(), "not called when the client disconnects")
}

// The wait that clients of a service that is away are told grows while it sends nothing, and begins anew once it has answered.
func TestFetch_503WaitGrowsWithOutage(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	f := forwarder(t, 0, func(w http.ResponseWriter, _ *http.Request) {
		if away.Load() {
			panic(http.ErrAbortHandler)
		}
		answer(w, "{}")
	})
	wait := func() int {
		_, err := f.Fetch(inner(t), upstream.Call{Operation: op(time.Minute), Caller: caller})
		require.ErrorIs(t, err, apierr.Unavailable)
		return apierr.From(err).RetryAfterSeconds()
	}
	for range 2 {
		away.Store(true)
		require.Equal(t, 1, wait())
		require.Eventually(t, func() bool { return wait() > 1 }, time.Minute, 10*time.Millisecond)
		away.Store(false)
		_, err := f.Fetch(inner(t), upstream.Call{Operation: op(time.Minute), Caller: caller})
		require.NoError(t, err)
	}
}
