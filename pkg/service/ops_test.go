package service

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
)

// An overloaded instance serves a few scrapes and refuses the others; its liveness probe always succeeds.
func TestScrapes_doNotPileUp(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	asked, release := make(chan struct{}), make(chan struct{})
	require.NoError(t, tel.Observe(func(telemetry.Emit) { asked <- struct{}{}; <-release }, telemetry.DBPoolConnections))
	handler := opsHandler(newReadiness(nil, tel), tel, false)
	status := func(path string) int {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		return answer.Code
	}
	var waiting sync.WaitGroup
	for range scrapesMost {
		waiting.Go(func() { status("/metrics") })
		<-asked
	}
	require.Equal(t, http.StatusServiceUnavailable, status("/metrics"))
	require.Equal(t, http.StatusOK, status("/livez"))
	close(release)
	waiting.Wait()
	go func() { <-asked }()
	require.Equal(t, http.StatusOK, status("/metrics"))
}

// Profiles are available only when they are configured, and then only inside the pod, not from the network.
func TestProfiles_configuredAndLoopbackOnly(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	without, handler := opsHandler(newReadiness(nil, tel), tel, false), opsHandler(newReadiness(nil, tel), tel, true)
	for from, want := range map[string]int{
		"127.0.0.1:4711": http.StatusOK, "[::1]:4711": http.StatusOK, "[::ffff:127.0.0.1]:4711": http.StatusOK,
		"10.0.0.7:4711": http.StatusNotFound, "[2001:db8::7]:4711": http.StatusNotFound, "@": http.StatusNotFound,
	} {
		for _, page := range []string{"/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/heap"} {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, page, http.NoBody)
			request.RemoteAddr = from
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)
			require.Equal(t, want, answer.Code, "%s from %s", page, from)
			answer = httptest.NewRecorder()
			without.ServeHTTP(answer, request)
			require.Equal(t, http.StatusNotFound, answer.Code, "%s from %s", page, from)
		}
	}
}
