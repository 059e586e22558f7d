package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
)

const (
	claims = `{"claim_no": "C-1", "order_no": "A-1", "type": "return", "status": "requested", "reason_code": "wrong_delivery",
		"refund_amount": 5000, "available_actions": ["approve", "reject"], "requested_at": "2026-03-14T02:00:00Z",
		"updated_at": "2026-03-14T02:00:00Z"},
		{"claim_no": "C-2", "order_no": "A-2", "type": "cancel", "status": "completed", "available_actions": [],
		"requested_at": "2026-03-14T02:00:00Z", "updated_at": "2026-03-14T02:00:00Z"}`
	inquiries = `{"qna_id": "Q-1", "status": "waiting", "category": "delivery", "product_name": "텀블러",
		"body": "언제\n오나요?", "updated_at": "2026-03-14T02:00:00Z"},
		{"qna_id": "Q-2", "status": "answered", "category": "product", "body": "` + long + `", "updated_at": "2026-03-14T02:00:00Z"}`
	requests = `{"requested_at": "2026-03-14T02:00:00Z", "request_id": "erp-1", "key": "vpk_test_abc", "operation": "ship_order",
		"record": "A-1", "query": null, "status": 403, "error_code": "SCOPE_FORBIDDEN",
		"error_data": {"required_scope": "orders:write"}, "rows": 0, "duration_ms": 14, "idempotency": "first"},
		{"requested_at": "2026-03-14T02:00:00Z", "request_id": "erp-2", "key": "vpk_test_abc", "operation": "list_orders",
		"record": null, "query": "limit=100", "status": 200, "error_code": null, "error_data": null, "rows": 37, "duration_ms": 9,
		"idempotency": null}`
	long = "주말 전에 받아 볼 수 있을지 궁금합니다. 선물이라서 늦어도 금요일까지는 꼭 도착해야 해요."
)

