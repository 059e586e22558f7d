package load_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/load"
	"sellerapi.dev/pkg/operation"
)

func TestAnswers_onlyGoodOnesSucceed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/refused":
			w.WriteHeader(http.StatusTooManyRequests)
		case "/broken":
			w.Header().Set("Content-Length", "10")
			_, _ = w.Write([]byte("half"))
		}
	}))
	t.Cleanup(server.Close)
	calls := load.New(load.Options{
		URL: server.URL, Rate: 500, Keys: []load.Key{{Text: "k"}},
		Paths: []string{"/", "/refused", "/broken"},
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); calls.Run(ctx) }()
	var all load.Counts
	codes := map[string]int{}
	require.Eventually(t, func() bool {
		counts := calls.Take()
		all.OK, all.Failed = all.OK+counts.OK, all.Failed+counts.Failed
		all.Failures = append(all.Failures, counts.Failures...)
		for code, n := range counts.Codes {
			codes[code] += n
		}
		return all.OK >= 5 && all.Failed >= 10
	}, time.Minute, 10*time.Millisecond)
	stop()
	<-ended
	texts := strings.Join(all.Failures, "\n")
	require.Contains(t, texts, "/refused 429")
	require.Contains(t, texts, "/broken unexpected EOF")
	require.Positive(t, codes["429"])
	require.Equal(t, map[string]int{"429": codes["429"], "none": all.Failed - codes["429"]}, codes)
}

// The steps of the cluster test wait for Quiet before they count: it is short after a failure and grows without one.
func TestQuiet_sinceTheLastFailure(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	fails.Store(true)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if fails.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	calls := load.New(load.Options{URL: server.URL, Rate: 200, Keys: []load.Key{{Text: "k"}}, Paths: []string{"/"}})
	began := time.Now()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); calls.Run(ctx) }()
	require.Eventually(t, func() bool { return calls.Take().Failed > 0 && calls.Quiet() < time.Since(began) },
		time.Minute, 10*time.Millisecond)
	fails.Store(false)
	require.Eventually(t, func() bool { return calls.Quiet() > 300*time.Millisecond && calls.Take().OK > 0 },
		time.Minute, 10*time.Millisecond)
	stop()
	<-ended
}

// Every service is called; otherwise it could go down in the cluster test unnoticed.
func TestEveryServiceIsCalled(t *testing.T) {
	t.Parallel()
	for _, service := range operation.Services() {
		require.True(t, slices.ContainsFunc(operation.Of(service), func(op operation.Operation) bool {
			return slices.Contains(load.Paths(), op.Path+"?limit=5")
		}), service)
	}
}

func TestKeys_fivePerSellerDeterministic(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	sellers := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		mu.Lock()
		defer mu.Unlock()
		seller, _ := body["sellerId"].(string)
		request, _ := body["requestId"].(string)
		if r.Header.Get("Authorization") != "Bearer t" || (!sellers[seller] && request != "") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		sellers[seller] = true
		_ = json.NewEncoder(w).Encode(map[string]any{"text": "key of " + request})
	}))
	t.Cleanup(server.Close)
	issuer := load.Issuer{URL: server.URL, Token: "t"}
	first, err := issuer.Issue(t.Context(), 12)
	require.NoError(t, err)
	require.Len(t, first, 15)
	require.Len(t, sellers, 3)
	again, err := issuer.Issue(t.Context(), 12)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Len(t, sellers, 3)

	_, err = load.Issuer{URL: server.URL, Token: "wrong"}.Issue(t.Context(), 1)
	require.ErrorContains(t, err, "RegisterSeller: 403")
}
