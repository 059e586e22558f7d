package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func failing(name string, err error) Check {
	return Check{Name: name, Probe: func(context.Context) error { return err }}
}

func TestReadyz_namesMissingDependency(t *testing.T) {
	t.Parallel()
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	r := start(t, Spec{Checks: []Check{
		failing("postgres", nil),
		{Name: "orders", Probe: func(ctx context.Context) error {
			_, err := (&net.Dialer{}).DialContext(ctx, "tcp", closed.Addr().String())
			return fmt.Errorf("dial canary: %w", err)
		}},
	}})
	answer := r.get(t, OpsListener, "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, answer.status)
	require.JSONEq(t, `{"status":"dependency missing","checks":[
		{"name":"postgres","ok":true}, {"name":"orders","ok":false,"error":"refused"}]}`, answer.body)
	require.NoError(t, r.stop())
}

func TestReadyz_optionalDependency(t *testing.T) {
	t.Parallel()
	r := start(t, Spec{Checks: []Check{{Name: "redis", Optional: true, Probe: func(context.Context) error { return io.EOF }}}})
	answer := r.get(t, OpsListener, "/readyz")
	require.Equal(t, http.StatusOK, answer.status)
	require.JSONEq(t, `{"status":"ready","checks":[{"name":"redis","ok":false,"optional":true,"error":"connection broken"}]}`,
		answer.body)
	require.NoError(t, r.stop())
}

type weak struct{ error }

// ProbeImpairment implements impaired.
func (weak) ProbeImpairment() string { return "read_only" }

// A dependency that accepts no writes does not make the service unready, but the operator must see it by name.
func TestReadyz_impairedDependencyIs200(t *testing.T) {
	t.Parallel()
	var hurt atomic.Bool
	hurt.Store(true)
	probe := func(context.Context) error {
		if hurt.Load() {
			return fmt.Errorf("probe: %w", weak{errors.New("canary")})
		}
		return nil
	}
	r := start(t, Spec{Checks: []Check{
		{Name: "at_start", Probe: probe, Once: true}, {Name: "postgres", Probe: probe, Impairments: []string{"read_only", "slow"}},
	}})
	status, report := r.readyz(t)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, CheckReport{Name: "postgres", OK: true, Impaired: "read_only"}, report.Checks[1])
	metrics := r.get(t, OpsListener, "/metrics").body
	for _, line := range []string{
		`dependency_up{check="postgres"} 1`, `dependency_impaired{check="postgres",impairment="read_only"} 1`,
		`dependency_impaired{check="postgres",impairment="slow"} 0`,
	} {
		require.Contains(t, metrics, line)
	}
	require.Contains(t, r.logs.String(),
		`"msg":"dependency impaired","service":"demo","version":"test","check":"postgres","impairment":"read_only","error":"probe: canary"`)
	hurt.Store(false)
	require.Eventually(t, func() bool {
		return strings.Contains(r.get(t, OpsListener, "/metrics").body,
			`dependency_impaired{check="postgres",impairment="read_only"} 0`)
	}, time.Minute, 10*time.Millisecond)
	require.Contains(t, r.logs.String(), `"msg":"dependency recovered","service":"demo","version":"test","check":"postgres"`)
	require.NoError(t, r.stop())
}

type named struct{ error }

// ProbeClass implements classed.
func (named) ProbeClass() string { return "evicts" }

// The error of a probe is reported by its class; its text is not shown.
func TestProbes_errorsNamedByClass(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"":                  nil,
		"timeout":           fmt.Errorf("ping: %w", context.DeadlineExceeded),
		"refused":           &net.OpError{Op: "dial", Err: fmt.Errorf("connect: %w", syscall.ECONNREFUSED)},
		"name not found":    &net.OpError{Op: "dial", Err: &net.DNSError{Name: "canary", IsNotFound: true}},
		"connection broken": fmt.Errorf("read: %w", syscall.ECONNRESET),
		"Unavailable":       fmt.Errorf("ping: %w", apierr.Unavailable.Because(errors.New("canary"))),
		"error":             errors.New("canary"),
		"evicts":            fmt.Errorf("ping: %w", named{errors.New("canary")}),
	} {
		require.Equal(t, want, class(err))
	}
	require.Equal(t, "timeout", class(&net.DNSError{Name: "canary", IsTimeout: true}))
}

