// Package gateway is the entry point of the Seller Open API: it authenticates the key of a request, decides whether the key may
// call the operation, and forwards the request to the service that owns it. It also owns sellers and their API keys. README.md
// describes what it owns and where to look.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/commands"
	"sellerapi.dev/services/gateway/internal/connections"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/preload"
	"sellerapi.dev/services/gateway/internal/rest"
	"sellerapi.dev/services/gateway/internal/revocation"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/upstream"
)

const name = "gateway"

// Commands is the command line of the program.
type Commands struct {
	Serve      service.Command[Config]             `cmd:"" help:"Run the service."`
	Migrate    service.Command[postgres.Config]    `cmd:"" help:"Migrate the schema."`
	Distribute service.Command[distributed.Config] `cmd:"" help:"Distribute the tables over the nodes of a distributed database."`
	Keys       commands.Keys                       `cmd:"" help:"Register sellers; issue, list, show and revoke their keys."`
	Audit      commands.Audit                      `cmd:"" help:"Verify and export the audit trail of keys."`
	Keyset     commands.Keyset                     `cmd:"" help:"Create and rotate the key set that encrypts API keys."`
	Token      commands.Token                      `cmd:"" help:"Print a token with which a system or an operator may call the RPC ports."`
	Smoke      commands.Smoke                      `cmd:"" help:"Call a running gateway, to check an installation."`
}

// NewCommands returns the command line for service.Main.
func NewCommands() *Commands {
	return &Commands{
		Serve: service.NewCommand(Run), Migrate: service.NewCommand(Schema.Migrate), Distribute: service.NewCommand(Schema.Distribute),
	}
}

// Schema is the database schema of the service.
var Schema = commands.Schema

// Run serves until ctx ends. An error is the reason why the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	return service.Run(ctx, name, &config, func(s *service.Shell) error {
		kept := store.New(s.Pool)
		admitter, err := config.admitter(ctx, s)
		if err != nil {
			return err
		}
		publisher := revocation.New(admitter, kept, s.Telemetry.Logger)
		s.Background(publisher.Keep)
		forwarder, err := config.forwarder(s.Telemetry)
		if err != nil {
			return err
		}
		s.OnClose(forwarder.Close)
		verifier, err := config.serveKeys(s, kept, publisher.Publish)
		if err != nil {
			return err
		}
		calls, err := config.heldCalls(s)
		if err != nil {
			return err
		}
		if err := config.serveWebhooks(s, kept); err != nil {
			return err
		}
		requests, answered, err := config.logRequests(s, kept, admitter)
		if err != nil {
			return err
		}
		board := &callers.Board{}
		options := rest.Options{
			Verifier: verifier, Admitter: admitter, Forwarder: forwarder, Telemetry: s.Telemetry, Callers: board, Held: calls,
			BodyMemory:   config.Bodies.MemoryMiB << 20,
			Site:         config.site(),
			Sandbox:      config.sandbox(),
			RefusedCalls: *config.Clients.Refused, TrustedProxies: config.Clients.TrustedProxies,
			Requests: requests, Answered: answered,
		}
		s.Public(rest.New(options)) //nolint:contextcheck // its requests have their own contexts
		s.PublicConnections(connections.New(config.Clients.Connections, config.Clients.TrustedProxies, s.Telemetry).State)
		return errors.Join(board.Observe(s.Telemetry), admitter.Observe(s.Telemetry))
	})
}

// admitter connects to Redis and returns the Admitter. The service is ready while it can reach the database and Redis.
func (c *Config) admitter(ctx context.Context, s *service.Shell) (*admission.Admitter, error) {
	client, err := redis.OpenNoEviction(ctx, c.Redis, s.Telemetry, admission.Scripts()...)
	if err != nil {
		return nil, err
	}
	s.OnClose(func() { _ = client.Close() }) // a connection that fails to close ends with the process
	s.Checks(slices.Concat(service.NeededToStart(s.DatabaseCheck()), service.NeededToStart(service.Check{
		Name: "redis", Probe: redis.Check(client, s.Telemetry), Impairments: []string{redis.ImpairmentFull},
	}))...)
	admitter := admission.New(client, c.Limits, idempotency.Config{})
	s.OnClose(admitter.Drain)
	return admitter, nil
}

// forwarder returns the Forwarder that sends signed calls to the services.
func (c *Config) forwarder(tel *telemetry.Telemetry) (*upstream.Forwarder, error) {
	addresses, err := c.Upstream.Addresses()
	if err != nil {
		return nil, err
	}
	if err := c.CheckTrusted(trust.Gateway, c.TrustedKeys); err != nil {
		return nil, err
	}
	signer, err := principal.NewSigner(c.SigningKey, c.TrustedKeys)
	if err != nil {
		return nil, fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	secured, err := c.RPC.TLS.Dialer(upstream.NewDialer(), tel.Logger)
	if err != nil {
		return nil, err
	}
	return upstream.New(upstream.Options{
		Addresses: addresses, Longest: c.Upstream.maxTimeout(), DialTLS: secured, Signer: signer, Telemetry: tel,
	}), nil
}

// serveKeys adds the key RPCs to the service, and returns the verifier of the key texts in calls. Key changes are passed to
// publish.
func (c *Config) serveKeys(
	s *service.Shell, kept *store.Store, publish func(context.Context, apikey.Key) error,
) (*apikey.Verifier, error) {
	texts, vault, err := c.Keys.Open()
	if err != nil {
		return nil, err
	}
	record := keysrpc.NewRecorder(kept.RecordRefusal, s.Telemetry.Logger)
	handler := keysrpc.New(apikey.NewKeys(texts, vault, kept, c.Keys.Limits(c.Limits.Window), publish))
	s.RPC(gatewayv1connect.NewKeysHandler(handler, s.RPCOptions(record), connect.WithReadMaxBytes(keysrpc.MaxMessageBytes)))
	read := s.Telemetry.Counter(telemetry.KeyLookups)
	verifier := apikey.NewVerifier(texts, apikey.Lookup(kept.FindKey).Counted(read.WithLabelValues("call")), apikey.LookupTimeout)
	start := &preload.Preload{
		Verifier: verifier, Database: s.DatabaseCheck().Probe, List: kept.ListActiveKeys, Logger: s.Telemetry.Logger,
		Read: read.WithLabelValues("preload"), Outcomes: s.Telemetry.Counter(telemetry.KeyPreloads),
	}
	s.Checks(service.Check{Name: "keys_at_start", Once: true, Probe: start.Try})
	return verifier, nil
}
