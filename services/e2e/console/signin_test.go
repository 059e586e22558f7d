package console

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/console"
	"sellerapi.dev/services/e2e/stacktest"
)

// A person who has only the address signs in and gets to the page that was wanted, and out again.
func TestSignIn(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c)
	got := b.get("/requests?code=RATE_LIMITED")
	require.Equal(t, http.StatusSeeOther, got.status)
	require.Equal(t, "/sign-in?next=%2Frequests%3Fcode%3DRATE_LIMITED", got.to())
	require.Contains(t, b.page(got.to()), `href="/sign-in/start?next=%2Frequests%3Fcode%3DRATE_LIMITED"`)

	at := b.start("?next=%2Frequests%3Fcode%3DRATE_LIMITED")
	require.True(t, strings.HasPrefix(at.String(), c.People.OIDC.AuthorizationEndpoint()))
	require.Equal(t, "S256", at.Query().Get("code_challenge_method"), "PKCE")
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		require.GreaterOrEqual(t, len(at.Query().Get(name)), 26, name)
	}
	require.Contains(t, b.get(at.String()).body, "Kim", "the provider's page")
	got = b.get(b.choose(at, "kim"))
	require.Equal(t, "/requests?code=RATE_LIMITED", got.to())
	require.Contains(t, b.page(got.to()), "Kim")

	require.Equal(t, "/sign-in?why=ended", b.post("/sign-out", nil).to())
	require.False(t, b.isIn())
}

// Who signs out is signed out at the provider too, and comes back to the sign-in page, which says so and sends nobody on.
func TestSignOut_atProvider(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c).as("kim")
	ended := b.get(b.post("/sign-out", nil).to())
	to, found := strings.CutPrefix(ended.header.Get("Refresh"), "0; url=")
	require.True(t, found, ended.header)
	require.True(t, strings.HasPrefix(to, c.People.OIDC.Addr()), to)
	at, err := url.Parse(to)
	require.NoError(t, err)
	require.Equal(t, url.Values{
		"end_session": {"1"}, "client_id": {c.People.OIDC.ClientID}, "post_logout_redirect_uri": {c.URL + "/sign-in"},
		"state": {"ended"},
	}, at.Query(), "no token in an address")
	back := b.get(b.get(to).to())
	require.Equal(t, http.StatusOK, back.status)
	require.Contains(t, back.body, "You are signed out.")
	require.Empty(t, back.header.Get("Refresh"))
	require.Empty(t, newBrowser(t, c).get("/sign-in").header.Get("Refresh"), "who has not signed out stays")
}

// Sellers have the names that the provider knows for those of the person, and are shown by their ids otherwise.
func TestSellerNames(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	other, foreign := c.Seller(t), c.Seller(t)
	names := map[string]string{seller.ID: "Haneul", foreign.ID: "Foreign", "no id": "None"}
	c.People.Know(
		identity.Person{Subject: "kim", Roles: []string{"representative:" + seller.ID, "developer:" + other.ID}, Sellers: names},
		identity.Person{Subject: "park", Roles: []string{"support"}, Sellers: names},
	)
	b := newBrowser(t, c).as("kim")
	page := b.page("/seller")
	for _, text := range []string{"Haneul", seller.ID, other.ID} {
		require.Contains(t, page, text)
	}
	require.NotContains(t, page, "Foreign")
	b.post("/seller", url.Values{"seller": {seller.ID}})
	require.Contains(t, b.page("/requests"), "Haneul · "+seller.ID)
	b = newBrowser(t, c).as("park")
	b.post("/seller", url.Values{"seller": {foreign.ID}})
	require.Contains(t, b.page("/requests"), "<b>Foreign</b>")
}

// Nothing but sign-in and assets is served without a session, and no page is kept by a cache or says where its reader came from.
func TestHeaders(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	in := newBrowser(t, c).as("kim")
	for name, got := range map[string]answer{
		"sign-in page": newBrowser(t, c).get("/sign-in"), "redirection": newBrowser(t, c).get("/keys"),
		"page": in.get("/keys"), "no page": in.get("/none"),
		"refused": in.do(http.MethodPost, "/keys", nil, "Sec-Fetch-Site", "cross-site"),
	} {
		require.Equal(t, "no-store", got.header.Get("Cache-Control"), name)
		require.Equal(t, "no-referrer", got.header.Get("Referrer-Policy"), name)
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"), name)
		policy := got.header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'", name)
		require.Contains(t, policy, "frame-ancestors 'none'", name)
		require.NotContains(t, policy, "unsafe", name)
	}
}

