package cli_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
)

// clock is a clock that advances by waiting, and reports each wait.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	waits func(time.Duration)
}

// Now implements sellerapi.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Wait implements sellerapi.Clock.
func (c *clock) Wait(ctx context.Context, wait time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(wait)
	if c.waits != nil {
		c.waits(wait)
	}
	return ctx.Err()
}

func TestSync_storesAndCarriesOn(t *testing.T) {
	t.Parallel()
	_, w := working(t)
	file := filepath.Join(t.TempDir(), "seller.db")
	for range 2 {
		require.Equal(t, "orders    1\nclaims    0\n", w.runs(cli.ExitDone, "sync", "--db", file, "--only", "orders,claims"))
	}
	require.Contains(t, w.runs(cli.ExitKey, "sync", "--db", file), "inquiries: list_inquiries: 403")
}

// With --follow the rounds repeat at the interval until the program is interrupted. A temporary failure is left to the
// next round.
func TestSync_follows(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			refuse(http.StatusServiceUnavailable, "RATE_LIMIT_UNAVAILABLE")(w, r)
			return
		}
		answer(`{"list": [`+orderA+`], "next_cursor": null}`)(w, r)
	}))
	t.Cleanup(s.Close)
	w := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
	ctx, end := context.WithCancel(t.Context())
	rounds := 0
	w.world.Clock = &clock{now: time.Now(), waits: func(wait time.Duration) {
		if wait < time.Minute { // a pause between two attempts of a call
			return
		}
		rounds++
		away.Store(rounds == 1)
		if rounds == 3 {
			end()
		}
	}}
	w.world.Out, w.world.Err = &w.out, &w.err
	arguments := []string{"sync", "--db", filepath.Join(t.TempDir(), "seller.db"), "--only", "orders", "--follow", "--every", "20m"}
	require.Equal(t, cli.ExitDone, cli.Run(ctx, arguments, w.world), "%s%s", &w.out, &w.err)
	require.Equal(t, 2, strings.Count(w.out.String(), "orders    1\n"), &w.out)
	require.Contains(t, w.err.String(), "orders    again later: list_orders: 503 RATE_LIMIT_UNAVAILABLE")
}

// On a terminal a bar moves while pages are stored and parcels sent; elsewhere it would fill a log.
func TestBars_onTerminalOnly(t *testing.T) {
	t.Parallel()
	_, w := working(t)
	file := filepath.Join(t.TempDir(), "seller.db")
	sheet := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, sheet, "order_no,tracking_no,carrier\nA-1,612345678904,cj\n")
	for _, terminal := range []bool{false, true} {
		w.world.Terminal = terminal
		w.runs(cli.ExitDone, "sync", "--db", file, "--only", "orders")
		bars := w.err.String()
		w.runs(cli.ExitDone, "ship", sheet)
		bars += w.err.String()
		require.Equal(t, terminal, strings.Contains(bars, "orders"), bars)
		require.Equal(t, terminal, strings.Contains(bars, "shipping"), bars)
	}
}
