package load_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/load"
)

// shop accepts orders and process calls. It fails the first attempt of each process call.
type shop struct {
	mu       sync.Mutex
	attempts map[string][]string // the idempotency keys by path
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/orders.v1.Intake/PlaceOrders" {
		s.place(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method != http.MethodPost {
		return
	}
	s.attempts[r.URL.Path] = append(s.attempts[r.URL.Path], r.Header.Get("Idempotency-Key"))
	if len(s.attempts[r.URL.Path]) == 1 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func (s *shop) place(w http.ResponseWriter, r *http.Request) {
	var request struct{ Orders []map[string]any }
	_ = json.NewDecoder(r.Body).Decode(&request)
	results := make([]any, len(request.Orders))
	for n, o := range request.Orders {
		results[n] = map[string]any{"orderNo": o["orderNo"], "itemIds": []string{"item"}}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

// A process call that failed is retried with the same idempotency key until it succeeds, and counts as failed once. Successful
// calls are listed with the effect that the database must have.
func TestProcess_madeAgainUntilItSucceeds(t *testing.T) {
	t.Parallel()
	s := &shop{attempts: map[string][]string{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	calls := load.New(load.Options{
		URL: server.URL, Rate: 200, Keys: []load.Key{{Seller: "s", Text: "k"}}, Paths: []string{"/"},
		Intake: load.Intake{URL: server.URL},
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); calls.Run(ctx) }()
	var failed int
	require.Eventually(t, func() bool {
		failed += calls.Take().Codes["503"]
		return strings.Count(calls.Acknowledged(), "\n") >= 4
	}, time.Minute, 10*time.Millisecond)
	stop()
	<-ended
	failed += calls.Take().Codes["503"]
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Len(t, s.attempts, failed)
	path := map[string]string{"preparing": "preparation", "shipment": "shipment"}
	for line := range strings.Lines(calls.Acknowledged()) {
		no, effect, _ := strings.Cut(strings.TrimSpace(line), " ")
		keys := s.attempts["/open/v1/orders/"+no+"/"+path[effect]]
		require.True(t, strings.HasPrefix(no, load.OrderPrefix))
		require.Len(t, keys, 2)
		require.Equal(t, keys[0], keys[1])
	}
	require.Equal(t, len(s.attempts), strings.Count(calls.Acknowledged()+calls.Unsettled(), "\n"))
}
