package service

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// TestMain turns the test binary into a program when a test requests it (see main_test.go).
func TestMain(m *testing.M) {
	if os.Getenv("SERVICE_TEST_PROGRAM") != "" {
		demoProgram()
		return
	}
	goleak.VerifyTestMain(m)
}

type running struct {
	addresses Addresses
	cancel    context.CancelFunc
	drained   chan struct{} // closing it ends the wait of the drain
	ended     chan error
	logs      *telemetrytest.Lines
}

func start(t *testing.T, spec Spec) *running {
	t.Helper()
	r := &running{drained: make(chan struct{}), ended: make(chan error, 1), logs: &telemetrytest.Lines{}}
	tel, err := telemetry.New(t.Context(), "demo", "test", telemetry.Config{}, telemetry.WithLogWriter(r.logs))
	require.NoError(t, err)
	spec.Telemetry, spec.Config.Listen.Ops = tel, "127.0.0.1:0"
	ready := make(chan Addresses, 1)
	spec.OnReady = func(a Addresses) { ready <- a }

	i := newInstance(spec)
	i.pause = func(time.Duration) { <-r.drained }
	ctx, cancel := context.WithCancel(t.Context())
	r.cancel = cancel
	go func() { r.ended <- i.run(ctx) }()
	select {
	case r.addresses = <-ready:
	case err := <-r.ended:
		t.Fatalf("the service ended: %v", err)
	}
	t.Cleanup(func() {
		cancel()
		r.release()
	})
	return r
}

// release ends the wait of the drain; it may be called twice.
func (r *running) release() {
	select {
	case <-r.drained:
	default:
		close(r.drained)
	}
}

func (r *running) stop() error {
	r.cancel()
	r.release()
	return <-r.ended
}

type reply struct {
	status int
	body   string
	header http.Header
	closes bool // the server asked for a new connection
}

func (r *running) get(t *testing.T, listener, path string) reply {
	t.Helper()
	answer, err := r.try(t.Context(), listener, path)
	require.NoError(t, err)
	return answer
}

func (r *running) try(ctx context.Context, listener, path string) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.addresses[listener]+path, http.NoBody)
	if err != nil {
		return reply{}, err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, string(body), response.Header, response.Close}, err
}

func (r *running) readyz(t *testing.T) (int, Report) {
	t.Helper()
	answer := r.get(t, OpsListener, "/readyz")
	var report Report
	require.NoError(t, json.Unmarshal([]byte(answer.body), &report))
	return answer.status, report
}

func public(handler http.HandlerFunc) Listener {
	return Listener{Name: "public", Addr: "127.0.0.1:0", Handler: handler}
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }
