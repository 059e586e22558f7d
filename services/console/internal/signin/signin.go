// Package signin signs people in at an OpenID provider: the authorization code flow with PKCE, state and nonce.
//
// The discovery document is read when it is needed first, so that a console starts while the provider is away; its signing keys
// are read again when a token names an unknown one.
package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"sellerapi.dev/services/console/internal/person"
)

// Options configure the provider.
type Options struct {
	Issuer, ClientID, ClientSecret string
	// RedirectURL is where the provider sends browsers back to, SignedOutURL where it sends those that were signed out.
	RedirectURL, SignedOutURL string
	// Scopes are requested besides openid.
	Scopes []string
	// RolesClaim and NameClaim are the claims of the ID token with the roles and the name of a person, SellersClaim that with the
	// names of sellers.
	RolesClaim, NameClaim, SellersClaim string
	// Timeout is the time for a request to the provider.
	Timeout time.Duration
}

// Provider is the OpenID provider.
type Provider struct {
	options    Options
	client     *http.Client
	discovered atomic.Pointer[discovered]
}

type discovered struct {
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
	// endSession is where the provider signs people out; nil if it has no such address.
	endSession *url.URL
}

// New returns the provider. It makes no request.
func New(options Options) *Provider {
	return &Provider{options: options, client: &http.Client{
		Timeout:       options.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Attempt is what a browser's session remembers while its person is at the provider.
type Attempt struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
	// Return is the path that the person wanted.
	Return string `json:"return"`
	// Fresh says that the provider was asked to authenticate the person now, even if it knows the browser.
	Fresh bool      `json:"fresh"`
	Begun time.Time `json:"begun"`
}

// Result is a person who has signed in.
type Result struct {
	Person person.Person
	// Authenticated is when the provider authenticated the person; zero if it does not say.
	Authenticated time.Time
}

// The reasons why nobody is signed in.
var (
	// ErrProvider says that the provider does not respond as it should; another attempt may succeed.
	ErrProvider = errors.New("the provider cannot be used")
	// ErrRefused says that the provider has not authenticated the person.
	ErrRefused = errors.New("the provider refused")
	// ErrAttempt says that the response does not belong to an attempt of this browser.
	ErrAttempt = errors.New("not an attempt of this browser")
	// ErrToken says that the ID token cannot be trusted.
	ErrToken = errors.New("the ID token cannot be trusted")
)

// Begin returns an attempt and the address at the provider to send the browser to. It fails with ErrProvider.
func (p *Provider) Begin(ctx context.Context, returnPath string, fresh bool, language string) (Attempt, string, error) {
	known, err := p.discover(ctx)
	if err != nil {
		return Attempt{}, "", err
	}
	attempt := Attempt{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		Return: returnPath, Fresh: fresh, Begun: time.Now(),
	}
	options := []oauth2.AuthCodeOption{
		oidc.Nonce(attempt.Nonce), oauth2.S256ChallengeOption(attempt.Verifier), oauth2.SetAuthURLParam("ui_locales", language),
	}
	if fresh {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return attempt, known.oauth.AuthCodeURL(attempt.State, options...), nil
}

// Finish reads the response of the provider to an attempt, which is in the query of the address that the browser was sent back
// to.
func (p *Provider) Finish(ctx context.Context, attempt Attempt, query url.Values) (Result, error) {
	if attempt.State == "" || subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(attempt.State)) == 0 {
		return Result{}, ErrAttempt
	}
	if issuer := query.Get("iss"); issuer != "" && issuer != p.options.Issuer {
		return Result{}, fmt.Errorf("%w: the response is of another issuer", ErrAttempt)
	}
	if query.Has("error") || query.Get("code") == "" {
		return Result{}, ErrRefused
	}
	known, err := p.discover(ctx)
	if err != nil {
		return Result{}, err
	}
	tokens, err := known.oauth.Exchange(p.with(ctx), query.Get("code"), oauth2.VerifierOption(attempt.Verifier))
	if err != nil {
		return Result{}, exchangeError(err)
	}
	text, _ := tokens.Extra("id_token").(string)
	token, err := known.verifier.Verify(p.with(ctx), text)
	if err != nil {
		return Result{}, tokenError(err)
	}
	return p.read(token, attempt)
}

// read checks the claims that the library does not, and returns the person whom they describe.
func (p *Provider) read(token *oidc.IDToken, attempt Attempt) (Result, error) {
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(attempt.Nonce)) == 0 {
		return Result{}, fmt.Errorf("%w: it is of another attempt", ErrToken)
	}
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrToken, err)
	}
	if party, given := claims["azp"]; (given || len(token.Audience) > 1) && party != p.options.ClientID {
		return Result{}, fmt.Errorf("%w: it was issued to another client", ErrToken)
	}
	if token.Subject == "" {
		return Result{}, fmt.Errorf("%w: it has no subject", ErrToken)
	}
	result := Result{Authenticated: authenticated(claims, time.Now())}
	if attempt.Fresh && result.Authenticated.Before(attempt.Begun.Add(-clockSkew)) {
		return Result{}, fmt.Errorf("%w: it does not say that the person has just been authenticated (auth_time)", ErrToken)
	}
	name, _ := claims[p.options.NameClaim].(string)
	if name == "" {
		name = token.Subject
	}
	result.Person = person.New(token.Subject, name, texts(claims[p.options.RolesClaim]))
	result.Person.NameSellers(names(claims[p.options.SellersClaim]))
	return result, nil
}

