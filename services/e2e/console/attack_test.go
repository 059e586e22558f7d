package console

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/e2e/stacktest"
)

// An id in another spelling than that of the console's links names nothing, and is no failure of the console.
func TestIDs_spelling(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	own := recordsOf(t, c, seller)
	b := newBrowser(t, c).as("kim")
	for _, spelled := range []func(string) string{
		func(id string) string { return strings.ReplaceAll(id, "-", "") },
		func(id string) string { return "urn:uuid:" + id },
		func(id string) string { return "%7B" + id + "%7D" },
		func(string) string { return "00000000-0000-0000-0000-000000000000" },
		func(string) string { return "%00" },
		func(string) string { return "%ff" },
	} {
		for _, path := range []string{
			"/requests/" + spelled(own.call), "/webhooks/" + spelled(own.webhook), "/keys/" + spelled(own.key) + "/revoke",
			"/webhooks/" + own.webhook + "?before=" + spelled(own.webhook),
		} {
			status := b.get(path).status
			require.True(t, status == http.StatusNotFound || strings.Contains(path, "=%ff") && status == http.StatusBadRequest, path)
		}
		for _, action := range []string{"test", "pause", "resume", "rotate", "remove"} {
			path := "/webhooks/" + spelled(own.webhook) + "/" + action
			require.Equal(t, http.StatusNotFound, b.post(path, nil).status, path)
		}
	}
}

// A query or a form that no page sends is refused with a page that says so: what is not UTF-8, is broken, or is too long.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("kim")
	for _, name := range []string{"from", "until", "key", "operation", "code", "request_id", "record", "after", "other"} {
		got := b.get("/requests?" + name + "=%ff")
		require.Equal(t, http.StatusBadRequest, got.status, name)
		require.Contains(t, got.body, "cannot be read", name)
	}
	key := keyID(t, c, seller, seller.Key)
	for name, form := range map[string]url.Values{
		"/keys":                     {"request_id": {b.once("/keys/new")}, "purpose": {"a\xff"}, "scope": {"orders:read"}},
		"/webhooks":                 {"request_id": {b.once("/webhooks")}, "url": {"https://erp.example/\xff"}},
		"/keys/" + key + "/revoke":  {"prefix": {seller.Key[:12]}, "reason": {"\xff"}},
		"/seller":                   {"seller": {"\xff"}},
		"/language":                 {"language": {"\xff"}},
		"/keys/" + key + "/reveal?": {"\xff": {""}, "a": {"\xff"}},
	} {
		require.Equal(t, http.StatusBadRequest, b.post(name, form).status, name)
	}
	long := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {strings.Repeat("x", 64<<10)}, "scope": {"orders:read"}}
	require.Equal(t, http.StatusRequestEntityTooLarge, b.post("/keys", long).status)
	keys := stacktest.Must(t, c.Keys.ListKeys, &gatewayv1.ListKeysRequest{SellerId: seller.ID, Actor: "t"}).GetKeys()
	require.Len(t, keys, 1)
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_ACTIVE, keys[0].GetState())
}

// A form that was sent before, or was open for too long, says that it changed nothing.
func TestForm_spent(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c).as("kim")
	for _, path := range []string{"/keys", "/webhooks"} {
		require.Equal(t, path, b.post(path, url.Values{"purpose": {"ERP"}, "url": {"https://erp.example"}}).to())
		require.Contains(t, b.page(path), "This time nothing was changed", path)
		require.NotContains(t, b.page(path), "This time nothing was changed", path)
	}
}

// The notice of the last change is one of the console's, whatever the cookie says.
func TestNotice_forged(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c).as("kim")
	at, err := url.Parse(c.URL)
	require.NoError(t, err)
	for _, value := range []string{"paused.x", "revoked", "revoked.", "revoked.%3Cb%3E", "other", "%ff", "revoked.x.y"} {
		b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "console-notice", Value: value, Path: "/"}})
		require.NotContains(t, b.page("/webhooks"), `class="notice`, value)
	}
}

// Who chooses a language on a page that answers a form gets back to a page.
func TestLanguage_afterForm(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	own := recordsOf(t, c, seller)
	b := newBrowser(t, c).as("kim")
	for path, back := range map[string]string{
		"/keys/" + own.key + "/reveal":       "/keys",
		"/keys/" + own.key + "/revoke":       "/keys/" + own.key + "/revoke",
		"/webhooks/" + own.webhook + "/test": "/webhooks/" + own.webhook,
		"/none":                              "/",
	} {
		got := b.post(path, nil)
		require.Contains(t, got.body, `name="next" value="`+back+`"`, path)
		if back != "/" {
			b.page(back)
		}
	}
}

