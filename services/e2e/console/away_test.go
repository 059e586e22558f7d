package console

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/console"
	"sellerapi.dev/services/e2e/stacktest"
)

// silent starts a server that takes connections and never answers, and returns its URL.
func silent(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	server.Config.BaseContext = func(net.Listener) context.Context { return t.Context() } // ends before the server is closed
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// Every page of a seller says that the gateway is away, or does not answer, after the time that a call may take; forms change
// nothing, and the same form has its effect later.
func TestGatewayAway(t *testing.T) {
	t.Parallel()
	for name, gateway := range map[string]string{"away": "http://127.0.0.1:1", "silent": silent(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := stacktest.Use(t).Console(t, func(config *console.Config) {
				config.GatewayURL, config.RPC.Timeout = gateway, 300*time.Millisecond
			})
			people(c, none.key)
			b := newBrowser(t, c).as("kim")
			once := b.once("/keys/new")
			for _, row := range console.Routes() {
				if row.Access != "seller" || row.Path == "/keys/new" || strings.HasSuffix(row.Path, "/test") {
					continue // the form needs no gateway, and a test has more time
				}
				form := formOf(row.Method)
				if form != nil {
					form = url.Values{"request_id": {once}, "purpose": {"ERP"}, "scope": {"orders:read"}}
				}
				at := records{key: none.key, webhook: none.webhook, call: none.key}.at(row.Path)
				got := b.do(row.Method, at, form)
				if got.to() != "" && row.Path == "/webhooks" {
					continue // the form is of another page
				}
				require.Equal(t, http.StatusServiceUnavailable, got.status, "%s %s", row.Method, row.Path)
				require.Contains(t, got.body, "The gateway did not answer", row.Path)
			}
		})
	}
}

// While Redis is away nobody is taken for another person or for nobody: pages say that the sessions are away, and forms change
// nothing. When it is back, the session and an open form are as they were.
func TestRedisAway(t *testing.T) {
	t.Parallel()
	var path *redistest.Path
	c := stacktest.Use(t).Console(t, func(config *console.Config) {
		path = redistest.NewPath(t, config.Redis.URL)
		config.Redis.URL, config.Redis.ReadTimeout = path.URL(), time.Second
	})
	seller := c.Seller(t)
	people(c, seller.ID)
	b := newBrowser(t, c).as("kim")
	form := url.Values{"request_id": {b.once("/keys/new")}, "purpose": {"ERP"}, "scope": {"orders:read"}, "expiry": {"never"}}
	at := newBrowser(t, c)
	back := at.choose(at.start(""), "kim")
	path.Cut()
	for _, away := range []answer{
		b.get("/keys"), b.get("/"), b.post("/keys", form), b.post("/sign-out", nil), b.post("/sign-out/everywhere", nil),
		newBrowser(t, c).get("/sign-in/start"), at.get(back),
	} {
		require.Equal(t, http.StatusServiceUnavailable, away.status, away.body)
		require.Contains(t, away.body, "The store of the sessions did not answer")
		require.Empty(t, away.header.Get("Location"))
	}
	require.Equal(t, http.StatusOK, b.get("/sign-in").status)
	path.Mend()
	require.Eventually(t, func() bool { return b.get("/keys").status == http.StatusOK }, time.Minute, 50*time.Millisecond)
	require.NotEmpty(t, b.post("/keys", form).secret())
}

// A provider that does not answer costs a person the time of a request to it, and no other person anything.
func TestProviderSilent(t *testing.T) {
	t.Parallel()
	c := stacktest.Use(t).Console(t, func(config *console.Config) {
		config.OIDC.Issuer, config.OIDC.Timeout = silent(t), 300*time.Millisecond
	})
	b := newBrowser(t, c)
	got := b.get("/sign-in/start")
	require.Equal(t, http.StatusServiceUnavailable, got.status)
	require.Contains(t, got.body, "The service at which you sign in did not answer")
	b.page("/sign-in")
}
