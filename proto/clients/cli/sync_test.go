package cli_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
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

// Where the server holds calls, all lists are followed at once: a change is stored as soon as the call is answered, and Ctrl-C
// ends the calls that are held.
func TestSync_followsHeldCalls(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	records := map[string]string{"/open/v1/orders": orderA, "/open/v1/claims": claims, "/open/v1/qna": inquiries}
	var held atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch query := r.URL.Query(); query.Get("after") + " " + query.Get("wait") {
		case "beginning 25":
			answer(`{"list": [], "next_cursor": null, "after": "p-1"}`)(w, r)
		case "p-1 25":
			answer(`{"list": [`+records[r.URL.Path]+`], "next_cursor": null, "after": "p-2"}`)(w, r)
		default:
			if held.Add(1) == int32(len(records)) {
				end()
			}
			<-r.Context().Done()
		}
	}))
	t.Cleanup(s.Close)
	w := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
	w.world.Out, w.world.Err = &w.out, &w.err
	file := filepath.Join(t.TempDir(), "seller.db")
	require.Equal(t, cli.ExitDone, cli.Run(ctx, []string{"sync", "--db", file, "--follow"}, w.world), "%s%s", &w.out, &w.err)
	require.Empty(t, w.err.String())
	require.ElementsMatch(t, []string{"orders    0", "claims    0", "inquiries 0", "orders    1", "claims    2", "inquiries 2"},
		strings.Split(strings.TrimSpace(w.out.String()), "\n"))
	copied := opened(t, file)
	require.Equal(t, [][]string{{"claims", "p-2"}, {"inquiries", "p-2"}, {"orders", "p-2"}},
		rowsOf(t, copied, "select list, state ->> 'after' from sync_state order by list"))
	require.Equal(t, [][]string{{"5"}}, rowsOf(t, copied, "select count(*) from records"))
}

// A list that cannot be followed ends the program, and its failure is the one that is said.
func TestSync_followEndsOnRefusal(t *testing.T) {
	t.Parallel()
	_, w := working(t)
	arguments := []string{"sync", "--db", filepath.Join(t.TempDir(), "seller.db"), "--follow"}
	require.Contains(t, w.runs(cli.ExitKey, arguments...), "inquiries: list_inquiries: 403")
}

// Another program that reads or writes the file is waited for: neither the round nor the program ends.
func TestSync_fileLocked(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		lock string
		old  bool // the file is of an earlier version of the program, without a write-ahead log
	}{
		"read":           {lock: "begin; select * from records"},
		"written":        {lock: "begin immediate"},
		"old file read":  {lock: "begin; select * from records", old: true},
		"old file taken": {lock: "begin exclusive", old: true},
	} {
		for _, follow := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, follow %v", name, follow), func(t *testing.T) {
				t.Parallel()
				_, w := working(t)
				file := filepath.Join(t.TempDir(), "seller's copy?.db")
				w.runs(cli.ExitDone, "sync", "--db", file, "--only", "orders")
				other := opened(t, file)
				if row.old {
					_, err := other.ExecContext(t.Context(), "pragma journal_mode = delete")
					require.NoError(t, err)
				}
				_, err := other.ExecContext(t.Context(), row.lock)
				require.NoError(t, err)
				ctx, end := context.WithCancel(t.Context())
				waits := 0
				w.world.Clock = &clock{now: time.Now(), waits: func(wait time.Duration) {
					if waits++; wait > time.Minute { // between two rounds
						end()
						return
					}
					if waits == 2 {
						_, err := other.ExecContext(ctx, "rollback")
						require.NoError(t, err)
					}
				}}
				arguments := []string{"sync", "--db", file, "--only", "orders", "--every", "20m"}
				if follow {
					arguments = append(arguments, "--follow")
				}
				w.out.Reset()
				require.Equal(t, cli.ExitDone, cli.Run(ctx, arguments, w.world), "%s%s", &w.out, &w.err)
				require.Equal(t, "orders    1\n", w.out.String())
				require.Equal(t, name != "read", strings.Contains(w.err.String(), "is locked by another program"), &w.err)
			})
		}
	}
}

// opened returns the only connection to a SQLite file.
func opened(t *testing.T, file string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	connection, err := db.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, connection.Close()) })
	return connection
}

