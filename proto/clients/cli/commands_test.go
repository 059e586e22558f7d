package cli_test

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
)

// use is how a command is used without a failure: its input, and its arguments in a folder with the file today.csv. Obstacle, if
// set, puts something local in its way, and fails the command before it changes anything at the server.
type use struct {
	input     string
	arguments []string
	obstacle  func(t *testing.T, folder string)
}

var uses = map[string]use{
	"login":  {input: key + "\n"},
	"orders": {}, "claims": {}, "qna": {}, "requests": {}, "doctor": {},
	"answer": {arguments: []string{"Q-1", "네"}}, "history": {arguments: []string{"A-1"}},
	"correct": {arguments: []string{"A-1", "612345678904", "--carrier", "cj"}},
	"ship": {arguments: []string{"today.csv"}, obstacle: func(t *testing.T, folder string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "today.csv"), []byte("nothing\n"), 0o600))
	}},
	"sync": {arguments: []string{"--db", "seller.db"}, obstacle: func(t *testing.T, folder string) {
		t.Helper()
		require.NoError(t, os.Mkdir(filepath.Join(folder, "seller.db"), 0o700))
	}},
	"completion": {arguments: []string{"-c", "bash"}},
}

// everything is a terminal in a folder of its own, whose server answers every call, and the number of calls so far.
func everything(t *testing.T) (w *terminal, folder string, calls *atomic.Int32) {
	t.Helper()
	s, folder, calls := newSeller(t), t.TempDir(), &atomic.Int32{}
	mux := http.NewServeMux()
	mux.Handle("/", s.Config.Handler)
	mux.HandleFunc("GET /open/v1/orders", answer(`{"list": [`+orderA+`, `+orderWhole+`], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/claims", answer(`{"list": [`+claims+`], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/orders/A-1", answer(orderA))
	mux.HandleFunc("POST /open/v1/orders/A-1/shipment/correction", answer(`{"order_no": "A-1", "order_status": "shipping", "updated_at":
		"2026-03-14T02:00:00Z", "items": [{"item_id": "01000000-0000-7000-8000-000000000002", "item_status": "shipping"}]}`))
	mux.HandleFunc("GET /open/v1/orders/A-1/history", answer(orderHistory))
	mux.HandleFunc("GET /open/v1/qna", answer(`{"list": [`+inquiries+`], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/requests", answer(`{"list": [`+requests+`], "next_cursor": null}`))
	mux.HandleFunc("POST /open/v1/qna/Q-1/answer", answer(`{"qna_id": "Q-1", "status": "answered", "converged": false}`))
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		mux.ServeHTTP(w, r)
	})
	requireWritten(t, filepath.Join(folder, "today.csv"), "order_no,item_id,tracking_no,carrier\nA-1,A-1-01,612345678904,cj\n")
	return newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key}), folder, calls
}

func (u use) line(name, folder string) []string {
	line := append([]string{name}, u.arguments...)
	for i, argument := range line {
		if filepath.Ext(argument) != "" {
			line[i] = filepath.Join(folder, argument)
		}
	}
	return line
}

// forEveryCommand runs a test for each command of the program, of which uses must have all.
func forEveryCommand(t *testing.T, test func(t *testing.T, command *kong.Node, u use)) {
	t.Helper()
	commands, err := cli.Leaves(t.Context())
	require.NoError(t, err)
	require.Len(t, commands, len(uses))
	for i, command := range commands {
		u, there := uses[command.Name]
		require.True(t, there, command.Name)
		t.Run(command.Name, func(t *testing.T) {
			t.Parallel()
			own, err := cli.Leaves(t.Context()) // kong's model must not be shared
			require.NoError(t, err)
			test(t, own[i], u)
		})
	}
}

type full struct{}

// Write implements io.Writer.
func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Output that could not be written is missing from a file that a script goes on with, so it is no success.
func TestCommands_outputNotWritten(t *testing.T) {
	t.Parallel()
	forEveryCommand(t, func(t *testing.T, command *kong.Node, u use) {
		t.Helper()
		w, folder, _ := everything(t)
		w.world.In, w.world.Out, w.world.Err = strings.NewReader(u.input), io.Discard, &w.err
		require.Equal(t, cli.ExitDone, cli.Run(t.Context(), u.line(command.Name, folder), w.world), &w.err)
		w.world.In, w.world.Out = strings.NewReader(u.input), full{}
		require.Equal(t, cli.ExitFailed, cli.Run(t.Context(), u.line(command.Name, folder), w.world))
		require.Contains(t, w.err.String(), "no space left")
	})
}

// Text whose encoding is not certain is taken as no argument of any command.
func TestCommands_textNotUTF8(t *testing.T) {
	t.Parallel()
	const broken = "\xb0\xa1\xff"
	forEveryCommand(t, func(t *testing.T, command *kong.Node, u use) {
		t.Helper()
		w, folder, calls := everything(t)
		line := u.line(command.Name, folder)
		lines := [][]string{append(slices.Clone(line), broken)}
		for i := 1; i < len(line); i++ {
			lines = append(lines, slices.Replace(slices.Clone(line), i, i+1, broken))
		}
		for _, flags := range command.AllFlags(true) {
			for _, flag := range flags {
				lines = append(lines, append(slices.Clone(line), "--"+flag.Name+"="+broken))
			}
		}
		for _, line := range lines {
			require.Contains(t, w.runs(cli.ExitUsage, line...), "UTF-8", line)
			require.Zero(t, calls.Load(), line)
		}
	})
}

// What is local and can fail is looked at before the first call.
func TestCommands_localObstacles(t *testing.T) {
	t.Parallel()
	forEveryCommand(t, func(t *testing.T, command *kong.Node, u use) {
		t.Helper()
		w, folder, calls := everything(t)
		if u.obstacle == nil {
			usesFile := slices.ContainsFunc(u.arguments, func(text string) bool { return filepath.Ext(text) != "" })
			require.False(t, usesFile)
			return
		}
		u.obstacle(t, folder)
		w.runs(cli.ExitFailed, u.line(command.Name, folder)...)
		require.Zero(t, calls.Load())
	})
}

// A list has every record, however many pages it takes. One that is cut on request says so.
func TestCommands_wholeLists(t *testing.T) {
	t.Parallel()
	records := map[string]string{
		"orders": strings.Replace(orderA, "A-1", "N-%d", 1), "claims": `{"claim_no": "N-%d"}`, "qna": `{"qna_id": "N-%d"}`,
		"requests": `{"record": "N-%d"}`,
	}
	forEveryCommand(t, func(t *testing.T, command *kong.Node, _ use) {
		t.Helper()
		if !slices.ContainsFunc(command.Flags, func(flag *kong.Flag) bool { return flag.Name == "limit" }) {
			return
		}
		record := records[command.Name]
		require.NotEmpty(t, record)
		s := httptest.NewServer(pages(record, 130))
		t.Cleanup(s.Close)
		w := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
		for _, form := range []string{"--csv", "--json", "--language=ko"} { // the last one has no influence
			require.Equal(t, 130, numbers(w, command.Name, form))
			require.Empty(t, w.err.String())
			for _, limit := range []int{1, 129} {
				require.Equal(t, limit, numbers(w, command.Name, form, fmt.Sprint("--limit=", limit)))
				require.Contains(t, w.err.String(), fmt.Sprintf("the first %d only", limit))
			}
			require.Equal(t, 130, numbers(w, command.Name, form, "--limit=130"))
			require.Empty(t, w.err.String())
		}
		require.Contains(t, w.runs(cli.ExitUsage, command.Name, "--limit=-1"), "--limit")
		require.Contains(t, w.runs(cli.ExitUsage, command.Name, "--since=-1h"), "--since")
	})
}

// pages serves records by pages, an empty one before each of them.
func pages(record string, count int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cursor, full := strings.CutPrefix(r.URL.Query().Get("cursor"), "full-")
		if !full {
			answer(`{"list": [], "next_cursor": "full-`+cmp.Or(cursor, "0")+`"}`)(w, r)
			return
		}
		var from, size int
		_, _ = fmt.Sscan(r.URL.Query().Get("limit"), &size)
		_, _ = fmt.Sscan(cursor, &from)
		var list []string
		for i := from; i < min(from+size, count); i++ {
			list = append(list, fmt.Sprintf(record, i))
		}
		next := "null"
		if from+size < count {
			next = `"` + strconv.Itoa(from+size) + `"`
		}
		answer(`{"list": [`+strings.Join(list, ",")+`], "next_cursor": `+next+`}`)(w, r)
	}
}

func numbers(w *terminal, arguments ...string) int {
	w.t.Helper()
	w.runs(cli.ExitDone, arguments...)
	found := map[string]bool{}
	for _, line := range strings.Split(w.out.String(), "\n") {
		if _, rest, there := strings.Cut(line, "N-"); there {
			found[rest[:strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })]] = true
		}
	}
	return len(found)
}

// In CSV nothing is shortened or stands for what is absent, and a text comes back as it is.
func TestLists_csvAsTheRecordIs(t *testing.T) {
	t.Parallel()
	w, _ := listing(t)
	rows, err := csv.NewReader(strings.NewReader(w.runs(cli.ExitDone, "qna", "--csv"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, "언제\n오나요?", rows[1][3])
	require.Equal(t, long, rows[2][3])
	rows, err = csv.NewReader(strings.NewReader(w.runs(cli.ExitDone, "orders", "--csv"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"이서연", "", "", "이서연", "", "111"}, append(rows[1][6:9:9], rows[2][6:9]...))
}

// An order that was asked for by its number and is not there is no success.
func TestLists_orderNotFound(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(answer(`{"list": [], "next_cursor": null}`))
	t.Cleanup(s.Close)
	w := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
	for _, form := range []string{"--csv", "--json", "--language=ko"} {
		require.Contains(t, w.runs(cli.ExitFailed, "orders", "A-9", form), "no order A-9")
		w.runs(cli.ExitDone, "orders", form)
	}
}
