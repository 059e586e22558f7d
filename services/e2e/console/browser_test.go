package console

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/e2e/stacktest"
)

// browser keeps cookies and follows no redirection, so that tests see each response.
type browser struct {
	t      *testing.T
	c      *stacktest.Console
	client *http.Client
}

// answer is a response, read completely.
type answer struct {
	status int
	header http.Header
	body   string

	cookies []*http.Cookie
}

func (a answer) to() string { return a.header.Get("Location") }

func newBrowser(t *testing.T, c *stacktest.Console) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t: t, c: c, client: &http.Client{
		Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// do makes a request to a path of the console or to another address.
func (b *browser) do(method, to string, form url.Values, headers ...string) answer {
	b.t.Helper()
	if strings.HasPrefix(to, "/") {
		to = b.c.URL + to
	}
	request, err := http.NewRequestWithContext(context.WithoutCancel(b.t.Context()), method, to, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		request.Header.Set("Origin", b.c.URL)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := b.client.Do(request)
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	return answer{status: response.StatusCode, header: response.Header, body: string(body), cookies: response.Cookies()}
}

func (b *browser) get(to string) answer { b.t.Helper(); return b.do(http.MethodGet, to, nil) }

func (b *browser) post(to string, form url.Values) answer {
	b.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	return b.do(http.MethodPost, to, form)
}

// page gets a page that must be there.
func (b *browser) page(to string) string {
	b.t.Helper()
	got := b.get(to)
	require.Equal(b.t, http.StatusOK, got.status, "%s: %s %s", to, got.to(), got.body)
	return got.body
}

// start begins to sign in and returns the address at the provider.
func (b *browser) start(query string) *url.URL {
	b.t.Helper()
	got := b.get("/sign-in/start" + query)
	require.Equal(b.t, http.StatusSeeOther, got.status, got.body)
	to, err := url.Parse(got.to())
	require.NoError(b.t, err)
	return to
}

// choose signs a person in at the provider and returns the address of the console to which the provider sends the browser back.
func (b *browser) choose(at *url.URL, subject string) string {
	b.t.Helper()
	query := at.Query()
	query.Set(identity.Field, subject)
	chosen := *at
	chosen.RawQuery = query.Encode()
	got := b.get(chosen.String())
	require.Equal(b.t, http.StatusFound, got.status, got.body)
	return got.to()
}

// signIn signs a person in and returns the answer of the console.
func (b *browser) signIn(subject, query string) answer {
	b.t.Helper()
	return b.get(b.choose(b.start(query), subject))
}

// as signs a person in, who must be let in.
func (b *browser) as(subject string) *browser {
	b.t.Helper()
	got := b.signIn(subject, "")
	require.Equal(b.t, http.StatusSeeOther, got.status, got.body)
	require.Equal(b.t, "/", got.to())
	return b
}

// isIn reports whether the console lets the browser see a page.
func (b *browser) isIn() bool {
	b.t.Helper()
	return !strings.HasPrefix(b.get("/").to(), "/sign-in")
}

// session returns the token of the browser's session, empty for none.
func (b *browser) session() string {
	b.t.Helper()
	at, err := url.Parse(b.c.URL)
	require.NoError(b.t, err)
	for _, cookie := range b.client.Jar.Cookies(at) {
		if cookie.Name == "console" {
			return cookie.Value
		}
	}
	return ""
}

// setSession gives the browser a session.
func (b *browser) setSession(token string) {
	b.t.Helper()
	at, err := url.Parse(b.c.URL)
	require.NoError(b.t, err)
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "console", Value: token, Path: "/"}})
}

var onceField = regexp.MustCompile(`name="request_id" value="([^"]+)"`)

// once returns the id of the form on a page.
func (b *browser) once(to string) string {
	b.t.Helper()
	found := onceField.FindStringSubmatch(b.page(to))
	require.Len(b.t, found, 2)
	return found[1]
}

var secretText = regexp.MustCompile(`<code id="secret">([^<]+)</code>`)

// secret returns the secret that a page shows, empty for none.
func (a answer) secret() string {
	if found := secretText.FindStringSubmatch(a.body); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}

// people lets persons of each role sign in, all of them for one seller but support.
func people(c *stacktest.Console, seller string) {
	c.People.Know(
		identity.Person{Subject: "kim", Name: "Kim", Roles: []string{"representative:" + seller}},
		identity.Person{Subject: "lee", Name: "Lee", Roles: []string{"developer:" + seller}},
		identity.Person{Subject: "park", Name: "Park", Roles: []string{"support"}},
		identity.Person{Subject: "nobody", Name: "Nobody", Roles: []string{"reader"}},
	)
}

// setup starts a console whose people are of a new seller.
func setup(t *testing.T) (*stacktest.Console, stacktest.Seller) {
	t.Helper()
	stack := stacktest.Use(t)
	c, seller := stack.Console(t, nil), stack.Seller(t)
	people(c, seller.ID)
	return c, seller
}
