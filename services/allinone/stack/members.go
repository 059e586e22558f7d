package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/gateway"
	"sellerapi.dev/services/orders"
	"sellerapi.dev/services/qna"
	"sellerapi.dev/services/sandbox"
)

// shutdownTimeout is how long requests in flight may take when the stack stops.
const shutdownTimeout = 10 * time.Second

const gatewayName = "gateway"

// environment is the environment of every stack: its keys begin with vpk_test_, and payments are simulated.
const environment = "test"

type signing struct {
	cursor, pepper secret.Keys
	private        map[trust.Party]trust.PrivateKey
	trusted        trust.PublicKeys
}

// keys parses the secrets. Its error names all that are invalid.
func (c Config) keys() (signing, error) {
	var read signing
	var problem error
	read.private, read.trusted, problem = c.Secrets.Keys()
	if !c.Trusted.IsZero() {
		read.trusted = c.Trusted
	}
	problems := []error{problem}
	for _, one := range []struct {
		name string
		text secret.Text
		into *secret.Keys
	}{
		{"cursor", c.Secrets.Cursor, &read.cursor}, {"key pepper", c.Secrets.KeyPepper, &read.pepper},
	} {
		keys, err := secret.ParseKeys(one.text.Reveal())
		if err != nil {
			problems = append(problems, fmt.Errorf("secret %s: %w", one.name, err))
		}
		*one.into = keys
	}
	return read, errors.Join(problems...)
}

// plan is the configuration of the services of one stack. The addresses of services are filled in as they start.
type plan struct {
	Config
	keys                signing
	publicURLs, rpcURLs service.Upstreams
	databases           map[operation.Service]secret.Text
}

type backend struct {
	service operation.Service
	migrate func(context.Context, service.MigrateConfig) error
	run     func(context.Context, service.BackendConfig) error
}

// backends lists the services behind the gateway in the order of their start: claims needs the address of orders.
func (p *plan) backends() []backend {
	return []backend{
		{operation.Orders, orders.Schema.MigrateFor, func(ctx context.Context, common service.BackendConfig) error {
			return orders.Run(ctx, p.orders(common))
		}},
		{operation.Claims, claims.Schema.MigrateFor, func(ctx context.Context, common service.BackendConfig) error {
			return claims.Run(ctx, p.claims(common))
		}},
		{operation.QnA, qna.Schema.MigrateFor, func(ctx context.Context, common service.BackendConfig) error {
			return qna.Run(ctx, qna.Config{BackendConfig: common})
		}},
	}
}

type member struct {
	name    string
	run     func(ctx context.Context, onReady func(service.Addresses)) error
	started func(public, rpc string, s *Stack)
}

// members lists the services in the order of their start.
func (p *plan) members() []member {
	backends := p.backends()
	all := make([]member, 0, len(backends)+2)
	for _, b := range backends {
		all = append(all, member{string(b.service), func(ctx context.Context, ready func(service.Addresses)) error {
			common := p.backend(b.service)
			common.OnReady = ready
			return b.run(ctx, common)
		}, func(public, rpc string, _ *Stack) { p.publicURLs[b.service], p.rpcURLs[b.service] = public, rpc }})
	}
	if p.Sandbox {
		all = append(all, p.sandbox())
	}
	return append(all, member{gatewayName, func(ctx context.Context, ready func(service.Addresses)) error {
		config := p.gateway()
		config.Service.Listen.Public = p.publicAddress(ctx)
		config.OnReady = ready
		return gateway.Run(ctx, config)
	}, func(public, rpc string, s *Stack) { s.GatewayURL, s.KeysURL = public, rpc }})
}

// sandbox returns the service in which developers play the other side of the market. It calls the services before it.
func (p *plan) sandbox() member {
	return member{string(operation.Sandbox), func(ctx context.Context, ready func(service.Addresses)) error {
		return sandbox.Run(ctx, sandbox.Config{
			Service: p.service(), RPC: p.rpc(), SigningConfig: p.signs(trust.Sandbox), TrustedKeys: p.keys.trusted,
			UpstreamConfig: service.UpstreamConfig{Upstreams: maps.Clone(p.rpcURLs)}, Environment: environment, OnReady: ready,
		})
	}, func(public, _ string, _ *Stack) { p.publicURLs[operation.Sandbox] = public }}
}

func (p *plan) migrate(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, b := range p.backends() {
		group.Go(func() error {
			return b.migrate(ctx, service.MigrateConfig{Config: p.postgres(p.DatabaseURL), Environment: environment})
		})
	}
	group.Go(func() error { return gateway.Schema.Migrate(ctx, p.postgres(p.DatabaseURL)) })
	return group.Wait()
}

const shards = 8