// A seller that has had two thousand keys has pages of a few: the active ones and the latest.
func TestKeys_many(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	_, err := c.SQL(t).Exec(t.Context(), `
		insert into gateway.api_keys (seller_id, key_id, request_id, prefix, hash, sealed_text, seal, scopes, purpose, issued_at,
			revoked_at, published_at)
		select seller_id, gen_random_uuid(), md5(n::text)::uuid, 'vpk_' || lpad(n::text, 8, '0'), sha256(n::text::bytea), sealed_text,
			seal, scopes, 'ERP', issued_at + n * interval '1 microsecond', issued_at + interval '1 second', issued_at
		from gateway.api_keys, generate_series(1, 2000) n
		where seller_id = $1`, seller.ID)
	require.NoError(t, err)
	b := newBrowser(t, c).as("kim")
	logged(t, c, seller)
	for _, path := range []string{"/keys", "/requests", "/usage", "/go-live", "/requests?key=" + seller.Key[:12]} {
		page := b.page(path)
		require.Less(t, len(page), 150<<10, path)
		require.Contains(t, page, seller.Key[:12], path)
	}
	require.Contains(t, b.page("/keys"), "not listed: 1,900")
	b.page("/keys/" + keyID(t, c, seller, seller.Key) + "/rotation")
}

// What clients of the interface and other people type is text on every page that shows it, in both languages.
func TestInjection(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}`
	b := newBrowser(t, c)
	c.People.Know(identity.Person{Subject: "kim" + evil, Name: "Kim " + evil, Roles: []string{"representative:" + seller.ID}})
	b.as("kim" + evil)
	issued := b.post("/keys", url.Values{
		"request_id": {b.once("/keys/new")}, "purpose": {evil}, "scope": {"orders:read"}, "expiry": {"never"},
	})
	text := issued.secret()
	require.NotEmpty(t, text, issued.body)
	hook := b.post("/webhooks", url.Values{
		"request_id": {b.once("/webhooks")}, "url": {"http://127.0.0.1:1/" + url.PathEscape(evil) + "?" + evil},
	})
	path := strings.TrimPrefix(hook.header.Get("Refresh"), "60; url=")
	for _, address := range []string{
		"/open/v1/orders?limit=0&" + url.QueryEscape(evil) + "=1", "/open/v1/orders/" + url.PathEscape(evil),
		"/open/v1/claims?status=" + url.QueryEscape(evil), "/open/v1/orders?cursor=" + url.QueryEscape(evil),
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.GatewayURL+address, nil)
		require.NoError(t, err)
		request.Header.Set("X-Api-Key", text)
		request.Header.Set("User-Agent", evil)
		request.Header.Set("X-Request-Id", evil)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
	}
	logged(t, c, stacktest.Seller{ID: seller.ID, Key: text}) // after them
	list := b.page("/requests?key=" + text[:12])
	key, typed := keyID(t, c, seller, text), url.QueryEscape(evil)
	shown := append(links(list), []string{
		"/keys", "/keys/new?key=" + key, "/keys/" + key + "/revoke", "/keys/" + key + "/rotation", "/usage", "/go-live", "/seller",
		"/webhooks", path, path + "/remove", "/none?" + typed, "/requests?record=" + typed, "/requests?from=" + typed,
		"/requests?code=" + typed,
	}...)
	require.Greater(t, len(shown), 18)
	for _, language := range []string{"en", "ko"} {
		b.post("/language", url.Values{"language": {language}})
		for _, at := range shown {
			got := b.get(at)
			require.NotContains(t, got.body, "<script>", at)
			require.NotContains(t, got.body, "<img", at)
			require.NotContains(t, got.body, "ZgotmplZ", at)
			require.Equal(t, strings.Count(got.body, "<script "), strings.Count(got.body, `<script src="/assets/`), at)
		}
	}
}

// links returns the addresses of the calls on a page.
func links(page string) []string {
	found := regexp.MustCompile(`href="(/requests/[^"]+)"`).FindAllStringSubmatch(page, -1)
	list := make([]string, len(found))
	for i := range found {
		list[i] = found[i][1]
	}
	return list
}

// Calls are counted as they were answered, also when two hundred callers call at the same time, of whom some are refused.
func TestUsage_exact(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	const callers, each = 200, 3
	paths := []string{"/open/v1/orders?limit=1", "/open/v1/claims?limit=0", "/open/v1/orders/O-20260301-0001"}
	var mu sync.Mutex
	answered := map[int]int64{}
	group, ctx := errgroup.WithContext(t.Context())
	from := time.Now().Add(-time.Second)
	for n := range callers {
		group.Go(func() error {
			for range each {
				status, err := statusOf(ctx, c.GatewayURL+paths[n%len(paths)], seller.Key)
				if err != nil {
					return err
				}
				mu.Lock()
				answered[status]++
				mu.Unlock()
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	require.Eventually(t, func() bool {
		counts := stacktest.Must(t, c.Requests.CountRequests, &gatewayv1.CountRequestsRequest{
			SellerId: seller.ID, Actor: "t", From: timestamppb.New(from), Until: timestamppb.New(time.Now().Add(time.Minute)),
		}).GetCounts()
		counted := map[int]int64{}
		for _, count := range counts {
			counted[int(count.GetStatus())] += count.GetCalls()
		}
		return maps.Equal(answered, counted)
	}, time.Minute, 200*time.Millisecond)
}

func statusOf(ctx context.Context, address, key string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("X-Api-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}
