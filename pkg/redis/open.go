package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/telemetry"
)

// Open returns the client of a service instance, traced and measured through tel,
// which loads the scripts on each connection it makes. It connects when it is
// first used: a service whose Redis is away starts, is not ready (see Check) and
// recovers by itself. One instance has one client; a second one with the same
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

// Check returns the readiness probe: Redis answers, has loaded its data, and does
// not evict.
func Check(client redis.UniversalClient) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := client.Ping(ctx).Err(); err != nil {
			return fmt.Errorf("ping Redis: %w", err)
		}
		return RequireNoEviction(ctx, client)
	}
}

// policyField is the line of INFO with the eviction policy. INFO is allowed where
// CONFIG, the other way to ask, often is not.
const policyField = "maxmemory_policy:"

// EvictionError says that a server may drop keys when its memory is used up, and with
// them the memory of what was counted, locked or answered.
type EvictionError struct {
	// Policy is the server's maxmemory-policy.
	Policy string
}

// Error implements error.
func (e *EvictionError) Error() string {
	return fmt.Sprintf("the Redis server may drop keys: its maxmemory-policy is %s and must be noeviction", e.Policy)
}

// ProbeClass is what /readyz calls it.
func (*EvictionError) ProbeClass() string { return "evicts" }

// RequireNoEviction fails unless every server that takes writes keeps all keys
// when its memory is used up; with an *EvictionError when one says that it does not.
func RequireNoEviction(ctx context.Context, client redis.UniversalClient) error {
	if cluster, ok := client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
			return requireNoEviction(ctx, master)
		})
	}
	return requireNoEviction(ctx, client)
}

// requireNoEviction asks one server.
func requireNoEviction(ctx context.Context, client redis.Cmdable) error {
	info, err := client.Info(ctx, "memory").Result()
	if err != nil {
		return fmt.Errorf("ask Redis for its eviction policy: %w", err)
	}
	for line := range strings.Lines(info) {
		policy, found := strings.CutPrefix(strings.TrimSpace(line), policyField)
		switch {
		case found && policy == "noeviction":
			return nil
		case found:
			return &EvictionError{Policy: policy}
		}
	}
	return errors.New("the Redis server does not tell its eviction policy")
}
