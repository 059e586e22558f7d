package service

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// The guarantee of a rolling restart: requests sent before the load balancers noticed get a
// response.
func TestShutdown_order(t *testing.T) {
	t.Parallel()
	entered, finish := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var closed []string
	closing := func(name string) func(context.Context) error {
		return func(ctx context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			closed = append(closed, name)
			return ctx.Err() // the context of the shutdown itself must be valid
		}
	}
	drains := make(chan struct{})
	r := start(t, Spec{
		Config: Config{ShutdownTimeout: time.Minute},
		Listeners: []Listener{public(func(w http.ResponseWriter, request *http.Request) {
			if request.URL.Path == "/slow" {
				close(entered)
				<-finish
			}
			hello(w, request)
		})},
		Drain: []func(){func() { close(drains) }},
		Close: []func(context.Context) error{closing("pool"), closing("jobs")},
	})
	status, report := r.readyz(t)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ready", report.Status)

	slow := make(chan error, 1)
	go func() {
		answer, err := r.try(t.Context(), "public", "/slow")
		if err == nil && (answer.status != http.StatusOK || answer.body != "hello") {
			err = errors.New(answer.body)
		}
		slow <- err
	}()
	<-entered
	r.cancel()

	require.Eventually(t, func() bool {
		status, report := r.readyz(t)
		return status == http.StatusServiceUnavailable && report.Status == "draining"
	}, time.Minute, time.Millisecond)
	answer := r.get(t, "public", "/")
	require.Equal(t, http.StatusOK, answer.status, "requests are still served while draining")
	require.Equal(t, "hello", answer.body)
	require.True(t, answer.closes, "keep-alive connections are closed")
	<-drains // before the wait of the drain ends

	r.release()
	require.Eventually(t, func() bool {
		_, err := r.try(t.Context(), "public", "/")
		return err != nil
	}, time.Minute, time.Millisecond, "the public port is closed")
	require.Empty(t, closed, "nothing is closed during a request")
	require.Equal(t, http.StatusOK, r.get(t, OpsListener, "/livez").status, "probes work until the end of the shutdown")

	close(finish)
	require.NoError(t, <-slow)
	require.NoError(t, <-r.ended)
	require.Equal(t, []string{"jobs", "pool"}, closed)
	_, err := r.try(t.Context(), OpsListener, "/livez")
	require.Error(t, err)
}

func TestShutdown_cutsOffHangingRequests(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	r := start(t, Spec{
		Config: Config{ShutdownTimeout: 20 * time.Millisecond},
		Listeners: []Listener{public(func(_ http.ResponseWriter, request *http.Request) {
			close(entered)
			<-request.Context().Done()
		})},
	})
	slow := make(chan error, 1)
	go func() {
		_, err := r.try(t.Context(), "public", "/")
		slow <- err
	}()
	<-entered
	require.ErrorContains(t, r.stop(), "requests on public aborted")
	require.Error(t, <-slow)
}

func TestServe_portTaken(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	closed := false
	err = Serve(t.Context(), Spec{
		Telemetry: telemetrytest.Discard(t),
		Config:    Config{Listen: Listen{Ops: "127.0.0.1:0"}},
		Listeners: []Listener{public(hello), {Name: "rpc", Addr: taken.Addr().String(), Handler: http.NotFoundHandler()}},
		OnReady:   func(Addresses) { t.Error("ready without a port") },
		Close:     []func(context.Context) error{func(context.Context) error { closed = true; return nil }},
	})
	require.ErrorContains(t, err, "listen for rpc on")
	require.True(t, closed)
}

func TestClose_runsEveryFunction(t *testing.T) {
	t.Parallel()
	first := errors.New("pool stuck")
	ran := 0
	failing := func(context.Context) error { ran++; return first }
	r := start(t, Spec{Close: []func(context.Context) error{failing, failing, failing}})
	require.ErrorIs(t, r.stop(), first)
	require.Equal(t, 3, ran)
	require.Contains(t, r.logs.String(), "stopped with errors")
}

func TestServe_listenerStopsByItself(t *testing.T) {
	t.Parallel()
	i := newInstance(Spec{
		Telemetry: telemetrytest.Discard(t),
		Config:    Config{Listen: Listen{Ops: "127.0.0.1:0"}, ShutdownTimeout: time.Second},
		Listeners: []Listener{public(hello)},
	})
	i.pause = func(time.Duration) { t.Error("waited for load balancers with a dead port") }
	i.spec.OnReady = func(Addresses) { require.NoError(t, i.servers[0].port.Close()) }
	require.ErrorContains(t, i.run(t.Context()), "serve public")
}