// The cookie of a session is unreadable for scripts, is not sent by forms of other sites, and lasts for the life of the session.
func TestCookie(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c)
	got := b.signIn("kim", "")
	at := slices.IndexFunc(got.cookies, func(cookie *http.Cookie) bool { return cookie.Name == "console" })
	require.GreaterOrEqual(t, at, 0)
	cookie := got.cookies[at]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	require.Equal(t, "/", cookie.Path)
	require.InDelta(t, (12 * time.Hour).Seconds(), cookie.MaxAge, time.Minute.Seconds())
}

// Who can make another person's browser use a session of his sees nothing of it after that person has signed in.
func TestSessionFixation(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	attacker := newBrowser(t, c).as("lee")
	known := attacker.session()
	require.NotEmpty(t, known)
	victim := newBrowser(t, c)
	victim.setSession(known)
	victim.as("kim")
	require.NotEqual(t, known, victim.session())
	require.True(t, victim.isIn())
	require.False(t, attacker.isIn())

	victim = newBrowser(t, c)
	victim.setSession("chosen-by-the-attacker")
	victim.as("kim")
	require.NotEqual(t, "chosen-by-the-attacker", victim.session())
}

// A session that its person has ended does not come back with an attempt to sign in that ends after it.
func TestSignOut_duringAttempt(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	b := newBrowser(t, c).as("kim")
	token := b.session()
	reached, goOn := make(chan struct{}), make(chan struct{})
	c.People.Change(func(claims map[string]any) {
		close(reached)
		<-goOn
		claims["nonce"] = "other"
	})
	back := b.choose(b.start("?fresh=1"), "kim")
	ended := make(chan answer)
	go func() { ended <- b.get(back) }()
	<-reached
	require.Equal(t, "/sign-in?why=ended", b.post("/sign-out", nil).to())
	close(goOn)
	require.Equal(t, "/sign-in?why=refused", (<-ended).to())
	require.False(t, b.isIn())
	b.setSession(token)
	require.False(t, b.isIn())
}

// A response of the provider counts once, and only in the browser that asked for it.
func TestState(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	attacker, victim := newBrowser(t, c), newBrowser(t, c)
	back := attacker.choose(attacker.start(""), "park")
	refused := func(b *browser, to string) {
		t.Helper()
		got := b.get(to)
		require.Equal(t, "/sign-in?why=refused", got.to(), got.body)
		require.False(t, b.isIn())
	}
	refused(victim, back) // without an attempt
	victim.start("")
	refused(victim, back) // with another one
	at := victim.start("")
	for name, change := range map[string]func(url.Values){
		"no state": func(q url.Values) { q.Del("state") }, "other state": func(q url.Values) { q.Set("state", "x") },
		"no code": func(q url.Values) { q.Del("code") }, "refusal": func(q url.Values) { q.Set("error", "access_denied") },
		"other issuer": func(q url.Values) { q.Set("iss", "https://evil.example") },
	} {
		b := newBrowser(t, c)
		to, err := url.Parse(b.choose(b.start(""), "kim"))
		require.NoError(t, err, name)
		query := to.Query()
		change(query)
		to.RawQuery = query.Encode()
		refused(b, to.String())
	}
	back = victim.choose(at, "kim")
	require.Equal(t, "/", victim.get(back).to())
	require.Equal(t, "/sign-in?why=refused", victim.get(back).to(), "again")
	require.True(t, victim.isIn())
}

// A stolen code is of no use in another attempt: the provider refuses it, because its challenge belongs to another verifier.
func TestPKCE(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	victim, attacker := newBrowser(t, c), newBrowser(t, c)
	stolen, err := url.Parse(victim.choose(victim.start(""), "kim"))
	require.NoError(t, err)
	at := attacker.start("")
	query := url.Values{"state": {at.Query().Get("state")}, "code": {stolen.Query().Get("code")}}
	require.Equal(t, "/sign-in?why=refused", attacker.get("/sign-in/callback?"+query.Encode()).to())
	require.False(t, attacker.isIn())
}

