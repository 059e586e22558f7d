package up

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
)

const answerTimeout = 3 * time.Second

// given is a server that the user may configure instead of a private one.
type given struct {
	flag, url string
	ask       func(ctx context.Context, url secret.Text, tel *telemetry.Telemetry) error
}

// given returns the servers that can be configured; the URL is empty where a private server is used.
func (o *Options) given() []given {
	return []given{
		{"--database-url (DATABASE_URL)", o.DatabaseURL, askPostgres},
		{"--redis-url (REDIS_URL)", o.RedisURL, askRedis},
	}
}

// ask checks that the configured servers can be used before anything is started on them: the services would start without
// them and wait. The error names each server that cannot be used, and says why.
func (o *Options) ask(ctx context.Context, log io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	tel, err := telemetry.New(ctx, "up", service.Version(), telemetry.Config{Logs: log})
	if err != nil {
		return err
	}
	var problems []error
	for _, server := range o.given() {
		if server.url != "" {
			problems = append(problems, server.problem(server.ask(ctx, secret.New(server.url), tel)))
		}
	}
	return errors.Join(append(problems, tel.Shutdown(context.WithoutCancel(ctx)))...)
}

// problem returns an error that says whether the server does not respond or cannot be used, or nil when err is nil.
func (g given) problem(err error) error {
	switch {
	case err == nil:
		return nil
	case isSilence(err):
		return fmt.Errorf("%s does not respond: %w", g.flag, err)
	default:
		return fmt.Errorf("%s cannot be used: %w", g.flag, err)
	}
}

// isSilence reports whether an error comes from the connection to a server, not from the server itself.
func isSilence(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, context.DeadlineExceeded)
}

func askPostgres(ctx context.Context, url secret.Text, tel *telemetry.Telemetry) error {
	pool, err := postgres.Open(ctx, postgres.Config{URL: url, MaxConns: 1}, "public", tel)
	if err != nil {
		return err
	}
	defer pool.Close()
	return pool.Ping(ctx)
}

// askRedis also checks that Redis does not evict keys.
func askRedis(ctx context.Context, url secret.Text, tel *telemetry.Telemetry) error {
	client, err := redis.Open(ctx, redis.Config{URL: url}, tel)
	if err != nil {
		return err
	}
	return errors.Join(redis.Check(client, tel)(ctx), client.Close())
}
