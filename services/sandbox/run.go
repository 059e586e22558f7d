package sandbox

import (
	"context"
	"errors"
	"fmt"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/sandbox/internal/rest"
)

const name = string(operation.Sandbox)

// Run serves until ctx is done. It returns an error if the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	if err := config.complete(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	tel, err := telemetry.New(ctx, name, service.Version(), config.Service.Telemetry)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	spec, err := config.assemble(tel) //nolint:contextcheck // its requests have their own contexts
	if err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", name, err), tel.Shutdown(context.WithoutCancel(ctx)))
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
func (c *Config) assemble(tel *telemetry.Telemetry) (service.Spec, error) {
	secured, err := c.RPC.TLS.Server(tel.Logger)
	if err != nil {
		return service.Spec{}, err
	}
	callers, err := principal.NewVerifier(trust.Sandbox, c.SigningKey, c.TrustedKeys)
	if err != nil {
		return service.Spec{}, fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	client, err := rpc.NewClient(c.RPC, rpc.Identity{
		Party: trust.Sandbox, Key: c.SigningKey, Caller: rpc.CallerSandbox, Audience: rpc.Audience(rpc.CallerSandbox),
	}, tel)
	if err != nil {
		return service.Spec{}, err
	}
	engine := web.NewEngine(web.Options{Service: name, Telemetry: tel})
	if err := web.RegisterOperations(engine, callers, operation.Of(operation.Sandbox), c.api(client).Handlers()); err != nil {
		return service.Spec{}, err
	}
	return service.Spec{
		Config: c.Service, Telemetry: tel, OnReady: c.OnReady,
		Listeners: []service.Listener{{Name: "public", Addr: c.Service.Listen.Public, Handler: engine, TLS: secured}},
		Close:     []func(context.Context) error{func(context.Context) error { client.HTTP.CloseIdleConnections(); return nil }},
	}, nil
}

func (c *Config) api(client *rpc.Client) *rest.API {
	orders, claims, qna := c.Upstreams[operation.Orders], c.Upstreams[operation.Claims], c.Upstreams[operation.QnA]
	return &rest.API{
		Orders:       ordersv1connect.NewIntakeClient(client.HTTP, orders, client.Options),
		OrderRecords: ordersv1connect.NewChangesClient(client.HTTP, orders, client.Options),
		Claims:       claimsv1connect.NewIntakeClient(client.HTTP, claims, client.Options),
		ClaimRecords: claimsv1connect.NewChangesClient(client.HTTP, claims, client.Options),
		Inquiries:    qnav1connect.NewIntakeClient(client.HTTP, qna, client.Options),
		QnARecords:   qnav1connect.NewChangesClient(client.HTTP, qna, client.Options),
	}
}
