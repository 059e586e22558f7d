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
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

const key = "vpk_test_secret"

// seller is a server with an order; A-1 has items 1 (paid) and 2 (shipped as 111).
type seller struct{ *httptest.Server }

func newSeller(t *testing.T) *seller {
	t.Helper()
	s := &seller{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /open/v1/orders", answer(`{"list": [`+orderA+`], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/claims", answer(`{"list": [], "next_cursor": null}`))
	mux.HandleFunc("GET /open/v1/qna", refuse(403, "SCOPE_FORBIDDEN"))
	mux.HandleFunc("GET /open/v1/orders/A-1", answer(orderA))
	mux.HandleFunc("GET /open/v1/orders/{number}", refuse(404, "ORDER_NOT_FOUND"))
	mux.HandleFunc("POST /open/v1/orders/batch/shipment", ship)
	mux.HandleFunc("POST /open/v1/", refuse(422, "VALIDATION_ERROR"))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key {
			refuse(401, "INVALID_API_KEY")(w, r)
			return
		}
		if r.URL.Path != "/open/v1/qna" { // a call without the scope is not counted
			for name, value := range limits[r.Method] {
				w.Header().Set(name, value)
			}
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// limits are the limits that a key has left, by the method of a call.
var limits = map[string]map[string]string{
	http.MethodGet: {
		"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "58", "X-RateLimit-Rows-Limit": "3000",
		"X-RateLimit-Rows-Remaining": "2990",
	},
	http.MethodPost: {"X-RateLimit-Limit": "30", "X-RateLimit-Remaining": "29"},
}

const orderA = `{"order_no": "A-1", "recipient_name": "이서연", "paid_at": "2026-03-14T02:00:00Z", "updated_at":
	"2026-03-14T02:00:00Z",
	"items": [
		{"item_id": "01000000-0000-7000-8000-000000000001", "item_code": "A-1-01", "item_status": "paid", "product_name": "순면 티셔츠"},
		{"item_id": "01000000-0000-7000-8000-000000000002", "item_code": "A-1-02", "item_status": "shipping", "tracking_no": "111"}]}`

func answer(data string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"meta": {"code": 200, "message": "OK"}, "data": `+data+`}`)
	}
}

func refuse(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w,
			`{"meta": {"message": "a text", "error_code": "`+code+`", "error_data": {"request_id": "r-1"}}, "data": null}`)
	}
}

// ship answers a batch: every parcel is shipped, and a call without parcels, as doctor makes it, is refused.
func ship(w http.ResponseWriter, r *http.Request) {
	var batch sellerapi.BatchShipmentRequest
	_ = json.NewDecoder(r.Body).Decode(&batch)
	if len(batch.Items) == 0 {
		refuse(422, "VALIDATION_ERROR")(w, r)
		return
	}
	result := sellerapi.BatchShipmentResult{}
	for _, entry := range batch.Items {
		result.Succeeded = append(result.Succeeded, entry.ItemIDs...)
	}
	data, _ := json.Marshal(result)
	answer(string(data))(w, r)
}

type terminal struct {
	t        *testing.T
	world    cli.World
	out, err bytes.Buffer
}

func newTerminal(t *testing.T, environment map[string]string) *terminal {
	t.Helper()
	return &terminal{t: t, world: cli.World{
		In: strings.NewReader(""), Clock: &clock{now: time.Now()}, Env: func(name string) string { return environment[name] },
		Folder: filepath.Join(t.TempDir(), "sellerapi"),
	}}
}

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

// The key is stored readable by its owner alone, and only if it works.
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
	for _, shell := range []string{"bash", "zsh", "fish"} {
		require.Contains(t, w.runs(cli.ExitDone, "completion", "-c", shell), "complete", shell)
	}
	s.Close()
	require.Contains(t, w.runs(cli.ExitUnanswered, "orders"), "no answer")
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
	require.Contains(t, said, "limits    reads 58 of 60 left, rows 2990 of 3000, process calls 29 of 30\n")
	require.Contains(t, said, "clock     as the server's")
	require.Contains(t, said, "1 things are wrong.")
	w.world.Clock = &clock{now: time.Now().Add(-time.Hour)}
	said = w.runs(cli.ExitPartly, "doctor")
	require.Regexp(t, `clock     -1h0m\ds beside the server's|clock     -(59m|1h0m)\d+s beside the server's`, said)
	require.Contains(t, said, "2 things are wrong.")
}

// doctor stops if the key is refused or the server cannot be reached.
func TestDoctor_nothingWorks(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	wrong := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": "wrong"})
	require.Contains(t, wrong.runs(cli.ExitKey, "doctor"), "INVALID_API_KEY")
	s.Close()
	require.Contains(t, wrong.runs(cli.ExitUnanswered, "doctor"), "no answer")
}

// doctor stops if what answers is not the system, or the system refuses a read that has nothing wrong with it.
func TestDoctor_answersOfOthers(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]struct {
		status     int
		body, said string
	}{
		"redirect": {http.StatusPermanentRedirect, "", "308 Permanent Redirect"},
		"page":     {http.StatusNotFound, "<html>nginx</html>", "404 Not Found"},
		"firewall": {http.StatusForbidden, "<html>blocked</html>", "403 Forbidden"},
		"refusal": {
			http.StatusUnprocessableEntity, `{"meta": {"message": "a text", "error_code": "VALIDATION_ERROR"}, "data": null}`,
			"VALIDATION_ERROR",
		},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if name == "refusal" && method == http.MethodPost {
				continue // what the checks of the scopes for writing look for
			}
			t.Run(name+method, func(t *testing.T) {
				t.Parallel()
				s, w := working(t)
				mux := s.Config.Handler
				s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method != method {
						mux.ServeHTTP(w, r)
						return
					}
					w.WriteHeader(other.status)
					_, _ = io.WriteString(w, other.body)
				})
				said := w.runs(cli.ExitFailed, "doctor")
				require.Contains(t, said, other.said)
				require.NotContains(t, said, "All is well.")
			})
		}
	}
}
