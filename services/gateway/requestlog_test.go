package gateway_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
)

// A call that is answered while its gateway drains is in the request log when the gateway has ended.
func TestRequestLog_whileDraining(t *testing.T) {
	t.Parallel()
	settings, text := systemWithKey(t)
	arrived, answer := make(chan struct{}), make(chan struct{})
	orders := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-answer
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{}`)
	}))
	t.Cleanup(orders.Close)
	settings.Upstream.Upstreams = service.Upstreams{operation.Orders: orders.URL}
	addresses, stop := startUntil(t, settings)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addresses["public"]+"/open/v1/orders", nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", text)
	answered, ended := make(chan error, 1), make(chan struct{})
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			err = response.Body.Close()
		}
		answered <- err
	}()
	<-arrived
	go func() { stop(); close(ended) }()
	require.Eventually(t, func() bool {
		open, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addresses["public"])
		if err == nil {
			_ = open.Close()
		}
		return err != nil
	}, waitFor, 10*time.Millisecond, "the gateway drains")
	close(answer)
	require.NoError(t, <-answered)
	<-ended
	database, err := pgx.Connect(t.Context(), settings.Postgres.URL.Reveal())
	require.NoError(t, err)
	defer func() { _ = database.Close(t.Context()) }()
	var logged int
	require.NoError(t, database.QueryRow(t.Context(), "select count(*) from gateway.requests where status = 404").Scan(&logged))
	require.Equal(t, 1, logged)
}
