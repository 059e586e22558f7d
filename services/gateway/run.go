// Package gateway is the one way into the Seller Open API: it finds out whose key a request carries, decides whether the
// key may call the operation, and carries the request to the service that owns it. It also owns sellers and their API
// keys. README.md says what it owns and where to look.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/rest"
	"sellerapi.dev/services/gateway/internal/revocation"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// name is the service's name in logs, spans and metrics.
const name = "gateway"

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	if err := config.check(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	tel, err := telemetry.New(ctx, name, service.Version(), config.Service.Telemetry)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	pool, err := postgres.Open(ctx, config.Postgres, store.Schema, tel)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	client, err := openRedis(ctx, config.Redis, tel)
	if err != nil {
		pool.Close()
		return fmt.Errorf("start %s: %w", name, err)
	}
	parts, err := wire(config, pool, client, tel) //nolint:contextcheck // the hooks of the proxies get their context with each request
	if err != nil {
		pool.Close()
		return errors.Join(fmt.Errorf("start %s: %w", name, err), client.Close())
	}
	background, stop := context.WithCancel(ctx)
	var revocations sync.WaitGroup
	revocations.Go(func() { parts.publisher.Keep(background) })
	return service.Serve(ctx, service.Spec{
		Name:      name,
		Config:    config.Service,
		Telemetry: tel,
		Listeners: []service.Listener{
			{Name: "public", Addr: config.Service.ListenPublic, Handler: parts.public},
			{Name: "rpc", Addr: config.Service.ListenRPC, Handler: parts.rpc, H2C: true},
		},
		Checks:  checks(pool, client),
		OnReady: config.OnReady,
		Close: []func(context.Context) error{
			func(context.Context) error { pool.Close(); return nil },
			func(context.Context) error { return client.Close() },
			func(context.Context) error { parts.admitter.Drain(); return nil },
			func(context.Context) error { parts.forwarder.Close(); return nil },
			func(context.Context) error { stop(); revocations.Wait(); return nil },
		},
	})
}

// policyTimeout is how long the start waits for Redis to tell its eviction policy.
const policyTimeout = 2 * time.Second

// openRedis returns the client, or an *redis.EvictionError when Redis answers that it may drop keys: settings that are wrong
// do not mend themselves. A Redis that does not answer may come back, so it is no error; see checks.
func openRedis(ctx context.Context, config redis.Config, tel *telemetry.Telemetry) (goredis.UniversalClient, error) {
	client, err := redis.Open(ctx, config, tel, admission.Scripts()...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, policyTimeout)
	defer cancel()
	var evicts *redis.EvictionError
	if errors.As(redis.RequireNoEviction(ctx, client), &evicts) {
		return nil, errors.Join(evicts, client.Close())
	}
	return client, nil
}

// parts are what the ports answer with.
type parts struct {
	public    http.Handler
	rpc       http.Handler
	forwarder *upstream.Forwarder
	admitter  *admission.Admitter
	publisher *revocation.Publisher
}

// wire puts the parts together.
func wire(config Config, pool *pgxpool.Pool, client goredis.UniversalClient, tel *telemetry.Telemetry) (parts, error) {
	texts, vault, err := config.Keys.open()
	if err != nil {
		return parts{}, err
	}
	addresses, err := config.Upstream.addresses()
	if err != nil {
		return parts{}, err
	}
	signer, err := principal.NewSigner(config.Upstream.PrincipalKeys.Current(), config.Upstream.PrincipalKeys.Previous()...)
	if err != nil {
		return parts{}, err
	}
	calls, err := rpc.NewMux(config.RPC, tel)
	if err != nil {
		return parts{}, err
	}
	kept := store.New(pool)
	admitter := admission.New(client, config.Limits, config.Idempotency)
	publisher := revocation.New(admitter, kept, tel.Logger)
	keys := apikey.NewKeys(texts, vault, kept, publisher.Publish)
	calls.Handle(gatewayv1connect.NewKeysHandler(keysrpc.New(keys), calls.Options()))
	forwarder := upstream.New(upstream.Options{
		Addresses: addresses, Longest: config.Upstream.longest(), Signer: signer, Telemetry: tel,
	})
	verifier := apikey.NewVerifier(texts, countedLookup(kept.FindKey, tel), apikey.LookupTimeout)
	board := &callers.Board{}
	if err := board.Observe(tel); err != nil {
		return parts{}, err
	}
	public := rest.New(rest.Options{Verifier: verifier, Admitter: admitter, Forwarder: forwarder, Telemetry: tel, Callers: board})
	return parts{public: public, rpc: calls, forwarder: forwarder, admitter: admitter, publisher: publisher}, nil
}

// countedLookup counts the keys that the database resolved.
func countedLookup(lookup apikey.Lookup, tel *telemetry.Telemetry) apikey.Lookup {
	found := tel.Counter(telemetry.KeyLookups).WithLabelValues("database")
	return func(ctx context.Context, identity apikey.Identity) (apikey.Key, error) {
		key, err := lookup(ctx, identity)
		if err == nil {
			found.Inc()
		}
		return key, err
	}
}

// checks are the dependencies of readiness. An instance is not ready before it has reached its database and schema once,
// and a Redis that drops no keys, so that a roll-out with wrong settings stops at its first pod. After that a dependency
// is named when it is away, but the instance stays ready: all replicas would turn not ready in the same second, and
// clients would get the ingress's own words instead of our 503.
func checks(pool *pgxpool.Pool, client goredis.UniversalClient) []service.Check {
	database, coordination := postgres.Check(pool), redis.Check(client)
	return []service.Check{
		{Name: "postgres_at_start", Probe: database, Once: true},
		{Name: "redis_at_start", Probe: coordination, Once: true},
		{Name: "postgres", Probe: database, Optional: true, Impairments: []string{postgres.ImpairmentReadOnly}},
		{Name: "redis", Probe: coordination, Optional: true, Impairments: []string{redis.ImpairmentFull}},
	}
}

// Migrate makes the service's schema and brings it up to date. Any number of replicas may call it at once.
func Migrate(ctx context.Context, config Config) error {
	return postgres.Migrate(ctx, config.Postgres, store.Schema, store.Migrations())
}
