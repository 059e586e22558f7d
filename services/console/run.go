package console

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/console/internal/app"
	"sellerapi.dev/services/console/internal/origin"
	"sellerapi.dev/services/console/internal/session"
	"sellerapi.dev/services/console/internal/signin"
)

// Run serves until ctx is done. It returns an error if the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	if err := config.complete(); err != nil {
		return fmt.Errorf("start %s: %w", app.Name, err)
	}
	tel, err := telemetry.New(ctx, app.Name, service.Version(), config.Service.Telemetry)
	if err != nil {
		return fmt.Errorf("start %s: %w", app.Name, err)
	}
	spec, err := config.assemble(ctx, tel)
	if err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", app.Name, err), tel.Shutdown(context.WithoutCancel(ctx)))
	}
	return service.Serve(ctx, spec)
}

// complete sets the defaults of zero settings and validates all. Those of Service are unchanged, because zero is a valid value
// there.
func (c *Config) complete() error {
	given := c.Service
	defaults.Fill(c)
	c.Service = given
	return errors.Join(c.Validate(), c.RPC.Validate(), c.SigningConfig.Validate(), c.UpstreamConfig.Validate())
}

// assemble returns what is served.
func (c *Config) assemble(ctx context.Context, tel *telemetry.Telemetry) (service.Spec, error) {
	secured, err := c.RPC.TLS.Server(tel.Logger)
	if err != nil {
		return service.Spec{}, err
	}
	clients, err := c.clients(tel)
	if err != nil {
		return service.Spec{}, err
	}
	store, err := redis.OpenNoEviction(ctx, c.Redis, tel)
	if err != nil {
		return service.Spec{}, err
	}
	provider, options, err := c.options(clients, store, tel)
	if err != nil {
		return service.Spec{}, errors.Join(err, store.Close())
	}
	handler, err := app.New(options) //nolint:contextcheck // its requests have their own contexts
	if err != nil {
		return service.Spec{}, errors.Join(err, store.Close())
	}
	return service.Spec{
		Config: c.Service, Telemetry: tel,
		Listeners: []service.Listener{{Name: "public", Addr: c.Service.Listen.Public, Handler: handler, TLS: secured}},
		Checks: slices.Concat(service.NeededToStart(service.Check{
			Name: "redis", Probe: redis.Check(store, tel), Impairments: []string{redis.ImpairmentFull},
		}), []service.Check{{Name: "openid_provider", Probe: provider.Check, Optional: true}}),
		OnReady: c.OnReady,
		Close: []func(context.Context) error{
			func(context.Context) error { return store.Close() },
			func(context.Context) error { clients.close(); return nil },
		},
	}, nil
}

// clients are what services are called with. Each has its own, whose tokens no other service accepts: one that was taken over
// could otherwise use the token of a call to it to read the texts of keys from the gateway.
type clients map[operation.Service]*rpc.Client

func (c *Config) clients(tel *telemetry.Telemetry) (clients, error) {
	all := clients{}
	for _, name := range append(slices.Collect(maps.Keys(c.Upstreams)), operation.Gateway) {
		client, err := rpc.NewClient(c.RPC, rpc.Identity{
			Party: trust.Console, Key: c.SigningKey, Caller: rpc.CallerConsole, Audience: []string{string(name)},
		}, tel)
		if err != nil {
			return nil, err
		}
		all[name] = client
	}
	return all, nil
}

func (all clients) close() {
	for _, client := range all {
		client.HTTP.CloseIdleConnections()
	}
}

func (c *Config) options(clients clients, store goredis.UniversalClient, tel *telemetry.Telemetry) (
	*signin.Provider, app.Options, error,
) {
	public, err := origin.Parse(c.PublicURL)
	if err != nil {
		return nil, app.Options{}, fmt.Errorf("PUBLIC_URL: %w", err)
	}
	provider := signin.New(signin.Options{
		Issuer: c.OIDC.Issuer, ClientID: c.OIDC.ClientID, ClientSecret: c.OIDC.ClientSecret.Reveal(),
		RedirectURL: public.URL + app.CallbackPath, SignedOutURL: public.URL + app.SignedOutPath, Scopes: c.OIDC.Scopes,
		RolesClaim: c.OIDC.RolesClaim, NameClaim: c.OIDC.NameClaim, SellersClaim: c.OIDC.SellersClaim, Timeout: c.OIDC.Timeout,
	})
	records := map[operation.Service]app.Find{}
	for name, address := range c.Upstreams {
		records[name] = find(name, clients[name], address)
	}
	client := clients[operation.Gateway]
	return provider, app.Options{
		Origin: public, Provider: provider, Telemetry: tel, TrustedProxies: c.TrustedProxies, Fresh: c.FreshSignIn, Docs: c.DocsURL,
		Sessions: session.New(session.Options{Redis: store, Life: c.SessionLife, Secure: public.Secure}),
		Records:  records,
		Keys:     gatewayv1connect.NewKeysClient(client.HTTP, c.GatewayURL, client.Options),
		Requests: gatewayv1connect.NewRequestsClient(client.HTTP, c.GatewayURL, client.Options),
		Webhooks: gatewayv1connect.NewWebhooksClient(client.HTTP, c.GatewayURL, client.Options),
	}, nil
}
