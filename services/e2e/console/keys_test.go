package console

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/console"
	"sellerapi.dev/services/e2e/stacktest"
)

// logged makes a call with the key of a seller and returns its id in the log.
func logged(t *testing.T, c *stacktest.Console, seller stacktest.Seller) string {
	t.Helper()
	return logID(t, c, seller, call(t, c, seller.Key, "/open/v1/orders?limit=0"))
}

// logID awaits the call with a request id in the log and returns its id there.
func logID(t *testing.T, c *stacktest.Console, seller stacktest.Seller, id string) (found string) {
	t.Helper()
	require.Eventually(t, func() bool {
		answer, err := c.Requests.GetRequest(t.Context(), &gatewayv1.GetRequestRequest{
			SellerId: seller.ID, Actor: "test", Id: &gatewayv1.GetRequestRequest_RequestId{RequestId: id},
		})
		found = answer.GetRequest().GetLogId()
		return err == nil
	}, time.Minute, 100*time.Millisecond, "the call %s is not in the log", id)
	return found
}

// call makes a call of a seller's system and returns its request id.
func call(t *testing.T, c *stacktest.Console, key, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.GatewayURL+path, nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.Header.Get("X-Request-Id")
}

func (b *browser) issue() answer {
	b.t.Helper()
	return b.post("/keys", url.Values{
		"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read", "qna:write"}, "expiry": {"never"},
	})
}

// A key is issued, used, seen in use and revoked in the browser, and the audit trail names the person.
func TestKeys_wholeLife(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("kim")
	issued := b.issue()
	require.Equal(t, http.StatusOK, issued.status, issued.body)
	text := issued.secret()
	require.True(t, strings.HasPrefix(text, "vpk_test_"))
	require.Equal(t, "60; url=/keys", issued.header.Get("Refresh"))
	require.NotContains(t, b.page("/keys"), text)
	require.Contains(t, b.page("/keys"), text[:12])

	used := logged(t, c, stacktest.Seller{ID: seller.ID, Key: text})
	require.Contains(t, b.page("/requests?key="+text[:12]), "/requests/"+used)
	require.Contains(t, b.page("/usage?window=hour"), "list_orders")
	require.Contains(t, b.page("/go-live"), "list_orders")

	id := keyID(t, c, seller, text)
	wrong := b.post("/keys/"+id+"/revoke", url.Values{"prefix": {text[:11]}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
	done := b.post("/keys/"+id+"/revoke", url.Values{"prefix": {text[:12]}, "reason": {"rotated"}})
	require.Equal(t, "/keys", done.to(), done.body)
	require.Contains(t, b.page("/keys"), text[:12])
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_REVOKED, keyOf(t, c, seller, text).GetState())

	var actor string
	require.NoError(t, c.SQL(t).QueryRow(t.Context(),
		"select distinct actor from gateway.key_audit where seller_id = $1 and action = 'issue' and caller = 'console'", seller.ID,
	).Scan(&actor))
	require.Equal(t, "Kim (representative, kim)", actor)
}

func keyOf(t *testing.T, c *stacktest.Console, seller stacktest.Seller, text string) *gatewayv1.Key {
	t.Helper()
	for _, key := range stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: seller.ID, Actor: "t"}).GetKeys() {
		if key.GetPrefix() == text[:12] {
			return key
		}
	}
	require.Fail(t, "no such key")
	return nil
}

func keyID(t *testing.T, c *stacktest.Console, seller stacktest.Seller, text string) string {
	t.Helper()
	return keyOf(t, c, seller, text).GetKeyId()
}

// The form that has issued a key issues no other and shows no text again, however often a browser sends it.
func TestIssue_replayed(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("kim")
	form := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read"}, "expiry": {"never"}}
	require.NotEmpty(t, b.post("/keys", form).secret())
	again := b.post("/keys", form)
	require.Equal(t, "/keys", again.to())
	require.Empty(t, again.secret())
	for _, id := range []string{"", "x", seller.ID} { // not forms of the console
		form.Set("request_id", id)
		require.Equal(t, "/keys", b.post("/keys", form).to())
	}
	other := newBrowser(t, c).as("kim")
	form.Set("request_id", b.once("/keys/new"))
	c.People.Know()
	require.Len(t, stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: seller.ID, Actor: "t"}).GetKeys(), 2)
	require.NotEmpty(t, other.post("/keys", form).secret(), "another session of the same person")
}

// A form that is sent many times at once issues one key.
func TestIssue_doubleSubmit(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("kim")
	form := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read"}, "expiry": {"never"}}
	answers := make(chan answer)
	for range 8 {
		go func() { answers <- b.post("/keys", form) }()
	}
	texts := map[string]bool{}
	for range 8 {
		if text := (<-answers).secret(); text != "" {
			texts[text] = true
		}
	}
	require.Len(t, texts, 1)
	require.Len(t, stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: seller.ID, Actor: "t"}).GetKeys(), 2)
}

// What is wrong with a form is said beside it, and nothing is issued.
func TestIssue_invalid(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("kim")
	for name, change := range map[string]func(url.Values){
		"no scope": func(f url.Values) { f.Del("scope") }, "no known scope": func(f url.Values) { f.Set("scope", "admin") },
		"expiry": func(f url.Values) { f.Set("expiry", "x") }, "day": func(f url.Values) { f.Set("expiry", "day") },
		"past":    func(f url.Values) { f.Set("expiry", "day"); f.Set("expires_on", "2020-01-01") },
		"purpose": func(f url.Values) { f.Set("purpose", strings.Repeat("x", 201)) },
	} {
		form := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read"}, "expiry": {"never"}}
		change(form)
		got := b.post("/keys", form)
		require.Equal(t, http.StatusUnprocessableEntity, got.status, name)
		require.Contains(t, got.body, `class="problem"`, name)
	}
	require.Len(t, stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: seller.ID, Actor: "t"}).GetKeys(), 1)
}

