// Package identity is the OpenID provider of a system on one machine: at its sign-in page a person of a short list is chosen
// instead of a password. It listens on the loopback interface only, and no service imports it.
package identity

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"

	"sellerapi.dev/pkg/apierr"
)

// Person is one who may be chosen.
type Person struct {
	// Subject identifies the person.
	Subject string
	// Name is shown, with About.
	Name  string
	About apierr.Phrase
	// Roles are those of the console, Sellers the names of sellers by their ids.
	Roles   []string
	Sellers map[string]string
}

// Provider is a running provider.
type Provider struct {
	// OIDC is the server; tests let it err.
	OIDC *mockoidc.MockOIDC

	mu        sync.Mutex
	people    []Person
	change    func(claims map[string]any)
	published *mockoidc.Keypair // nil: that which signs
	broken    bool
}

// Start starts a provider on a free port of the loopback interface.
func Start(ctx context.Context) (*Provider, error) {
	keys, err := NewKeys()
	if err != nil {
		return nil, err
	}
	server, err := mockoidc.NewServer(keys.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	p := &Provider{OIDC: server}
	if err := server.AddMiddleware(p.serve); err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	if err := server.Start(port, nil); err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	return p, nil
}

// NewKeys returns random keys to sign with: those of the library are known to everyone.
func NewKeys() (*mockoidc.Keypair, error) {
	keys, err := mockoidc.RandomKeypair(2048)
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	return keys, nil
}

// Stop stops the provider.
func (p *Provider) Stop() error { return p.OIDC.Shutdown() }

// Know sets the people who may be chosen.
func (p *Provider) Know(people ...Person) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.people = people
}

// Change lets a function change the claims of all ID tokens from now on; nil changes nothing. Tests forge tokens with it.
func (p *Provider) Change(change func(claims map[string]any)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change = change
}

// Sign lets tokens be signed with one key, and another one be published.
func (p *Provider) Sign(with, published *mockoidc.Keypair) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.OIDC.Keypair, p.published = with, published
}

// Break lets every request fail until it is called with false.
func (p *Provider) Break(broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = broken
}

// Field is the parameter of the sign-in page with the subject of the chosen person.
const Field = "person"

//go:embed choose.html
var chooseText string

var choosePage = template.Must(template.New("choose").Parse(chooseText))

// serve serves one request at a time: the server takes who signs in from a queue.
func (p *Provider) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case p.broken:
			http.Error(w, "the provider is broken", http.StatusInternalServerError)
		case r.URL.Path == mockoidc.JWKSEndpoint && p.published != nil:
			p.publish(w)
		case r.URL.Path == mockoidc.DiscoveryEndpoint:
			p.describe(w, r, next)
		case r.URL.Path == mockoidc.AuthorizationEndpoint && r.URL.Query().Has(endSession):
			p.endSession(w, r)
		case r.URL.Path != mockoidc.AuthorizationEndpoint || p.choose(w, r):
			next.ServeHTTP(w, r)
		}
	})
}

// choose shows the page of people, and reports whether one is chosen, who then signs in.
func (p *Provider) choose(w http.ResponseWriter, r *http.Request) bool {
	chosen := r.URL.Query().Get(Field)
	at := slices.IndexFunc(p.people, func(one Person) bool { return one.Subject == chosen })
	if at < 0 {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		language := apierr.English
		if r.URL.Query().Get("ui_locales") == apierr.Korean.String() {
			language = apierr.Korean
		}
		_ = choosePage.Execute(w, map[string]any{
			"People": p.people, "Query": r.URL.Query(), "Field": Field, "Language": language, "Korean": language == apierr.Korean,
		})
		return false
	}
	p.OIDC.QueueUser(&user{Person: p.people[at], at: time.Now(), change: p.change})
	return true
}

// endSession is the parameter that makes the address of the authorization endpoint that of RP-initiated logout: the server serves
// no further path.
const endSession = "end_session"

// describe serves the discovery document of the server with the address of RP-initiated logout.
func (p *Provider) describe(w http.ResponseWriter, r *http.Request, next http.Handler) {
	recorded := httptest.NewRecorder()
	next.ServeHTTP(recorded, r)
	document := map[string]any{}
	if err := json.Unmarshal(recorded.Body.Bytes(), &document); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	document["end_session_endpoint"] = p.OIDC.AuthorizationEndpoint() + "?" + endSession + "=1"
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document)
}

// endSession sends the browser back to the client. Nobody has a session here: a person is chosen at each sign-in.
func (p *Provider) endSession(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	back, err := url.Parse(query.Get("post_logout_redirect_uri"))
	if err != nil || back.Hostname() != "127.0.0.1" || query.Get("client_id") != p.OIDC.ClientID {
		http.Error(w, "unknown client or address", http.StatusBadRequest)
		return
	}
	back.RawQuery = url.Values{"state": {query.Get("state")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (p *Provider) publish(w http.ResponseWriter) {
	keys, err := p.published.JWKS()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(keys)
}

// user is a person who has signed in, as the server wants it.
type user struct {
	Person

	at     time.Time
	change func(map[string]any)
}

var _ mockoidc.User = (*user)(nil)

// ID returns the subject.
func (u *user) ID() string { return u.Subject }

// Userinfo returns the claims that clients may ask for.
func (u *user) Userinfo([]string) ([]byte, error) {
	return json.Marshal(map[string]any{"sub": u.Subject, "name": u.Name})
}

// Claims returns the claims of the ID token.
func (u *user) Claims(_ []string, standard *mockoidc.IDTokenClaims) (jwt.Claims, error) {
	text, err := json.Marshal(standard)
	if err != nil {
		return nil, err
	}
	claims := jwt.MapClaims{}
	if err := json.Unmarshal(text, &claims); err != nil {
		return nil, err
	}
	claims["name"], claims["roles"], claims["auth_time"] = u.Name, u.Roles, u.at.Unix()
	if len(u.Sellers) > 0 {
		claims["seller_names"] = u.Sellers
	}
	if u.change != nil {
		u.change(claims)
	}
	return claims, nil
}