// All requests within a second share one run of a probe.
func TestProbes_sharedForASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var probes atomic.Int32
		r := newReadiness([]Check{{Name: "postgres", Probe: func(context.Context) error {
			probes.Add(1)
			return nil
		}}}, telemetrytest.Discard(t))
		r.set(stateServing)
		ask := func() {
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() { require.Equal(t, statusReady, r.report(t.Context()).Status) })
			}
			group.Wait()
		}
		ask()
		require.EqualValues(t, 1, probes.Load())
		<-time.After(reportLife - 1)
		ask()
		require.EqualValues(t, 1, probes.Load())
		<-time.After(1)
		ask()
		require.EqualValues(t, 2, probes.Load())
	})
}

func TestProbes_concurrentWithDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		r := newReadiness([]Check{{Name: "a", Probe: slow}, {Name: "b", Probe: slow}, failing("c", nil)}, telemetrytest.Discard(t))
		r.set(stateServing)
		begin := time.Now()
		report := r.report(t.Context())
		require.Equal(t, probeTimeout, time.Since(begin))
		require.Equal(t, Report{Status: statusMissing, Checks: []CheckReport{
			{Name: "a", Error: classTimeout}, {Name: "b", Error: classTimeout}, {Name: "c", OK: true},
		}}, report)
	})
}

func TestProbes_ignoredDeadlineStartsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var probes atomic.Int32
		release := make(chan struct{})
		r := newReadiness([]Check{{Name: "stuck", Probe: func(context.Context) error {
			probes.Add(1)
			<-release
			return nil
		}}}, telemetrytest.Discard(t))
		r.set(stateServing)
		for range 5 {
			require.Equal(t, statusMissing, r.report(t.Context()).Status)
			<-time.After(2 * time.Second)
		}
		require.EqualValues(t, 1, probes.Load())
		close(release)
		synctest.Wait()
		require.Equal(t, statusReady, r.report(t.Context()).Status)
		require.EqualValues(t, 2, probes.Load())
	})
}

func TestProbes_resultSurvivesCanceledCaller(t *testing.T) {
	t.Parallel()
	r := newReadiness([]Check{{Name: "postgres", Probe: func(ctx context.Context) error { return ctx.Err() }}},
		telemetrytest.Discard(t))
	r.set(stateServing)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, statusReady, r.report(gone).Status)
}

// A probe that panics is reported as a missing dependency.
func TestProbes_panicIsMissingDependency(t *testing.T) {
	t.Parallel()
	r := newReadiness([]Check{{Name: "broken", Probe: func(context.Context) error { panic("canary") }}}, telemetrytest.Discard(t))
	r.set(stateServing)
	require.Equal(t, Report{Status: statusMissing, Checks: []CheckReport{{Name: "broken", Error: classOther}}},
		r.report(t.Context()))
}

// The state of the service determines whether it is ready, and the gauge follows at once.
func TestReadiness_stateDecidesGaugeFollows(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	r := newReadiness(nil, tel)
	gauge := tel.Gauge(telemetry.Ready).WithLabelValues()
	require.Equal(t, Report{Status: statusStarting, Checks: []CheckReport{}}, r.report(t.Context()))
	require.InDelta(t, 0, testutil.ToFloat64(gauge), 0)
	r.set(stateServing)
	require.Equal(t, statusReady, r.report(t.Context()).Status)
	require.InDelta(t, 1, testutil.ToFloat64(gauge), 0)
	r.set(stateDraining)
	require.InDelta(t, 0, testutil.ToFloat64(gauge), 0, "immediately, without a request for readiness")
	require.Equal(t, statusDraining, r.report(t.Context()).Status)
}

