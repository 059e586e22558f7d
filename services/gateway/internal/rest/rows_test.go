package rest_test

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// rowsLeft returns the remaining budget before a further read of one row.
func (b *fixture) rowsLeft(t *testing.T, text string) string {
	t.Helper()
	got := b.send(t, reading(text, "/open/v1/orders/O-1"))
	require.Equal(t, http.StatusNotFound, got.status, "the service reports no rows")
	return leftIn(got).rowsRemaining
}

// A read reserves the size of its page, which another one sees while it runs.
func TestRowBudget_page(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"orders":                     "2950",
		"orders?limit=1":             "2999",
		"orders?limit=100":           "2900",
		"orders?l%69mit=100":         "2900",
		"orders?limit=101":           "2950",
		"orders?limit=x":             "2950",
		"orders?cursor=c&limit=7":    "2993",
		"orders/O-1":                 "2999",
		"claims/limit?limit=100":     "2999",
		"qna?status=waiting&limit=5": "2995",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			reached, goOn := make(chan struct{}), make(chan struct{})
			var first atomic.Bool
			b := begin(t, setting{limits: published}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if first.CompareAndSwap(false, true) {
					close(reached)
					<-goOn
				}
				rows(w, r)
			}))
			_, text := b.key(t)
			done := make(chan error, 1)
			go func() { _, err := b.try(t.Context(), reading(text, "/open/v1/"+query)); done <- err }()
			<-reached
			require.Equal(t, want, b.rowsLeft(t, text))
			close(goOn)
			require.NoError(t, <-done)
		})
	}
}

// A read is settled with the number of rows that the service reports.
func TestRowBudget_settledToReportedRows(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published}, http.HandlerFunc(rows))
	_, text := b.key(t)
	left := 3000
	for _, test := range []struct {
		query string
		rows  int
	}{
		{"/open/v1/orders?limit=100&rows=100", 100},
		{"/open/v1/orders?limit=100&rows=3", 3},
		{"/open/v1/orders?rows=0", 0},
		{"/open/v1/orders/O-1?rows=1", 1},
		{"/open/v1/orders/O-1", 0},            // not found
		{"/open/v1/orders?limit=100", 0},      // refused by the service, which reports no rows
		{"/open/v1/orders?rows=-1", 0},        // invalid
		{"/open/v1/orders?rows=x", 0},         // invalid
		{"/open/v1/orders?limit=1&rows=2", 2}, // a service that returns more than requested
	} {
		got := b.send(t, reading(text, test.query))
		left -= test.rows
		require.Equal(t, strconv.Itoa(left), leftIn(got).rowsRemaining, test.query)
		require.Empty(t, got.header.Get(principal.RowsHeader), "the internal header is removed")
		b.admitter.Drain()
		require.Equal(t, strconv.Itoa(left), b.rowsLeft(t, text), test.query)
		b.admitter.Drain()
	}
}

// The error for an exhausted row budget names that limit, for every read.
func TestRowBudget_refusalNamesIt(t *testing.T) {
	t.Parallel()
	limits := published
	limits.Rows = 250
	b := begin(t, setting{limits: limits}, http.HandlerFunc(rows))
	_, text := b.key(t)
	for _, want := range []string{"150", "50", "0"} {
		got := b.send(t, reading(text, "/open/v1/orders?limit=100&rows=100"))
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, want, leftIn(got).rowsRemaining)
	}
	for _, path := range []string{"/open/v1/orders?limit=1&rows=1", "/open/v1/orders/O-1?rows=1", "/open/v1/claims?rows=1"} {
		got := b.send(t, reading(text, path))
		limited(t, got, "rows", 250)
		require.Equal(t, left{"60", "57", "250", "0"}, leftIn(got))
	}
	got := b.post(t, text, "key", prepare("O-1")+"?rows=1", "{}")
	require.Equal(t, http.StatusOK, got.status, "process calls return no rows")
}

