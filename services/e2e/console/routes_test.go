package console

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/console"
	"sellerapi.dev/services/e2e/stacktest"
)

// records are a key and a webhook of a seller, and a call in its log.
type records struct{ key, webhook, call string }

func recordsOf(t *testing.T, c *stacktest.Console, seller stacktest.Seller) records {
	t.Helper()
	_, key := c.IssueKey(t, seller.ID)
	hook := stacktest.Must(t, c.Webhooks.AddWebhook, &gatewayv1.AddWebhookRequest{
		SellerId: seller.ID, Url: "http://127.0.0.1:1/hook", Actor: "test", RequestId: uuid.NewString(),
	})
	return records{key: key, webhook: hook.GetWebhook().GetWebhookId(), call: logged(t, c, seller)}
}

// at returns the address of a row of the table of routes with the ids of records.
func (r records) at(path string) string {
	return strings.NewReplacer(":key", r.key, ":webhook", r.webhook, ":call", r.call, "*file", "none").Replace(path)
}

var everyRole = []string{"", "nobody", "lee", "park", "kim"}

var roleOf = map[string]string{"lee": "developer", "park": "support", "kim": "representative"}

// Each page is served to those whom the table of routes names, and to nobody else; a form of a page that a person may not use
// changes nothing. All pages of a seller exist for the seller's people only, with whatever id in the address.
func TestRoutes(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	own, foreign := recordsOf(t, c, seller), recordsOf(t, c, c.Seller(t))
	for _, subject := range everyRole {
		b := newBrowser(t, c)
		if subject != "" {
			b.signIn(subject, "")
		}
		if subject == "park" {
			require.Equal(t, "/", b.post("/seller", url.Values{"seller": {seller.ID}}).to())
		}
		for _, row := range console.Routes() {
			if row.Access != "seller" || row.Method == http.MethodPost && subject == "kim" {
				continue // forms of who may send them have tests of their own
			}
			name := strings.Join([]string{subject, row.Method, row.Path}, " ")
			allowed := slices.Contains(row.Roles, roleOf[subject])
			got := b.do(row.Method, own.at(row.Path), formOf(row.Method))
			switch {
			case subject == "" && row.Method == http.MethodGet:
				require.True(t, strings.HasPrefix(got.to(), "/sign-in?next="), name)
			case subject == "":
				require.Equal(t, http.StatusUnauthorized, got.status, name)
			case !allowed:
				require.Equal(t, http.StatusForbidden, got.status, name)
			default:
				require.Less(t, got.status, http.StatusForbidden, "%s: %s", name, got.body)
			}
			if allowed && strings.Contains(row.Path, ":") {
				require.Equal(t, http.StatusNotFound, b.do(row.Method, foreign.at(row.Path), formOf(row.Method)).status, name)
				require.Equal(t, http.StatusNotFound, b.do(row.Method, none.at(row.Path), formOf(row.Method)).status, name)
			}
		}
	}
	keys := stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: seller.ID, Actor: "test"}).GetKeys()
	require.Len(t, keys, 2)
	for _, key := range keys {
		require.Equal(t, gatewayv1.KeyState_KEY_STATE_ACTIVE, key.GetState())
	}
}

// none are ids of nothing: some that could be, and one that cannot.
var none = records{key: uuid.NewString(), webhook: uuid.NewString(), call: "1"}

func formOf(method string) url.Values {
	if method == http.MethodPost {
		return url.Values{}
	}
	return nil
}

// A representative's forms change nothing of another seller: neither with another seller's ids, nor by choosing another seller.
func TestForms_otherSeller(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	other := c.Seller(t)
	foreign := recordsOf(t, c, other)
	b := newBrowser(t, c).as("kim")
	for _, row := range console.Routes() {
		if row.Method == http.MethodPost && strings.Contains(row.Path, ":") && !strings.HasSuffix(row.Path, "/reveal") {
			require.Equal(t, http.StatusNotFound, b.post(foreign.at(row.Path), url.Values{}).status, row.Path)
		}
	}
	require.Equal(t, "/", b.signIn("kim", "?fresh=1").to())
	require.Equal(t, http.StatusNotFound, b.post("/keys/"+foreign.key+"/reveal", nil).status)
	require.Equal(t, http.StatusNotFound, b.post("/seller", url.Values{"seller": {other.ID}}).status)
	at, err := url.Parse(c.URL)
	require.NoError(t, err)
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "console-seller", Value: other.ID, Path: "/"}})
	require.Contains(t, b.page("/keys"), seller.ID)
	require.NotContains(t, b.page("/keys"), other.ID)
}

// A form that was opened for one seller is not sent for another one that was chosen in the meantime.
func TestForms_sellerChanged(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	other := c.Seller(t)
	c.People.Know(identity.Person{Subject: "kim", Roles: []string{"representative:" + seller.ID, "representative:" + other.ID}})
	b := newBrowser(t, c).as("kim")
	require.True(t, strings.HasPrefix(b.get("/keys").to(), "/seller?"))
	b.post("/seller", url.Values{"seller": {seller.ID}})
	form := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read"}, "expiry": {"never"}}
	b.post("/seller", url.Values{"seller": {other.ID}})
	require.Empty(t, b.post("/keys", form).secret())
	require.Len(t, stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: other.ID, Actor: "t"}).GetKeys(), 1)
	b.post("/seller", url.Values{"seller": {seller.ID}})
	require.NotEmpty(t, b.post("/keys", form).secret())
}

// A page of another site can send no form of a person who has signed in.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c).as("kim")
	form := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read"}, "expiry": {"never"}}
	for name, headers := range map[string][]string{
		"other site":  {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"sub-domain":  {"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example"},
		"old browser": {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
	} {
		for _, path := range []string{"/keys", "/sign-out", "/language", "/seller"} {
			got := b.do(http.MethodPost, path, form, headers...)
			require.Equal(t, http.StatusForbidden, got.status, "%s %s", name, path)
		}
	}
	require.True(t, b.isIn())
	require.NotEmpty(t, b.post("/keys", form).secret())
}
