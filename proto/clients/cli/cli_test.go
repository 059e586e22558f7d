package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/korean"

	"sellerapi.dev/proto/clients/cli"
)

const key = "vpk_test_secret"

// seller is a server with two orders; A-1 has items 1 (paid) and 2 (shipped as 111), B-1 one item that is refused.
type seller struct {
	*httptest.Server

	mu      sync.Mutex
	batches []map[string]any
}

func newSeller(t *testing.T) *seller {
	t.Helper()
	s := &seller{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /open/v1/orders", answer(`{"list": [`+orderA+`], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/claims", answer(`{"list": [], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/qna", refuse(403, "SCOPE_FORBIDDEN"))
	mux.HandleFunc("GET /open/v1/orders/A-1", answer(orderA))
	mux.HandleFunc("GET /open/v1/orders/{number}", refuse(404, "ORDER_NOT_FOUND"))
	mux.HandleFunc("POST /open/v1/orders/batch/shipment", s.ship)
	mux.HandleFunc("POST /open/v1/", refuse(422, "VALIDATION_ERROR"))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key {
			refuse(401, "INVALID_API_KEY")(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

const orderA = `{"order_no": "A-1", "recipient_name": "이서연", "paid_at": "2026-03-14T02:00:00Z", "updated_at": "2026-03-14T02:00:00Z",
	"items": [
		{"item_id": "01000000-0000-7000-8000-000000000001", "item_code": "A-1-01", "item_status": "paid", "product_name": "순면 티셔츠"},
		{"item_id": "01000000-0000-7000-8000-000000000002", "item_code": "A-1-02", "item_status": "shipping", "tracking_no": "111"}]}`

const itemB = "02000000-0000-7000-8000-000000000001"

func answer(data string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"meta": {"code": 200, "message": "OK"}, "data": `+data+`}`)
	}
}

