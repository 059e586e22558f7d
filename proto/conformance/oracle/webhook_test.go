package oracle_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
)

// A delivery that differs from the contract in a header or in its body is found, and so is one that the contract does not have.
func TestCheckDelivery(t *testing.T) {
	t.Parallel()
	const body = `{"type":"lists.moved","timestamp":"2026-03-14T02:11:09.482913Z","data":{"orders":true,"claims":false,"qna":true}}`
	const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	checks, err := oracle.New()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		webhook, header, value, body string
		fits                         bool
	}{
		"as described":        {"lists_moved", "", "", body, true},
		"two signatures":      {"lists_moved", "Webhook-Signature", signature + " " + signature, body, true},
		"unknown webhook":     {"lists_lost", "", "", body, false},
		"id is no UUID":       {"lists_moved", "Webhook-Id", "7", body, false},
		"time is no number":   {"lists_moved", "Webhook-Timestamp", "now", body, false},
		"no signature":        {"lists_moved", "Webhook-Signature", "", body, false},
		"header not known":    {"lists_moved", "Webhook-Seller", "x", body, false},
		"other content type":  {"lists_moved", "Content-Type", "text/plain", body, false},
		"member not known":    {"lists_moved", "", "", strings.Replace(body, `"qna"`, `"seller":"x","qna"`, 1), false},
		"list is missing":     {"lists_moved", "", "", strings.Replace(body, `,"qna":true`, "", 1), false},
		"type is not known":   {"lists_moved", "", "", strings.Replace(body, "lists.moved", "order.paid", 1), false},
		"test of the console": {"lists_moved", "", "", strings.Replace(body, "lists.moved", "webhook.test", 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/hook", http.NoBody)
			for header, value := range map[string]string{
				"Content-Type": "application/json", "Webhook-Id": "01890a5d-ac96-774b-bcce-b302099a8057",
				"Webhook-Timestamp": "1773454269", "Webhook-Signature": signature,
			} {
				r.Header.Set(header, value)
			}
			if c.header != "" {
				r.Header.Set(c.header, c.value)
			}
			err := checks.CheckDelivery(c.webhook, r, []byte(c.body))
			require.Equal(t, c.fits, err == nil, "%v", err)
		})
	}
}