// Every server has every timeout, whatever its listener is for.
func TestServer_hasEveryTimeout(t *testing.T) {
	t.Parallel()
	ready := newReadiness(nil, telemetrytest.Discard(t))
	for _, l := range []Listener{
		public(hello),
		{Name: "rpc", Addr: "127.0.0.1:0", H2C: true},
		{Name: "slow", Addr: "127.0.0.1:0", WriteTimeout: time.Hour},
	} {
		s, err := newServer(t.Context(), l, ready, telemetrytest.Discard(t).Logger)
		require.NoError(t, err)
		require.NoError(t, s.port.Close())
		require.Positive(t, s.http.ReadHeaderTimeout)
		require.Greater(t, s.http.ReadTimeout, s.http.ReadHeaderTimeout)
		require.GreaterOrEqual(t, s.http.WriteTimeout, max(DefaultWriteTimeout, l.WriteTimeout))
		require.GreaterOrEqual(t, s.http.IdleTimeout, 90*time.Second, "longer than that of the proxies")
		require.Equal(t, 32<<10, s.http.MaxHeaderBytes)
		require.Equal(t, l.H2C, s.http.Protocols.UnencryptedHTTP2())
		require.True(t, s.http.Protocols.HTTP1())
	}
}

// HTTP/2 without TLS is accepted only on listeners that allow it.
func TestServer_plainHTTP2OnlyWhereAllowed(t *testing.T) {
	t.Parallel()
	allowed, plain := public(hello), public(hello)
	allowed.Name, allowed.H2C = "rpc", true
	r := start(t, Spec{Listeners: []Listener{allowed, plain}})
	transport := &http.Transport{Protocols: &http.Protocols{}}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	get := func(name string) (int, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.addresses[name], http.NoBody)
		require.NoError(t, err)
		response, err := transport.RoundTrip(request)
		if err != nil {
			return 0, err
		}
		return response.ProtoMajor, response.Body.Close()
	}
	major, err := get("rpc")
	require.NoError(t, err)
	require.Equal(t, 2, major)
	_, err = get("public")
	require.Error(t, err)
	transport.CloseIdleConnections()
	require.NoError(t, r.stop())
}

// The operations listener serves metrics and liveness, and nothing else.
func TestOps_metricsAndLife(t *testing.T) {
	t.Parallel()
	r := start(t, Spec{Checks: []Check{{Name: "postgres", Probe: func(context.Context) error { return nil }}}})
	metrics := r.get(t, OpsListener, "/metrics").body
	for _, line := range []string{
		`build_info{`, `service="demo"`, `dependency_up{check="postgres"} 1`,
		"\nready 1\n", "go_goroutines",
	} {
		require.Contains(t, metrics, line)
	}
	live := r.get(t, OpsListener, "/livez")
	require.Equal(t, http.StatusOK, live.status)
	require.JSONEq(t, `{"status":"alive","service":"demo","version":"test"}`, live.body)
	require.Equal(t, "no-store", live.header.Get("Cache-Control"))
	for _, path := range []string{"/elsewhere", "/debug/pprof/"} {
		require.Equal(t, http.StatusNotFound, r.get(t, OpsListener, path).status, path)
	}
	require.NoError(t, r.stop())
	require.True(t, strings.Contains(r.logs.String(), `"msg":"serving"`) && strings.Contains(r.logs.String(), `"msg":"stopped"`))
}

// net/http by itself would respond with an empty 200.
func TestServer_wholeServerRequestIsHandled(t *testing.T) {
	t.Parallel()
	r := start(t, Spec{Listeners: []Listener{public(func(w http.ResponseWriter, request *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte(request.Method + " " + request.RequestURI))
	})}})
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.addresses["public"])
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	_, err = connection.Write([]byte("OPTIONS * HTTP/1.1\r\nHost: demo\r\nConnection: close\r\n\r\n"))
	require.NoError(t, err)
	answer, err := io.ReadAll(connection)
	require.NoError(t, err)
	require.Contains(t, string(answer), "418 I'm a teapot")
	require.Contains(t, string(answer), "OPTIONS *")
	require.NoError(t, r.stop())
}
