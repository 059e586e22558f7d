package console

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

// The reason of a refused call is found by the id that its answer had, by support too, whose look is audited.
func TestRequests(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	id := logged(t, c, seller)
	b := newBrowser(t, c).as("park")
	require.Equal(t, "/requests?code=VALIDATION_ERROR", b.post("/seller", url.Values{
		"seller": {seller.ID}, "next": {"/requests?code=VALIDATION_ERROR"},
	}).to())
	require.Contains(t, b.page("/requests?code=VALIDATION_ERROR"), "/requests/"+id)
	require.NotContains(t, b.page("/requests?code=RATE_LIMITED"), "/requests/"+id)
	require.NotContains(t, b.page("/requests?until=2020-01-01"), "/requests/"+id)
	require.Contains(t, b.page("/requests/"+id), "VALIDATION_ERROR")
	for _, query := range []string{"from=yesterday", "after=x", "key=" + strings.Repeat("x", 300)} {
		require.Equal(t, http.StatusUnprocessableEntity, b.get("/requests?"+query).status, query)
	}
	require.Equal(t, http.StatusNotFound, b.get("/usage?window=year").status)
	var looks int
	require.NoError(t, c.SQL(t).QueryRow(t.Context(),
		"select count(*) from gateway.key_audit where seller_id = $1 and caller = 'console' and actor = $2",
		seller.ID, "Park (support, park)",
	).Scan(&looks))
	require.Positive(t, looks)
}

// The page of usage shows what each key has used of its limits now, to each role; looking changes nothing.
func TestUsage_limits(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	logged(t, c, seller)
	for _, subject := range []string{"kim", "lee", "park"} {
		b := newBrowser(t, c).as(subject)
		if subject == "park" {
			b.post("/seller", url.Values{"seller": {seller.ID}})
		}
		page := b.page("/usage")
		require.Contains(t, page, "Limits now", subject)
		require.Contains(t, page, seller.Key[:12], subject)
		require.Regexp(t, `value="\d+" aria-label="Read calls"></meter> \d+ / \d`, page, subject)
	}
}

// An address is added, tested, paused, resumed, given another secret and removed.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(receiver.Close)
	b := newBrowser(t, c).as("kim")
	form := url.Values{"request_id": {b.once("/webhooks")}, "url": {receiver.URL}}
	added := b.post("/webhooks", form)
	require.True(t, strings.HasPrefix(added.secret(), "whsec_"), added.body)
	require.Equal(t, "/webhooks", b.post("/webhooks", form).to(), "the same form again")
	path, _, _ := strings.Cut(strings.TrimPrefix(added.header.Get("Refresh"), "60; url="), "?")

	var tested answer
	require.Eventually(t, func() bool { // not while the gateway itself is delivering
		tested = b.post(path+"/test", nil)
		return tested.to() == ""
	}, time.Minute, 50*time.Millisecond)
	require.Equal(t, http.StatusOK, tested.status, tested.body)
	require.Contains(t, tested.body, "204")
	require.Equal(t, path, b.post(path+"/pause", nil).to())
	require.Contains(t, b.page(path), path+"/resume")
	require.Equal(t, path, b.post(path+"/resume", nil).to())
	rotate := url.Values{"request_id": {b.once(path)}}
	rotated := b.post(path+"/rotate", rotate)
	require.True(t, strings.HasPrefix(rotated.secret(), "whsec_"), rotated.body)
	require.NotEqual(t, added.secret(), rotated.secret())
	require.Equal(t, path, b.post(path+"/rotate", rotate).to(), "the same form again")
	b.page(path + "/remove")
	require.Equal(t, "/webhooks", b.post(path+"/remove", nil).to())
	require.Equal(t, http.StatusNotFound, b.get(path).status)
	bad := b.post("/webhooks", url.Values{"request_id": {b.once("/webhooks")}, "url": {"ftp://erp.example"}})
	require.Equal(t, http.StatusUnprocessableEntity, bad.status)
}

// People choose the language; a browser that has not chosen gets its own.
func TestLanguage(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c)
	require.Contains(t, b.do(http.MethodGet, "/sign-in", nil, "Accept-Language", "ko").body, `lang="ko"`)
	require.Contains(t, b.page("/sign-in"), `lang="en"`)
	require.Equal(t, "/sign-in", b.post("/language", url.Values{"language": {"ko"}, "next": {"/sign-in"}}).to())
	require.Contains(t, b.page("/sign-in"), `lang="ko"`)
}

// An installation without a request log shows keys, and says that there is no log.
func TestUnlogged(t *testing.T) {
	t.Parallel()
	s := stacktest.Own(t, func(config *stack.Config) { config.RequestLog = "off" })
	c, seller := s.Console(t, nil), s.Seller(t)
	people(c, seller.ID)
	b := newBrowser(t, c).as("kim")
	require.Contains(t, b.page("/keys"), seller.Key[:12])
	b.page("/requests")
	b.page("/usage")
	b.page("/go-live")
}
