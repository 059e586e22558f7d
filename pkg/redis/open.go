package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/telemetry"
)

// Open returns the client of a service instance, traced and measured through tel,
// which loads the scripts on each connection it makes. It connects when it is
// first used: a service whose Redis is away starts, is not ready (see Check) and
// recovers automatically. One instance has one client; a second one with the same
// telemetry is an error.
func Open(_ context.Context, config Config, tel *telemetry.Telemetry, scripts ...*Script) (redis.UniversalClient, error) {
	options, err := config.options(tel.Service)
	if err != nil {
		return nil, err
	}
	options.OnConnect = loader(scripts)
	redis.SetLogger(libraryLog{tel.Logger})
	client := redis.NewUniversalClient(options)
	if err := instrument(client, tel, options.PoolSize, scripts); err != nil {
		_ = client.Close()
		return nil, err
	}
	return client, nil
}

// policyTimeout is how long OpenNoEviction waits to read the eviction policy.
const policyTimeout = 2 * time.Second

// OpenNoEviction is Open, and returns an *EvictionError when the server reports that it may evict keys, because that is a configuration
// error. A server that does not answer is not an error, because it may recover; see Check.
func OpenNoEviction(ctx context.Context, config Config, tel *telemetry.Telemetry, scripts ...*Script) (redis.UniversalClient, error) {
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
// evict, and has memory left; if only the last fails, it returns a *FullError. It
// writes nothing, and reports the used memory through tel.
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