// Every query of the copy that the help, the README and the guides show returns what is in the copy.
func TestCopy_queriesOfDocuments(t *testing.T) {
	t.Parallel()
	w, folder, _ := everything(t)
	file := filepath.Join(folder, "seller.db")
	w.runs(cli.ExitDone, "sync", "--db", file)
	commands, err := cli.Leaves(t.Context())
	require.NoError(t, err)
	documents := map[string]string{}
	for _, command := range commands {
		documents[command.Name+" --help"] = command.Detail
	}
	guides, err := filepath.Glob(filepath.Join("..", "..", "openapi", "guides", "*", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, guides)
	for _, path := range append(guides, "README.md", filepath.Join("..", "go", "README.md")) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		documents[path] = string(text)
	}
	copied, shown := opened(t, file), map[string]int{}
	for name, text := range documents {
		shown[name] = strings.Count(text, "sqlite3 ")
		queries := regexp.MustCompile(`sqlite3 seller\.db "([^"]+)"`).FindAllStringSubmatch(text, -1)
		require.Len(t, queries, shown[name], name)
		for _, query := range queries {
			require.NotEmpty(t, rowsOf(t, copied, query[1]), query[1])
		}
	}
	require.Positive(t, shown["sync --help"])
	require.Positive(t, shown["README.md"])
}

// A view that cannot be queried, or a column without what the record has, would be found by nobody but a seller.
func TestCopy_everyColumn(t *testing.T) {
	t.Parallel()
	w, folder, _ := everything(t)
	file := filepath.Join(folder, "seller.db")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := map[string]string{"/open/v1/orders": orderWhole, "/open/v1/claims": claims, "/open/v1/qna": inquiries}[r.URL.Path]
		answer(`{"list": [`+list+`], "next_cursor": null}`)(w, r)
	}))
	t.Cleanup(s.Close)
	w.runs(cli.ExitDone, "sync", "--db", file, "--url", s.URL)
	copied, want := opened(t, file), map[string][]string{
		"orders":      {"W-1", "paid", "2026-03-14T02:00:00.000000Z", "2026-03-14T02:00:00Z", "이서연", "1000", ""},
		"order_items": {"i-1", "W-1", "shipping", "순면 티셔츠", "블랙", "2", "900", "CJ대한통운", "111", "0", "1", "2026-03-15T14:59:59Z", ""},
		"claims":      {"C-1", "A-1", "return", "requested", "2026-03-14T02:00:00.000000Z", "5000", ""},
		"inquiries":   {"Q-1", "waiting", "2026-03-14T02:00:00.000000Z", "텀블러", "언제\n오나요?", ""},
	}
	views := rowsOf(t, copied, "select name from sqlite_schema where type = 'view'")
	require.Len(t, views, len(want))
	for view, columns := range want {
		got := rowsOf(t, copied, "select * from "+view)[0]
		require.True(t, json.Valid([]byte(got[len(got)-1])), view)
		got[len(got)-1] = ""
		require.Equal(t, columns, got, view)
	}
}

const orderWhole = `{"order_no": "W-1", "seller_order_status": "paid", "recipient_name": "이서연", "paid_at": "2026-03-14T02:00:00Z",
	"updated_at": "2026-03-14T02:00:00Z", "seller_paid_amount": 1000, "items": [{"item_id": "i-1", "item_status": "shipping",
	"product_name": "순면 티셔츠", "option_name": "블랙", "quantity": 2, "line_paid_amount": 900, "carrier_name": "CJ대한통운",
	"tracking_no": "111", "is_exchange": false, "has_active_claim": true, "ship_by": "2026-03-15T14:59:59Z"}]}`

func rowsOf(t *testing.T, connection *sql.Conn, query string) [][]string {
	t.Helper()
	result, err := connection.QueryContext(t.Context(), query)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, result.Close()) }()
	columns, err := result.Columns()
	require.NoError(t, err)
	var all [][]string
	for result.Next() {
		texts, places, row := make([]sql.NullString, len(columns)), make([]any, len(columns)), make([]string, len(columns))
		for i := range texts {
			places[i] = &texts[i]
		}
		require.NoError(t, result.Scan(places...))
		for i, text := range texts {
			row[i] = text.String
		}
		all = append(all, row)
	}
	require.NoError(t, result.Err())
	return all
}

// On a terminal a bar moves while pages are stored and parcels sent; elsewhere it would fill a log.
func TestBars_onTerminalOnly(t *testing.T) {
	t.Parallel()
	_, w := working(t)
	file := filepath.Join(t.TempDir(), "seller.db")
	sheet := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, sheet, "order_no,item_id,tracking_no,carrier\nA-1,A-1-01,612345678904,cj\n")
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
