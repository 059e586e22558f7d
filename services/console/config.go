// Package console is the partner console: pages in which the representatives of sellers manage API keys and webhooks, and in
// which developers and support see what became of calls. README.md describes it.
package console

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/console/internal/origin"
)

// Config holds all settings of the service. It has no database and no RPC port: of LISTEN the address rpc is not used.
type Config struct {
	Service service.Config `embed:""`
	RPC     rpc.Config     `embed:""`
	Redis   redis.Config   `embed:""`

	service.SigningConfig  `embed:""`
	service.UpstreamConfig `embed:""`

	PublicURL      string         `name:"public-url" env:"PUBLIC_URL" required:"" help:"Address at which browsers reach the console, as https://host without a path. http only for a loopback address: cookies are then sent without TLS."`
	GatewayURL     string         `name:"gateway-rpc-url" env:"GATEWAY_RPC_URL" required:"" help:"URL of the RPC port of the gateway, as http://host:port."`
	DocsURL        string         `name:"docs-url" env:"DOCS_URL" help:"Address at which developers reach the gateway, as https://host without a path, to whose documentation pages link. Empty: no links."`
	TrustedProxies []netip.Prefix `name:"trusted-proxies" env:"TRUSTED_PROXIES" help:"Networks of the proxies in front, as 10.0.0.0/8, separated by commas, whose X-Forwarded-For is trusted. Without any, the header is ignored."`
	SessionLife    time.Duration  `name:"session-life" env:"SESSION_LIFE" default:"12h" help:"Time from signing in until a person is signed out, at most 24h. A role that the provider has taken away works until then."`
	FreshSignIn    time.Duration  `name:"fresh-sign-in" env:"FRESH_SIGN_IN" default:"5m" help:"How old a sign-in may be for which the text of a key is shown again."`
	OIDC           OIDCConfig     `embed:""`

	// OnReady, when set, is called with the actual addresses once all ports accept; tests listen on port 0.
	OnReady func(service.Addresses) `kong:"-"`
}

// OIDCConfig has the settings of the OpenID provider at which people sign in.
type OIDCConfig struct {
	Issuer       string        `name:"oidc-issuer" env:"OIDC_ISSUER" required:"" help:"Issuer of the OpenID provider, as https://host/path; http only for a loopback address. Its discovery document is read at the first sign-in."`
	ClientID     string        `name:"oidc-client-id" env:"OIDC_CLIENT_ID" required:"" help:"Client ID of the console at the provider. The redirect URI to register there is PUBLIC_URL/sign-in/callback."`
	ClientSecret secret.Text   `name:"oidc-client-secret" env:"OIDC_CLIENT_SECRET" required:"" help:"Client secret of the console at the provider."`
	Scopes       []string      `name:"oidc-scopes" env:"OIDC_SCOPES" default:"profile,email" sep:"," help:"Scopes to request besides openid, separated by commas."`
	RolesClaim   string        `name:"oidc-roles-claim" env:"OIDC_ROLES_CLAIM" default:"roles" help:"Claim of the ID token that lists roles: representative:SELLER_ID, developer:SELLER_ID, support. Other values are ignored."`
	NameClaim    string        `name:"oidc-name-claim" env:"OIDC_NAME_CLAIM" default:"name" help:"Claim of the ID token with the name that pages and the audit trail show, besides the subject."`
	SellersClaim string        `name:"oidc-seller-names-claim" env:"OIDC_SELLER_NAMES_CLAIM" default:"seller_names" help:"Claim of the ID token with names of sellers, an object from SELLER_ID to a name. Sellers without one are shown by their IDs."`
	Timeout      time.Duration `name:"oidc-timeout" env:"OIDC_TIMEOUT" default:"5s" help:"Timeout of a request to the provider."`
}

const maxSessionLife = 24 * time.Hour

var (
	errSessionLife = errors.New("SESSION_LIFE must be positive and at most 24h")
	errFresh       = errors.New("FRESH_SIGN_IN must be positive and shorter than SESSION_LIFE")
	errOIDCTimeout = errors.New("OIDC_TIMEOUT must be positive")
)

// Validate returns an error for invalid settings.
func (c *Config) Validate() error {
	var problems []error
	for _, one := range []struct {
		name  string
		check func() error
	}{
		{"DOCS_URL", func() error { return origin.Optional(c.DocsURL) }},
		{"PUBLIC_URL", func() error { _, err := origin.Parse(c.PublicURL); return err }},
		{"GATEWAY_RPC_URL", func() error { return origin.Internal(c.GatewayURL) }},
		{"OIDC_ISSUER", func() error { return origin.Issuer(c.OIDC.Issuer) }},
	} {
		if err := one.check(); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", one.name, err))
		}
	}
	if c.SessionLife <= 0 || c.SessionLife > maxSessionLife {
		problems = append(problems, errSessionLife)
	}
	if c.FreshSignIn <= 0 || c.FreshSignIn > c.SessionLife {
		problems = append(problems, errFresh)
	}
	if c.OIDC.Timeout <= 0 {
		problems = append(problems, errOIDCTimeout)
	}
	return errors.Join(problems...)
}
