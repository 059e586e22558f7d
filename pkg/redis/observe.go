package redis

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
)

// quiet are the commands of readiness probes and of the connection itself; they
// would fill the traces with spans that belong to no request.
var quiet = []string{"ping", "info", "hello", "auth", "select", "client", "script", "cluster", "command"}

// instrument adds spans and durations per command, and the state of the pool. A
// command's arguments are never recorded. Our hook comes second, so that it runs
// inside of the span and can rename it.
func instrument(client redis.UniversalClient, tel *telemetry.Telemetry, poolSize int) error {
	err := redisotel.InstrumentTracing(client,
		redisotel.WithTracerProvider(tel.TracerProvider),
		redisotel.WithDBStatement(false),
		redisotel.WithCallerEnabled(false),
		redisotel.WithDialFilter(true),
		redisotel.WithCommandFilter(isQuiet),
		redisotel.WithCommandsFilter(func(commands []redis.Cmder) bool { return !slices.ContainsFunc(commands, isLoud) }),
	)
	if err != nil {
		return fmt.Errorf("trace Redis: %w", err)
	}
	hook := &stopwatch{durations: tel.Histogram(telemetry.RedisCommandDuration)}
	if cluster, ok := client.(*redis.ClusterClient); ok {
		cluster.OnNewNode(func(node *redis.Client) { node.AddHook(hook) })
	} else {
		client.AddHook(hook)
	}
	return observePool(client, tel, poolSize)
}

// isQuiet tells whether a command belongs to no request.
func isQuiet(command redis.Cmder) bool { return slices.Contains(quiet, command.Name()) }

// isLoud is the opposite of isQuiet.
func isLoud(command redis.Cmder) bool { return !isQuiet(command) }

// observePool reports the state of the connection pool at each scrape.
func observePool(client redis.UniversalClient, tel *telemetry.Telemetry, poolSize int) error {
	return tel.Observe(func(emit telemetry.Emit) {
		stats := client.PoolStats()
		emit(telemetry.RedisPoolConnections, float64(stats.TotalConns-min(stats.IdleConns, stats.TotalConns)), "in_use")
		emit(telemetry.RedisPoolConnections, float64(stats.IdleConns), "idle")
		emit(telemetry.RedisPoolConnections, float64(poolSize), "max")
		emit(telemetry.RedisPoolHits, float64(stats.Hits))
		emit(telemetry.RedisPoolMisses, float64(stats.Misses))
		emit(telemetry.RedisPoolTimeouts, float64(stats.Timeouts))
		emit(telemetry.RedisPoolStale, float64(stats.StaleConns))
	}, telemetry.RedisPoolConnections, telemetry.RedisPoolHits, telemetry.RedisPoolMisses,
		telemetry.RedisPoolTimeouts, telemetry.RedisPoolStale)
}

// libraryLog takes what the client library has to say. The library has one logger
// per process, so that of the client opened last gets it. It is for debugging
// only: whatever fails is also returned to a caller, who reports it.
type libraryLog struct{ logger *slog.Logger }

// Printf implements the library's logger.
func (l libraryLog) Printf(ctx context.Context, format string, values ...any) {
	l.logger.DebugContext(ctx, "redis client", "message", fmt.Sprintf(format, values...))
}

// stopwatch is the hook that measures commands and names the spans of scripts.
type stopwatch struct{ durations *prometheus.HistogramVec }

// DialHook implements redis.Hook.
func (s *stopwatch) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return next(ctx, network, address)
	}
}

// ProcessHook implements redis.Hook.
func (s *stopwatch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		name := command.Name()
		if script, ok := ctx.Value(running{}).(string); ok && strings.HasPrefix(name, "eval") {
			name = script
			trace.SpanFromContext(ctx).SetName(script)
		}
		return s.measure(name, func() error { return next(ctx, command) })
	}
}

// ProcessPipelineHook implements redis.Hook; a pipeline is measured as a whole.
func (s *stopwatch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		return s.measure("pipeline", func() error { return next(ctx, commands) })
	}
}

// measure records how long a command took. A key that is not there is an answer
// and not an error; so is a script that has to be sent again.
func (s *stopwatch) measure(name string, run func() error) error {
	began := time.Now()
	err := run()
	outcome := "ok"
	if err != nil && !errors.Is(err, redis.Nil) && !redis.HasErrorPrefix(err, "NOSCRIPT") {
		outcome = "error"
	}
	s.durations.WithLabelValues(name, outcome).Observe(time.Since(began).Seconds())
	return err
}