// An ID token is accepted only if the provider has issued it to the console, now, for this attempt, and it names a subject.
func TestToken(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	hourAgo := time.Now().Add(-time.Hour).Unix()
	for name, forged := range map[string]map[string]any{
		"other nonce": {"nonce": "x"}, "no nonce": {"nonce": nil}, "expired": {"exp": hourAgo}, "no expiry": {"exp": nil},
		"other issuer": {"iss": "https://evil.example"}, "other audience": {"aud": []string{"other"}},
		"other party": {"azp": "other"}, "nobody": {"sub": ""}, "odd party": {"azp": 7}, "odd subject": {"sub": 7},
		"others too": {"aud": []string{c.People.OIDC.ClientID, "other"}}, "not yet": {"nbf": time.Now().Add(time.Hour).Unix()},
	} {
		c.People.Change(func(claims map[string]any) { maps.Copy(claims, forged) })
		b := newBrowser(t, c)
		require.Equal(t, "/sign-in?why=refused", b.signIn("kim", "").to(), name)
		require.False(t, b.isIn(), name)
	}
	c.People.Change(nil)
	newBrowser(t, c).as("kim")
}

// A token that is signed with a key that is not the provider's is refused, and one with a new key of it counts.
func TestToken_otherKey(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	newBrowser(t, c).as("kim") // reads the keys
	own := c.People.OIDC.Keypair
	other, err := identity.NewKeys()
	require.NoError(t, err)
	c.People.Sign(other, own)
	b := newBrowser(t, c)
	require.Equal(t, "/sign-in?why=refused", b.signIn("kim", "").to())
	require.False(t, b.isIn())
	c.People.Sign(other, other)
	newBrowser(t, c).as("kim")
}

// While the provider is away people read that, and those who have signed in go on; when it is back, nothing has to be restarted.
func TestProviderAway(t *testing.T) {
	t.Parallel()
	away := newBrowser(t, stacktest.Use(t).Console(t, func(config *console.Config) {
		config.OIDC.Issuer = "http://127.0.0.1:1/oidc"
	}))
	got := away.get("/sign-in/start")
	require.Equal(t, http.StatusServiceUnavailable, got.status)
	require.Contains(t, got.body, "<html")
	away.page("/sign-in")
	c, _ := setup(t)
	b := newBrowser(t, c)
	back := b.choose(b.start(""), "kim")
	c.People.Break(true)
	require.Equal(t, http.StatusServiceUnavailable, b.get(back).status)
	require.False(t, b.isIn())
	c.People.Break(false)
	b.as("kim")
	c.People.Break(true)
	b.page("/keys")
}

// Signing out everywhere ends the sessions of the person in all browsers, and no other person's.
func TestSignOutEverywhere(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	c.People.Know( // nobody of another test, whose sessions are in the same Redis
		identity.Person{Subject: "choi", Name: "Choi", Roles: []string{"representative:" + seller.ID}},
		identity.Person{Subject: "lee", Name: "Lee", Roles: []string{"representative:" + seller.ID}},
	)
	one, two, other := newBrowser(t, c).as("choi"), newBrowser(t, c).as("choi"), newBrowser(t, c).as("lee")
	token := one.session()
	require.Equal(t, "/sign-in?why=ended", one.post("/sign-out/everywhere", nil).to())
	require.False(t, one.isIn())
	require.False(t, two.isIn())
	require.True(t, other.isIn())
	one.setSession(token)
	require.False(t, one.isIn())
	require.True(t, one.as("choi").isIn())
	require.False(t, two.isIn())
}

// A link to the sign-in leads to no other place than the console.
func TestOpenRedirect(t *testing.T) {
	t.Parallel()
	c, _ := setup(t)
	for _, next := range []string{
		"https://evil.example", "//evil.example", "/\\evil.example", "/%09/evil.example", "javascript:alert(1)",
	} {
		b := newBrowser(t, c)
		got := b.signIn("kim", "?"+url.Values{"next": {next}}.Encode())
		require.False(t, strings.Contains(got.to(), "evil.example") && !strings.HasPrefix(got.to(), "/%09/"), got.to())
		require.True(t, strings.HasPrefix(got.to(), "/"), got.to())
		require.False(t, strings.HasPrefix(got.to(), "//"), got.to())
		got = b.post("/language", url.Values{"language": {"en"}, "next": {next}})
		require.True(t, got.to() == "/" || strings.HasPrefix(got.to(), "/%09/"), got.to())
	}
}

// A role that the provider has taken away is gone with the next sign-in, and a person without any sees nothing.
func TestRolesChange(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("kim")
	b.page("/keys/new")
	c.People.Know(identity.Person{Subject: "kim", Name: "Kim", Roles: []string{"developer:" + seller.ID}})
	b.as("kim")
	require.Equal(t, http.StatusForbidden, b.get("/keys/new").status)
	b.page("/requests")
	c.People.Know(identity.Person{Subject: "kim", Name: "Kim"})
	b.as("kim")
	require.Equal(t, http.StatusForbidden, b.get("/requests").status)
}