// breakingOff announces many rows and breaks off before the end of the response.
func breakingOff(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("break") == "" {
		rows(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(principal.RowsHeader, "90")
	_, _ = io.WriteString(w, strings.Repeat(" ", 64<<10))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// A response that the service breaks off counts no rows.
func TestRowBudget_brokenOffAnswer(t *testing.T) {
	t.Parallel()
	for name, budget := range map[string]int{"large budget": 3000, "nearly used budget": 150} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := published
			limits.Rows = budget
			b := begin(t, setting{limits: limits}, http.HandlerFunc(breakingOff))
			_, text := b.key(t)
			for n := range 3 {
				_, err := b.try(t.Context(), reading(text, "/open/v1/orders?limit=100&break=1"))
				require.ErrorIs(t, err, io.ErrUnexpectedEOF)
				require.Eventually(t, func() bool { return strings.Count(b.log.String(), `"aborted":true`) == n+1 }, waitFor, tick)
				b.admitter.Drain()
				require.Equal(t, strconv.Itoa(budget), b.rowsLeft(t, text))
			}
		})
	}
}

// A client must not read for free by disconnecting before the last byte.
func TestRowBudget_clientLeavesEarly(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("long") == "" {
			rows(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set(principal.RowsHeader, "90")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat(" ", 64<<10)); err != nil {
				return
			}
		}
	}))
	_, text := b.key(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/open/v1/orders?limit=100&long=1", nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", text)
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	require.NoError(t, err)
	require.Equal(t, "2910", response.Header.Get(ratelimit.HeaderRowsRemaining))
	require.NoError(t, response.Body.Close())
	require.Eventually(t, func() bool { return strings.Contains(b.log.String(), `"aborted":true`) }, waitFor, tick)
	b.admitter.Drain()
	require.Equal(t, "2910", b.rowsLeft(t, text))
}

// A client must not read for free by reading so slowly that the operation's time passes. It gets its page all the same.
func TestRowBudget_clientReadsSlowly(t *testing.T) {
	t.Parallel()
	const size = 16 << 20 // more than the buffers of the connections hold
	b := begin(t, setting{limits: published, maxTimeout: 4 * time.Second},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("long") == "" {
				rows(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(size))
			w.Header().Set(principal.RowsHeader, "90")
			_, _ = io.WriteString(w, strings.Repeat(" ", size))
		}))
	_, text := b.key(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/open/v1/orders?limit=100&long=1", nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", text)
	response, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	passed, cancel := context.WithTimeout(t.Context(), 2*b.setting.maxTimeout)
	defer cancel()
	<-passed.Done()
	read, err := io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.EqualValues(t, size, read)
	b.admitter.Drain()
	require.Equal(t, "2910", b.rowsLeft(t, text))
	require.NotContains(t, b.log.String(), `"aborted":true`)
}

// A read without a response of its service counts no rows.
func TestRowBudget_noAnswer(t *testing.T) {
	t.Parallel()
	for name, service := range map[string]http.HandlerFunc{
		"service unreachable":      nil,
		"service drops connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"response is not JSON":     func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := before(t, service)
			_, text := b.key(t)
			want := strconv.Itoa(plenty.Rows)
			for range 3 {
				got := b.send(t, reading(text, "/open/v1/orders?limit=100"))
				require.GreaterOrEqual(t, got.status, 500)
				require.Equal(t, want, leftIn(got).rowsRemaining)
				b.admitter.Drain()
			}
		})
	}
}

// The reservation of a gateway that died expires with its call.
func TestRowBudget_unsettledAgesOut(t *testing.T) {
	t.Parallel()
	limits := published
	limits.Window, limits.Rows = time.Second, 100
	reserved, stay := make(chan struct{}), make(chan struct{})
	b := begin(t, setting{limits: limits}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("hang") != "" {
			close(reserved)
			<-stay
		}
		rows(w, r)
	}))
	_, text := b.key(t)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = b.try(t.Context(), reading(text, "/open/v1/orders?limit=100&hang=1&rows=1"))
	}()
	defer func() {
		close(stay)
		<-gone
	}()
	<-reserved
	for _, status := range []int{http.StatusTooManyRequests, http.StatusOK} {
		require.Eventually(t, func() bool {
			return b.send(t, reading(text, "/open/v1/orders?limit=1&rows=1")).status == status
		}, waitFor, 20*tick, status)
	}
}
