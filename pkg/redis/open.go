package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/telemetry"
)

// Open returns the client of a service instance, traced and measured through tel,
// which loads the scripts on each connection it makes. It connects when it is
// first used: a service whose Redis is unreachable starts, is not ready (see Check) and
// recovers without a restart. One instance has one client; a second one with the same
// telemetry is an error.
func Open(_ context.Context, config Config, tel *telemetry.Telemetry, scripts ...*Script) (redis.UniversalClient, error) {
	if config.Authorities == nil {
		config.Authorities = certificate.SystemAuthorities(tel.Logger)
	}
	options, err := config.options(tel.Service)
	if err != nil {
		return nil, err
	}
	options.OnConnect = loader(scripts)
	redis.SetLogger(libraryLog{tel.Logger})
	client := newClient(options)
	if err := instrument(client, tel, options.PoolSize, scripts); err != nil {
		_ = client.Close()
		return nil, err
	}
	return client, nil
}

// reloadInterval is how old a client's knowledge of a cluster may be. A server that dies or hangs does not tell the client that
// another one has its slots, and by default the library asks the others once a minute.
const reloadInterval = time.Second

func newClient(options *redis.UniversalOptions) redis.UniversalClient {
	if options.MasterName != "" || !options.IsClusterMode && len(options.Addrs) == 1 {
		return redis.NewUniversalClient(options)
	}
	cluster := options.Cluster()
	cluster.ClusterStateReloadInterval = reloadInterval
	return redis.NewClusterClient(cluster)
}

// policyTimeout is how long OpenNoEviction waits for the server to report its eviction policy.
const policyTimeout = 2 * time.Second

// OpenNoEviction is Open, and fails with an *EvictionError when the server answers that it may drop keys: wrong
// settings are permanent. A server that does not answer may come back, so it is no error; see Check.
func OpenNoEviction(ctx context.Context, config Config, tel *telemetry.Telemetry,
	scripts ...*Script,
) (redis.UniversalClient, error) {
	client, err := Open(ctx, config, tel, scripts...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, policyTimeout)
	defer cancel()
	var evicts *EvictionError
	if errors.As(RequireNoEviction(ctx, client), &evicts) {
		return nil, errors.Join(evicts, client.Close())
	}
	return client, nil
}

// Check returns the readiness probe: Redis answers, has loaded its data, does not
// evict, and has memory left; else a *FullError, which means that it answers. It
// writes nothing, and records the memory in use through tel.
func Check(client redis.UniversalClient, tel *telemetry.Telemetry) func(context.Context) error {
	inUse := tel.Gauge(telemetry.RedisMemoryInUse).WithLabelValues()
	return func(ctx context.Context) error {
		if err := client.Ping(ctx).Err(); err != nil {
			return fmt.Errorf("ping Redis: %w", err)
		}
		var fullest fullest
		err := everyWriter(ctx, client, func(m memory) error {
			fullest.note(m)
			return cmp.Or(m.requireNoEviction(), m.requireRoom())
		})
		inUse.Set(fullest.part)
		return err
	}
}
