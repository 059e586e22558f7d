package service

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// An overloaded instance serves a few scrapes and refuses the others; its liveness probe always succeeds.
func TestScrapes_doNotPileUp(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	asked, release := make(chan struct{}), make(chan struct{})
	require.NoError(t, tel.Observe(func(telemetry.Emit) { asked <- struct{}{}; <-release }, telemetry.DBPoolConnections))
	handler := opsHandler(newReadiness(nil, tel), tel)
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