// listing returns a seller's terminal, and a function that returns the last query that the server received.
func listing(t *testing.T) (*terminal, func() string) {
	t.Helper()
	var mu sync.Mutex
	var last string
	lists := map[string]string{
		"/open/v1/orders": orderA, "/open/v1/claims": claims, "/open/v1/qna": inquiries,
		"/open/v1/requests": requests,
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		last = r.URL.Query().Encode()
		answer(`{"list": [`+lists[r.URL.Path]+`], "next_cursor": null}`)(w, r)
	}))
	t.Cleanup(s.Close)
	w := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
	w.world.Clock = &clock{now: time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)}
	return w, func() string {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

// Each record is a row, in a table and in CSV.
func TestLists_claimsAndInquiries(t *testing.T) {
	t.Parallel()
	w, _ := listing(t)
	for command, columns := range map[string][]string{
		"claims": {"C-1", "A-1", "return", "requested", "wrong_delivery", "approve reject"},
		"qna":    {"Q-1", "waiting", "delivery", "언제 오나요?"},
	} {
		table := w.runs(cli.ExitDone, command)
		for _, column := range columns {
			require.Contains(t, table, " "+column+" ")
		}
		rows, err := csv.NewReader(strings.NewReader(w.runs(cli.ExitDone, command, "--csv"))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 3)
		require.Equal(t, columns[:3], rows[1][:3])
		require.Equal(t, 2, strings.Count(w.runs(cli.ExitDone, command, "--json"), "\n"))
	}
	require.Contains(t, w.runs(cli.ExitDone, "qna"), " "+string([]rune(long)[:39])+"… ")
}

// A refused call is shown with its reason, in a table and in CSV.
func TestLists_requests(t *testing.T) {
	t.Parallel()
	w, _ := listing(t)
	table := w.runs(cli.ExitDone, "requests", "A-1")
	for _, column := range []string{"ship_order", "403", "SCOPE_FORBIDDEN", `{"required_scope":"orders:write"}`, "first", "erp-1", "limit=100"} {
		require.Contains(t, table, " "+column+" ")
	}
	rows, err := csv.NewReader(strings.NewReader(w.runs(cli.ExitDone, "requests", "--csv"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, []string{"ship_order", "A-1", "403", "SCOPE_FORBIDDEN", `{"required_scope":"orders:write"}`, "first", "0", "14"},
		rows[1][1:9])
	require.Equal(t, []string{"list_orders", "", "200", "", "", "", "37", "9"}, rows[2][1:9])
	require.Equal(t, 2, strings.Count(w.runs(cli.ExitDone, "requests", "--json"), "\n"))
}

// The requested filters reach the server, and no more records are shown than requested.
func TestLists_filters(t *testing.T) {
	t.Parallel()
	w, asked := listing(t)
	for line, query := range map[string]string{
		"claims -n 1 --status requested --type return":       "limit=2&status=requested&type=return",
		"claims --since 24h":                                 "limit=100&updated_at_gte=2026-03-13T02%3A00%3A00.000000Z",
		"qna --max 1 --since 90m":                            "limit=2&updated_at_gte=2026-03-14T00%3A30%3A00.000000Z",
		"orders A-1 --status paid -n 500":                    "item_status=paid&limit=100&order_no=A-1",
		"requests A-1 --error-code X --operation ship_order": "error_code=X&limit=100&operation=ship_order&record=A-1",
		"requests --since 24h --before 1h -n 1": "limit=2&requested_at_gte=2026-03-13T02%3A00%3A00.000000Z" +
			"&requested_at_lte=2026-03-14T01%3A00%3A00.000000Z",
		"requests --key vpk_test_abc --request-id erp-1": "key=vpk_test_abc&limit=100&request_id=erp-1",
		"orders --ship-within 24h":                       "limit=100&ship_by_lte=2026-03-15T02%3A00%3A00.000000Z",
		"orders --ship-within 0s":                        "limit=100&ship_by_lte=2026-03-14T02%3A00%3A00.000000Z",
	} {
		w.runs(cli.ExitDone, append(strings.Fields(line), "--csv")...)
		require.Equal(t, query, asked(), line)
		if strings.Contains(query, "limit=2&") {
			require.NotContains(t, w.out.String(), "-2,")
		}
	}
}

// A spreadsheet takes a text that begins like a formula for one, and a reader of CSV takes a bare CR for the end of a row: what a
// customer wrote stays a text, in its cell.
func TestLists_csvTexts(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ text, want string }{
		"formula":            {"=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"},
		"plus":               {"+82 10", "'+82 10"},
		"minus":              {"-1", "'-1"},
		"at":                 {"@SUM(A1)", "'@SUM(A1)"},
		"tab":                {"\t=1", "'\t=1"},
		"wide":               {"＝1", "'＝1"},
		"CR":                 {"a\rb", "a\rb"},
		"CR first":           {"\r=1", "'\r=1"},
		"blank":              {" a", " a"},
		"quote and comma":    {"a,\"b\"", "a,\"b\""},
		"formula character":  {"1=1", "1=1"},
		"apostrophe":         {"'a", "'a"},
		"escape and no more": {"\x1b[2J", "\x1b[2J"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := inquiry(t, row.text).runs(cli.ExitDone, "qna", "--csv")
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			require.NoError(t, err)
			require.Equal(t, row.want, rows[1][3])
			if strings.Contains(row.text, "\r") {
				require.Contains(t, out, `"`+row.want+`"`)
			}
		})
	}
}

// What others wrote does not steer the terminal.
func TestLists_controlCharacters(t *testing.T) {
	t.Parallel()
	w := inquiry(t, "a\x1b[2Jb\u009bc\u202ed")
	require.Contains(t, w.runs(cli.ExitDone, "qna"), " a\uFFFD[2Jb\uFFFDc\uFFFDd ")
	file := filepath.Join(t.TempDir(), "today.csv")
	require.NoError(t, os.WriteFile(file, []byte("order_no,tracking_no,carrier\nA\x1b[2J-1,612345678904,cj\n"), 0o600))
	shown := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, shown, "A\uFFFD[2J-1")
	require.NotContains(t, shown, "\x1b")
}

func inquiry(t *testing.T, text string) *terminal {
	t.Helper()
	list, err := json.Marshal([]map[string]string{{"qna_id": "Q-1", "body": text}})
	require.NoError(t, err)
	s := httptest.NewServer(answer(`{"list": ` + string(list) + `, "next_cursor": null}`))
	t.Cleanup(s.Close)
	return newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
}