// The log tells the operator what is wrong, once per change and not at every probe.
func TestProbes_loggedOncePerChange(t *testing.T) {
	t.Parallel()
	logs := &telemetrytest.Lines{}
	tel, err := telemetry.New(t.Context(), "demo", "test", telemetry.Config{}, telemetry.WithLogWriter(logs))
	require.NoError(t, err)
	reset := func(port int) error {
		local := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: port}
		remote := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 2), Port: 6379}
		return &net.OpError{Op: "read", Net: "tcp", Source: local, Addr: remote, Err: syscall.ECONNRESET}
	}
	found := []error{
		nil,
		errors.New("its policy is allkeys-lru"), errors.New("its policy is allkeys-lru"),
		errors.New("its policy is volatile-ttl"),
		reset(40001), reset(40002),
		context.DeadlineExceeded, fmt.Errorf("ping: %w", os.ErrDeadlineExceeded),
		nil, nil,
		errors.New("its policy is volatile-ttl"),
	}
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r := newReadiness([]Check{{Name: "redis", Probe: func(context.Context) error { return found[n] }}}, tel)
		r.set(stateServing)
		for n = range found {
			r.report(t.Context())
			<-time.After(reportLife)
		}
		r.set(stateDraining)
		n = 0
		r.report(t.Context()) // closing at the end is not logged
	})
	require.Equal(t, []string{
		"WARN dependency missing redis error its policy is allkeys-lru",
		"WARN dependency missing redis error its policy is volatile-ttl",
		"WARN dependency missing redis connection broken read tcp 10.0.0.1:40001->10.0.0.2:6379: connection reset by peer",
		"WARN dependency missing redis timeout context deadline exceeded",
		"INFO dependency recovered redis  ",
		"WARN dependency missing redis error its policy is volatile-ttl",
	}, told(t, logs))
}

func told(t *testing.T, logs *telemetrytest.Lines) []string {
	t.Helper()
	var lines []string
	for text := range strings.Lines(logs.String()) {
		var line struct{ Level, Msg, Check, Class, Error string }
		require.NoError(t, json.Unmarshal([]byte(text), &line))
		lines = append(lines, strings.Join([]string{line.Level, line.Msg, line.Check, line.Class, line.Error}, " "))
	}
	return lines
}

// An outage must not make instances unready only because they had not been probed before.
func TestProbes_reachedOnceWithoutRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		probes, away := 0, errors.New("away")
		r := newReadiness([]Check{{Name: "redis", Once: true, Probe: func(context.Context) error {
			probes++
			if probes == 4 {
				return nil
			}
			return away
		}}}, telemetrytest.Discard(t))
		r.set(stateServing)
		begin := time.Now()
		r.reach(t.Context())
		require.Equal(t, 3*reportLife, time.Since(begin), "three pauses between four probes")
		<-time.After(time.Hour)
		require.Equal(t, Report{Status: statusReady, Checks: []CheckReport{{Name: "redis", OK: true}}}, r.report(t.Context()))
		require.Equal(t, 4, probes, "no further probe")
	})
}

func TestProbes_reachedOnceForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		err := away
		r := newReadiness([]Check{{Name: "redis", Once: true, Probe: func(context.Context) error { return err }}},
			telemetrytest.Discard(t))
		r.set(stateServing)
		ctx, cancel := context.WithCancel(t.Context())
		go r.reach(ctx)
		synctest.Wait()
		require.Equal(t, statusMissing, r.report(t.Context()).Status)
		cancel() // the background probing has ended; a request is enough
		synctest.Wait()
		err = nil
		<-time.After(reportLife)
		require.Equal(t, statusReady, r.report(t.Context()).Status)
		err = away
		<-time.After(reportLife)
		require.Equal(t, statusReady, r.report(t.Context()).Status)
	})
}

func TestProbes_endWithTheService(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	closed := false
	r := start(t, Spec{
		Checks: []Check{{Name: "redis", Once: true, Probe: func(context.Context) error {
			asked <- struct{}{}
			return errors.New("away")
		}}},
		Close: []func(context.Context) error{func(context.Context) error { closed = true; return nil }},
	})
	<-asked // without a request
	require.NoError(t, r.stop())
	require.True(t, closed)
	require.NotContains(t, r.logs.String(), "dependencies reached")
}