// clockSkew is how far the clocks of provider and console may differ.
const clockSkew = 30 * time.Second

// authenticated returns the claim auth_time, the zero time without one. One of the future, such as one in milliseconds, says
// nothing: it would never be long ago.
func authenticated(claims map[string]any, now time.Time) time.Time {
	seconds, ok := claims["auth_time"].(float64)
	if !ok || seconds < 0 || seconds > float64(now.Add(clockSkew).Unix()) {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0)
}

// texts returns the texts of a claim that is a list, or one text.
func texts(claim any) []string {
	switch claim := claim.(type) {
	case string:
		return []string{claim}
	case []any:
		var all []string
		for _, one := range claim {
			if text, ok := one.(string); ok {
				all = append(all, text)
			}
		}
		return all
	default:
		return nil
	}
}

// names returns the texts of a claim that is an object, by the names of its members.
func names(claim any) map[string]string {
	members, _ := claim.(map[string]any)
	all := make(map[string]string, len(members))
	for name, value := range members {
		if text, ok := value.(string); ok {
			all[name] = text
		}
	}
	return all
}

// discover returns what the discovery document says. Requests of several people at a time are not made to wait for one another.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	if known := p.discovered.Load(); known != nil {
		return known, nil
	}
	provider, err := oidc.NewProvider(p.with(ctx), p.options.Issuer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProvider, err)
	}
	known := &discovered{
		oauth: oauth2.Config{
			ClientID: p.options.ClientID, ClientSecret: p.options.ClientSecret, Endpoint: provider.Endpoint(),
			RedirectURL: p.options.RedirectURL, Scopes: append([]string{oidc.ScopeOpenID}, p.options.Scopes...),
		},
		verifier:   provider.VerifierContext(p.with(ctx), &oidc.Config{ClientID: p.options.ClientID}),
		endSession: endSession(provider),
	}
	p.discovered.Store(known)
	return known, nil
}

// endSession returns the address of RP-initiated logout in the discovery document; nil if there is none.
func endSession(provider *oidc.Provider) *url.URL {
	var document struct {
		Address string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&document); err != nil {
		return nil
	}
	address, err := url.Parse(document.Address)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return nil
	}
	return address
}

// stateEnded is the state of the response to a sign-out.
const stateEnded = "ended"

// SignOut returns the address at the provider to which a browser is sent that was signed out of the console; "" if the provider
// has none, or is away. The ID token is not sent as a hint, because it would have to be kept for that, and stand in an address:
// the provider may ask the person whom it signs out.
func (p *Provider) SignOut(ctx context.Context) string {
	known, err := p.discover(ctx)
	if err != nil || known.endSession == nil {
		return ""
	}
	address := *known.endSession
	query := address.Query()
	query.Set("client_id", p.options.ClientID)
	query.Set("post_logout_redirect_uri", p.options.SignedOutURL)
	query.Set("state", stateEnded)
	address.RawQuery = query.Encode()
	return address.String()
}

// SignedOut reports whether a query is that of the provider's response to a sign-out.
func SignedOut(query url.Values) bool { return query.Get("state") == stateEnded }

// Check is the readiness probe: the discovery document has been read.
func (p *Provider) Check(ctx context.Context) error {
	_, err := p.discover(ctx)
	return err
}

func (p *Provider) with(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, p.client)
}

// exchangeError returns what became of the exchange of the code. A response of the provider is not quoted.
func exchangeError(err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response.StatusCode < http.StatusInternalServerError {
		return fmt.Errorf("%w: status %d", ErrRefused, refused.Response.StatusCode)
	}
	return fmt.Errorf("%w: no tokens for the code", ErrProvider)
}

func tokenError(err error) error {
	if expired, ok := errors.AsType[*oidc.TokenExpiredError](err); ok {
		return fmt.Errorf("%w: it expired at %s", ErrToken, expired.Expiry.UTC().Format(time.RFC3339))
	}
	return fmt.Errorf("%w: %w", ErrToken, err)
}
