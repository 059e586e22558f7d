package gateway

import (
	"context"
	"slices"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

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