// prepare distributes the tables in a distributed database, and gives each service a role of its own, one after another:
// concurrent changes of rights in one database can fail.
func (p *plan) prepare(ctx context.Context) (err error) {
	p.databases = map[operation.Service]secret.Text{}
	for _, name := range append(operation.Services(), gatewayName) {
		if p.Distributed {
			config := distributed.Config{Config: p.postgres(p.DatabaseURL), Shards: shards}
			if err := distributed.Run(ctx, config, string(name), io.Discard); err != nil {
				return fmt.Errorf("distribute %s: %w", name, err)
			}
		}
		if p.databases[name], err = Restrict(ctx, p.DatabaseURL, string(name)); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) service() service.Config {
	return service.Config{
		Listen:    service.Listen{Public: free, RPC: free, Ops: free},
		DrainWait: p.DrainWait, ShutdownTimeout: shutdownTimeout, Telemetry: p.Telemetry,
	}
}

func (p *plan) postgres(database secret.Text) postgres.Config {
	return postgres.Config{
		URL: database, ConnectTimeout: p.Timeout, StatementTimeout: p.Timeout, LockTimeout: p.Timeout,
		IdleInTransactionTimeout: p.Timeout, RowSecurity: map[bool]string{true: "off"}[p.Distributed],
	}
}

func (p *plan) rpc() rpc.Config { return rpc.Config{Timeout: p.Timeout, TLS: p.TLS} }

func (p *plan) signs(party trust.Party) service.SigningConfig {
	return service.SigningConfig{SigningKey: p.keys.private[party]}
}

func (p *plan) shell(name operation.Service) service.ShellConfig {
	database := p.postgres(p.databases[name])
	return service.ShellConfig{Service: p.service(), Postgres: database, RPC: p.rpc(), TrustedKeys: p.keys.trusted}
}

func (p *plan) backend(name operation.Service) service.BackendConfig {
	return service.BackendConfig{
		ShellConfig: p.shell(name), SigningConfig: p.signs(trust.Party(name)), CursorKeys: p.keys.cursor,
		SweepInterval: p.SweepInterval, Environment: environment,
	}
}

func (p *plan) orders(common service.BackendConfig) orders.Config {
	return orders.Config{
		BackendConfig: common, ConfirmAfter: p.Periods.ConfirmAfter, ConfirmAfterClaim: p.Periods.ConfirmAfterClaim,
	}
}

func (p *plan) claimPeriods() claims.PeriodsConfig {
	return claims.PeriodsConfig{Request: p.Periods.Request, Inspection: p.Periods.Inspection, Payment: p.Periods.Payment}
}

func (p *plan) shown() gateway.ShownConfig {
	return gateway.ShownConfig{
		ConfirmAfter: p.Periods.ConfirmAfter, ConfirmAfterClaim: p.Periods.ConfirmAfterClaim,
		Request: p.Periods.Request, Inspection: p.Periods.Inspection, Payment: p.Periods.Payment,
	}
}

func (p *plan) claims(common service.BackendConfig) claims.Config {
	config := claims.Config{BackendConfig: common, Periods: p.claimPeriods()}
	config.Upstreams = service.Upstreams{operation.Orders: p.rpcURLs[operation.Orders]}
	config.Refund.URL, config.Refund.Keys = p.Claims.RefundURL, p.Claims.RefundKeys
	config.Orders.Timeout, config.Inline = p.Claims.Timeout, p.Claims.Timeout
	config.Refund.Embedded.FailEnding, config.Refund.Embedded.AccountEnding = p.Claims.FailEnding, p.Claims.AccountEnding
	return config
}

func (p *plan) gateway() gateway.Config {
	config := gateway.Config{
		ShellConfig: p.shell(gatewayName), SigningConfig: p.signs(trust.Gateway), Redis: redis.Config{URL: p.RedisURL},
		Keys: gateway.KeyConfig{
			Environment: environment, Pepper: p.keys.pepper, Keyset: p.Secrets.KeyKeyset,
			PerSeller: gateway.KeysPerSeller{Active: 1000, Daily: 1000}, Rest: new(time.Duration), ShownFile: p.ShownKeyFile,
		},
		Upstream: gateway.UpstreamConfig{UpstreamConfig: service.UpstreamConfig{Upstreams: p.publicURLs}}, Shown: p.shown(),
		Held:     gateway.HeldConfig{Upstreams: p.rpcURLs},
		Webhooks: gateway.WebhookConfig{Enabled: true, Loopback: true},
	}
	config.Limits.Window, config.Limits.Read = p.Limits.Window, p.Limits.Read
	config.Limits.Process, config.Limits.Rows = p.Limits.Process, p.Limits.Rows
	config.Limits.Timeout = p.Limits.Timeout
	config.Requests.Log = p.RequestLog
	config.Clients.Refused = new(int) // no limit: all callers of a stack share one address
	return config
}
