package stack

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/gateway"
	"sellerapi.dev/services/orders"
	"sellerapi.dev/services/qna"
)

// shutdownTimeout is how long requests under way get when the stack stops.
const shutdownTimeout = 10 * time.Second

// environment is the world of every stack: its keys begin with vpk_test_, and nobody has to be paid.
const environment = "test"

// signing are the secrets that are lists of keys.
type signing struct{ principal, cursor, rpc, pepper secret.Keys }

// keys reads the secrets and names all that are wrong.
func (c Config) keys() (signing, error) {
	var read signing
	var problems []error
	for _, one := range []struct {
		name string
		text secret.Text
		into *secret.Keys
	}{
		{"principal", c.Secrets.Principal, &read.principal}, {"cursor", c.Secrets.Cursor, &read.cursor},
		{"rpc", c.Secrets.RPC, &read.rpc}, {"key pepper", c.Secrets.KeyPepper, &read.pepper},
	} {
		keys, err := secret.ParseKeys(one.text.Reveal())
		if err != nil {
			problems = append(problems, fmt.Errorf("secret %s: %w", one.name, err))
		}
		*one.into = keys
	}
	return read, errors.Join(problems...)
}

// plan is what the services of one stack are configured from. The addresses of those that run already
// are filled in on the way.
type plan struct {
	Config
	keys                signing
	publicURLs, rpcURLs map[operation.Service]string
}

// backend is one service behind the gateway: how its schema is brought up to date, and how it runs.
type backend struct {
	service operation.Service
	migrate func(context.Context, postgres.Config) error
	run     func(context.Context, service.BackendConfig) error
}

// backends lists the services behind the gateway in the order of their start: claims is told where orders answers.
func (p *plan) backends() []backend {
	return []backend{
		{operation.Orders, orders.Migrate, func(ctx context.Context, common service.BackendConfig) error {
			return orders.Run(ctx, orders.Config{BackendConfig: common})
		}},
		{operation.Claims, claims.Migrate, func(ctx context.Context, common service.BackendConfig) error {
			return claims.Run(ctx, p.claims(common))
		}},
		{operation.QnA, qna.Migrate, func(ctx context.Context, common service.BackendConfig) error {
			return qna.Run(ctx, qna.Config{BackendConfig: common})
		}},
	}
}

// member is one service: how it runs, and what becomes known once it does.
type member struct {
	name    string
	run     func(ctx context.Context, onReady func(service.Addresses)) error
	started func(public, rpc string, s *Stack)
}

// members lists the services in the order of their start.
func (p *plan) members() []member {
	backends := p.backends()
	all := make([]member, 0, len(backends)+1)
	for _, b := range backends {
		all = append(all, member{string(b.service), func(ctx context.Context, ready func(service.Addresses)) error {
			common := p.backend()
			common.OnReady = ready
			return b.run(ctx, common)
		}, func(public, rpc string, _ *Stack) { p.publicURLs[b.service], p.rpcURLs[b.service] = public, rpc }})
	}
	return append(all, member{"gateway", func(ctx context.Context, ready func(service.Addresses)) error {
		config := p.gateway()
		config.Service.ListenPublic = p.publicAddress(ctx)
		config.OnReady = ready
		return gateway.Run(ctx, config)
	}, func(public, rpc string, s *Stack) { s.GatewayURL, s.KeysURL = public, rpc }})
}

// migrate brings all schemas up to date, side by side.
func (p *plan) migrate(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, b := range p.backends() {
		group.Go(func() error { return b.migrate(ctx, p.postgres()) })
	}
	group.Go(func() error { return gateway.Migrate(ctx, p.gateway()) })
	return group.Wait()
}

func (p *plan) service() service.Config {
	return service.Config{
		ListenPublic: free, ListenRPC: free, ListenOps: free,
		DrainWait: p.DrainWait, ShutdownTimeout: shutdownTimeout, Telemetry: p.Telemetry,
	}
}

func (p *plan) postgres() postgres.Config {
	return postgres.Config{
		URL: p.DatabaseURL, ConnectTimeout: p.Patience, StatementTimeout: p.Patience, LockTimeout: p.Patience,
		IdleInTransactionTimeout: p.Patience,
	}
}

func (p *plan) rpc() rpc.Config { return rpc.Config{Secret: p.keys.rpc, Timeout: p.Patience} }

// backend is what the services behind the gateway have in common.
func (p *plan) backend() service.BackendConfig {
	return service.BackendConfig{
		Service: p.service(), Postgres: p.postgres(), RPC: p.rpc(),
		PrincipalKeys: p.keys.principal, CursorKeys: p.keys.cursor,
	}
}

func (p *plan) claims(common service.BackendConfig) claims.Config {
	config := claims.Config{BackendConfig: common, Environment: environment}
	config.Orders.URL = p.rpcURLs[operation.Orders]
	if p.Claims.Between != nil {
		config.Orders.URL = p.Claims.Between(config.Orders.URL)
	}
	config.Refund.URL, config.Refund.Keys = p.Claims.RefundURL, p.Claims.RefundKeys
	config.Orders.Timeout, config.Inline = p.Claims.Patience, p.Claims.Patience
	config.Jobs.SweepInterval = p.Claims.SweepInterval
	config.Refund.Embedded.FailEnding, config.Refund.Embedded.AccountEnding = p.Claims.FailEnding, p.Claims.AccountEnding
	return config
}

func (p *plan) gateway() gateway.Config {
	config := gateway.Config{
		Service: p.service(), Postgres: p.postgres(), RPC: p.rpc(), Redis: redis.Config{URL: p.RedisURL},
		Keys: gateway.KeyConfig{Environment: environment, Pepper: p.keys.pepper, Keyset: p.Secrets.KeyKeyset},
		Upstream: gateway.UpstreamConfig{
			PrincipalKeys: p.keys.principal, OrdersURL: p.publicURLs[operation.Orders],
			ClaimsURL: p.publicURLs[operation.Claims], QnAURL: p.publicURLs[operation.QnA],
		},
	}
	config.Limits.Window, config.Limits.Read = p.Limits.Window, p.Limits.Read
	config.Limits.Process, config.Limits.Rows = p.Limits.Process, p.Limits.Rows
	config.Limits.Timeout = p.Limits.Patience
	return config
}