func refuse(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"meta": {"message": "a text", "error_code": "`+code+`", "error_data": {"request_id": "r-1"}}, "data": null}`)
	}
}

func (s *seller) ship(w http.ResponseWriter, r *http.Request) {
	var batch map[string]any
	_ = json.NewDecoder(r.Body).Decode(&batch)
	if items, _ := batch["items"].([]any); len(items) == 0 {
		refuse(422, "VALIDATION_ERROR")(w, r)
		return
	}
	s.mu.Lock()
	s.batches = append(s.batches, batch)
	s.mu.Unlock()
	succeeded, failed := []any{}, []any{}
	for _, entry := range batch["items"].([]any) {
		entry := entry.(map[string]any)
		ids := entry["item_ids"].([]any)
		if entry["order_no"] == "B-1" {
			failed = append(failed, map[string]any{
				"order_no": "B-1", "order_item_public_ids": ids, "error_code": "ORDER_ITEM_HAS_ACTIVE_CLAIM", "message": "a text",
			})
			continue
		}
		succeeded = append(succeeded, ids...)
	}
	data, _ := json.Marshal(map[string]any{"succeeded": succeeded, "failed": failed, "summary": map[string]int{}})
	answer(string(data))(w, r)
}

// terminal is where a test types.
type terminal struct {
	t        *testing.T
	world    cli.World
	out, err bytes.Buffer
}

func newTerminal(t *testing.T, environment map[string]string) *terminal {
	t.Helper()
	return &terminal{t: t, world: cli.World{
		In: strings.NewReader(""), Env: func(name string) string { return environment[name] }, Folder: filepath.Join(t.TempDir(), "sellerapi"),
	}}
}

// runs does what a command line says, which must end with the code, and returns what it said.
func (w *terminal) runs(code int, arguments ...string) string {
	w.t.Helper()
	w.out.Reset()
	w.err.Reset()
	w.world.Out, w.world.Err = &w.out, &w.err
	require.Equal(w.t, code, cli.Run(w.t.Context(), arguments, w.world), "%s%s", &w.out, &w.err)
	require.NotContains(w.t, w.out.String()+w.err.String(), key, "the key is shown to nobody")
	return w.out.String() + w.err.String()
}

func working(t *testing.T) (*seller, *terminal) {
	t.Helper()
	s := newSeller(t)
	return s, newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
}

// The key is kept for its owner alone, and only when it works.
func TestLogin_keepsKeyThatWorks(t *testing.T) {
	t.Parallel()
	s, w := newSeller(t), newTerminal(t, nil)
	file := filepath.Join(w.world.Folder, "login.json")
	w.runs(cli.ExitKey, "orders")
	w.world.In = strings.NewReader("wrong\n")
	w.runs(cli.ExitKey, "login", "--url", s.URL)
	require.NoFileExists(t, file)
	w.world.In = strings.NewReader(key + "\n")
	require.Contains(t, w.runs(cli.ExitDone, "login", "--url", s.URL), "works")
	state, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), state.Mode().Perm())
	require.Contains(t, w.runs(cli.ExitDone, "orders"), "A-1")
	require.NoError(t, os.Chmod(file, 0o644))
	require.Contains(t, w.runs(cli.ExitPartly, "doctor"), "others can read")
	w.runs(cli.ExitDone, "login", "--forget")
	require.NoFileExists(t, file)
}

func TestCommandLine_codes(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	require.Contains(t, w.runs(cli.ExitUsage, "frob"), "--help")
	require.Contains(t, w.runs(cli.ExitDone, "ship", "--help"), "--dry-run")
	require.Contains(t, w.runs(cli.ExitDone, "completion", "-c", "bash"), "complete")
	s.Close()
	refused := newTerminal(t, map[string]string{"SELLER_API_URL": "ftp://x", "SELLER_API_KEY": key})
	refused.runs(cli.ExitFailed, "orders")
}

func TestLists_forms(t *testing.T) {
	t.Parallel()
	_, w := working(t)
	table := w.runs(cli.ExitDone, "orders")
	require.Contains(t, table, "순면 티셔츠")
	require.Contains(t, table, "이서연")
	require.Contains(t, w.runs(cli.ExitDone, "orders", "--csv"), "order_no,item_id,status")
	var order struct {
		Items []any `json:"items"`
	}
	require.NoError(t, json.Unmarshal([]byte(w.runs(cli.ExitDone, "orders", "--json")), &order))
	require.Len(t, order.Items, 2)
	require.Equal(t, "Nothing found.\n", w.runs(cli.ExitDone, "claims"))
	require.Contains(t, w.runs(cli.ExitKey, "qna"), "SCOPE_FORBIDDEN")
}

func TestDoctor_saysWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, w := working(t)
	said := w.runs(cli.ExitPartly, "doctor")
	require.Contains(t, said, "qna:read      missing")
	require.Contains(t, said, "orders:write  yes")
	require.Contains(t, said, "1 things are wrong.")
}

// A sheet as a carrier's program writes it: a title, names in Korean, EUC-KR.
const sheet = "출고 목록,,,\r\n송장번호,주문번호,상품주문번호,택배사\r\n6123-4567-8904,A-1,A-1-01,CJ 대한통운\r\n" +
	"222,B-1," + itemB + ",한진\r\n333,C-1,,우체국\r\n,,,\r\n"

// TestShip_everyFormOfFile ships the same rows from each form.
func TestShip_everyFormOfFile(t *testing.T) {
	t.Parallel()
	for form, write := range map[string]func(t *testing.T, path string){
		"utf8.csv": func(t *testing.T, path string) { t.Helper(); requireWritten(t, path, "\uFEFF"+sheet) },
		"tabs.csv": func(t *testing.T, path string) {
			t.Helper()
			requireWritten(t, path, strings.ReplaceAll(sheet, ",", "\t"))
		},
		"euckr.csv": writeEUCKR,
		"book.xlsx": writeBook,
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			s, w := working(t)
			file := filepath.Join(t.TempDir(), form)
			write(t, file)
			said := w.runs(cli.ExitPartly, "ship", file)
			require.Contains(t, said, "row 4  B-1  refused  ORDER_ITEM_HAS_ACTIVE_CLAIM: a text")
			require.Contains(t, said, "row 5  C-1  refused  no such order")
			require.Equal(t, []map[string]any{{"items": []any{
				entry("A-1", "01000000-0000-7000-8000-000000000001", "CJ대한통운", "6123-4567-8904"), entry("B-1", itemB, "한진택배", "222"),
			}}}, s.batches)
			result, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".result.csv")
			require.NoError(t, err)
			require.Contains(t, string(result), "3,A-1,01000000-0000-7000-8000-000000000001,CJ대한통운,6123-4567-8904,shipped,\n")
		})
	}
}

func entry(order, id, carrier, number string) map[string]any {
	return map[string]any{"order_no": order, "item_ids": []any{id}, "carrier_name": carrier, "tracking_no": number}
}

func requireWritten(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func writeEUCKR(t *testing.T, path string) {
	t.Helper()
	text, err := korean.EUCKR.NewEncoder().String(sheet)
	require.NoError(t, err)
	requireWritten(t, path, text)
}

func writeBook(t *testing.T, path string) {
	t.Helper()
	book := excelize.NewFile()
	for i, line := range strings.Split(strings.TrimSpace(sheet), "\r\n") {
		cells := strings.Split(line, ",")
		require.NoError(t, book.SetSheetRow("Sheet1", "A"+string(rune('1'+i)), &cells))
	}
	require.NoError(t, book.SaveAs(path))
	require.NoError(t, book.Close())
}

func TestShip_dryRunSendsNothing(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	file := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, file, "order_no,tracking_no\nA-1,111\nA-1,1-1-1\n")
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--dry-run"), "row 2 names no carrier")
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--dry-run", "--carrier", "cj"), "ready    2")
	require.Empty(t, s.batches)
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--carrier", "cj"), "shipped  2")
	require.Len(t, s.batches[0]["items"], 1, "rows of one parcel go out together")
	requireWritten(t, file, "order_no,tracking_no\nA-1,1\nA-1,2\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file, "--carrier", "cj"), "several numbers for one order")
	requireWritten(t, file, "a,b\n1,2\n")
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file), "no row names the columns")
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