// A stolen session shows the text of no key: that needs a sign-in of the last minutes, of which the provider says when it was.
func TestReveal(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	id := keyID(t, c, seller, seller.Key)
	b := newBrowser(t, c)
	reveal := func() answer { return b.post("/keys/"+id+"/reveal", nil) }
	ago := func(ago time.Duration) func(map[string]any) {
		return func(claims map[string]any) { claims["auth_time"] = time.Now().Add(-ago).Unix() }
	}
	c.People.Change(ago(5*time.Minute + time.Second))
	b.as("kim")
	require.Contains(t, reveal().body, "/sign-in/start?fresh=1&amp;next=%2Fkeys")
	c.People.Change(ago(4 * time.Minute))
	b.as("kim")
	require.Equal(t, seller.Key, reveal().secret())

	c.People.Change(nil)
	at := b.start("?fresh=1&next=%2Fkeys")
	require.Equal(t, []string{"login"}, at.Query()["prompt"])
	require.Equal(t, []string{"0"}, at.Query()["max_age"])
	require.Equal(t, "/keys", b.get(b.choose(at, "kim")).to())
	shown := reveal()
	require.Equal(t, seller.Key, shown.secret(), shown.body)
	require.Equal(t, "no-store", shown.header.Get("Cache-Control"))
	require.Equal(t, "60; url=/keys", shown.header.Get("Refresh"))

	for name, change := range map[string]func(map[string]any){
		"old":     ago(time.Hour),
		"unknown": func(claims map[string]any) { delete(claims, "auth_time") },
		"text":    func(claims map[string]any) { claims["auth_time"] = "now" },
		"future":  ago(-time.Hour),
		"millis":  func(claims map[string]any) { claims["auth_time"] = time.Now().UnixMilli() },
		"huge":    func(claims map[string]any) { claims["auth_time"] = 1e300 },
	} {
		c.People.Change(change)
		require.Equal(t, "/sign-in?why=refused", b.signIn("kim", "?fresh=1").to(), name)
		b.as("kim")
		require.Equal(t, http.StatusForbidden, reveal().status, name)
	}
}

// Texts of keys and secrets of webhooks are on the page that shows them, and in no address, header, log line and nothing that the
// console stores.
func TestSecrets_nowhereElse(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c).as("kim")
	hook := b.post("/webhooks", url.Values{"request_id": {b.once("/webhooks")}, "url": {"http://127.0.0.1:1/hook"}})
	for _, shown := range []answer{b.issue(), hook} {
		text := shown.secret()
		require.NotEmpty(t, text, shown.body)
		require.Equal(t, "no-store", shown.header.Get("Cache-Control"))
		require.NotContains(t, c.Logs(), text)
		require.NotContains(t, stored(t, c), text)
		for _, values := range shown.header {
			require.NotContains(t, strings.Join(values, " "), text)
		}
		require.Equal(t, 0, strings.Count(strings.ReplaceAll(shown.body, `data-copy="`+text, ""), `href="`+text))
		for _, row := range console.Routes() {
			if row.Method == http.MethodGet && !strings.ContainsAny(row.Path, ":*") {
				require.NotContains(t, b.get(row.Path).body, text, row.Path)
			}
		}
	}
}

// Keys are listed, shown and revoked while the request log cannot be read; what it would say of them is not guessed.
func TestKeys_logAway(t *testing.T) {
	t.Parallel()
	s := stacktest.Own(t, func(*stack.Config) {})
	c, seller := s.Console(t, nil), s.Seller(t)
	people(c, seller.ID)
	b := newBrowser(t, c).as("kim")
	id := keyID(t, c, seller, seller.Key)
	require.Contains(t, b.page("/keys"), "Not used yet")
	require.Contains(t, b.page("/keys/"+id+"/revoke"), "Not used yet")
	_, err := s.SQL(t).Exec(t.Context(), "alter table gateway.requests rename to requests_kept")
	require.NoError(t, err)
	list := b.page("/keys")
	require.Contains(t, list, seller.Key[:12])
	require.Contains(t, list, "cannot be read at the moment")
	require.NotContains(t, list, "Not used yet")
	require.Equal(t, seller.Key, b.post("/keys/"+id+"/reveal", nil).secret())
	form := b.page("/keys/" + id + "/revoke")
	require.Contains(t, form, "is not known")
	require.NotContains(t, form, "Not used yet")
	require.Equal(t, http.StatusInternalServerError, b.get("/keys/"+id+"/rotation").status)
	require.NotEmpty(t, b.issue().secret())
	require.Equal(t, "/keys", b.post("/keys/"+id+"/revoke", url.Values{"prefix": {seller.Key[:12]}}).to())
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_REVOKED, keyOf(t, c, seller, seller.Key).GetState())
}

// stored returns everything that the console has in Redis.
func stored(t *testing.T, c *stacktest.Console) string {
	t.Helper()
	client := c.Redis(t)
	names, err := client.Keys(t.Context(), "console:*").Result()
	require.NoError(t, err)
	require.NotEmpty(t, names)
	values, err := client.MGet(t.Context(), names...).Result()
	require.NoError(t, err)
	return fmt.Sprint(names, values)
}
