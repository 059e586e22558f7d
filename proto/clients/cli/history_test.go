package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
)

const (
	orderHistory = `{"order_no": "A-1", "events": [
		{"changed_at": "2026-03-14T02:00:00Z", "event": "parcel", "changed_by": "seller", "key_prefix": "vpk_live_4Jd",
		"item_ids": ["i-1", "i-2"], "carrier_name": "CJ대한통운", "tracking_no": "111"},
		{"changed_at": "2026-03-14T02:01:00Z", "event": "hold_end", "changed_by": "claim", "item_ids": ["i-1"], "claim_no": "C-1",
		"outcome": "released"}]}`
	claimHistory = `{"claim_no": "C-1", "order_no": "A-1", "events": [
		{"changed_at": "2026-03-14T02:00:00Z", "event": "status", "changed_by": "customer", "status": "requested"},
		{"changed_at": "2026-03-14T02:01:00Z", "event": "refund", "changed_by": "system", "refund": "refund",
		"refund_status": "succeeded", "amount": 5000}]}`
)

// histories is a terminal whose server has the history of an order and of a claim, or refuses those of the given kind.
func histories(t *testing.T, refused string) *terminal {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /open/v1/orders/A-1/history", answer(orderHistory))
	mux.HandleFunc("GET /open/v1/claims/C-1/history", answer(claimHistory))
	mux.HandleFunc("GET /open/v1/orders/", refuse(404, "ORDER_NOT_FOUND"))
	mux.HandleFunc("GET /open/v1/claims/", refuse(404, "CLAIM_NOT_FOUND"))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refused != "" && strings.Contains(r.URL.Path, refused) {
			refuse(403, "SCOPE_FORBIDDEN")(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
}

// A history is found by the number of an order or of a claim; each event is a row, or a line of JSON with every member.
func TestHistory_orderAndClaim(t *testing.T) {
	t.Parallel()
	w := histories(t, "")
	for number, columns := range map[string][]string{
		"A-1": {"seller vpk_live_4Jd", "parcel", "-", "CJ대한통운", "111", "-", "-", "i-1 i-2"},
		"C-1": {"system", "refund", "-", "-", "-", "-", "refund", "succeeded", "5000"},
	} {
		require.Regexp(t, `│ +`+strings.Join(columns, ` +│ +`)+` +│`, w.runs(cli.ExitDone, "history", number))
		lines := strings.Split(strings.TrimSpace(w.runs(cli.ExitDone, "history", number, "--json")), "\n")
		require.Len(t, lines, 2)
		require.True(t, json.Valid([]byte(lines[0])))
		rows, err := csv.NewReader(strings.NewReader(w.runs(cli.ExitDone, "history", number, "--csv"))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 3)
	}
}

// A key may be for orders or for claims only. A number that is neither's is no success.
func TestHistory_scopesAndNotFound(t *testing.T) {
	t.Parallel()
	require.Contains(t, histories(t, "orders").runs(cli.ExitDone, "history", "C-1"), "succeeded")
	require.Contains(t, histories(t, "orders").runs(cli.ExitKey, "history", "A-1"), "SCOPE_FORBIDDEN")
	require.Contains(t, histories(t, "claims").runs(cli.ExitDone, "history", "A-1"), "released")
	said := histories(t, "").runs(cli.ExitFailed, "history", "X-1")
	require.Contains(t, said, "ORDER_NOT_FOUND")
	require.Contains(t, said, "CLAIM_NOT_FOUND")
}
