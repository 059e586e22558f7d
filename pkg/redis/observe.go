package redis

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
)

// quiet are the commands of readiness probes and of connection setup; their spans
// would belong to no request.
var quiet = []string{"ping", "info", "hello", "auth", "select", "client", "script", "cluster", "command"}

// instrument adds spans and durations per command, and the state of the pool. A
// command's arguments are never recorded. A pipeline has no span: its commands may
// belong to many requests. Our hook comes second, so that it runs inside of the
// span and can rename it.
func instrument(client redis.UniversalClient, tel *telemetry.Telemetry, poolSize int, scripts []*Script) error {
	err := redisotel.InstrumentTracing(client,
		redisotel.WithTracerProvider(tel.TracerProvider),
		redisotel.WithDBStatement(false),
		redisotel.WithCallerEnabled(false),
		redisotel.WithDialFilter(true),
		redisotel.WithCommandFilter(isQuiet),
		redisotel.WithCommandsFilter(func([]redis.Cmder) bool { return true }),
	)
	if err != nil {
		return fmt.Errorf("trace Redis: %w", err)
	}
	hook := newStopwatch(tel.Histogram(telemetry.RedisCommandDuration), scripts)
	if cluster, ok := client.(*redis.ClusterClient); ok {
		cluster.OnNewNode(func(node *redis.Client) { node.AddHook(hook) })
	} else {
		client.AddHook(hook)
	}
	return observePool(client, tel, poolSize)
}

// isQuiet reports whether a command belongs to no request.
func isQuiet(command redis.Cmder) bool { return slices.Contains(quiet, command.Name()) }

// observePool registers metrics of the connection pool that are read at each scrape.
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

// libraryLog receives the log of the client library. The library has one logger
// per process, so that of the client opened last gets it. It is for debugging
// only: every failure is also returned to a caller, which reports it.
type libraryLog struct{ logger *slog.Logger }

// Printf implements the library's logger.
func (l libraryLog) Printf(ctx context.Context, format string, values ...any) {
	l.logger.DebugContext(ctx, "redis client", "message", fmt.Sprintf(format, values...))
}

// stopwatch is the hook that measures commands, names the spans of scripts, and opens connections; see openEach.
type stopwatch struct {
	durations *prometheus.HistogramVec
	scripts   map[string]string // names, by digest and by text
}

func newStopwatch(durations *prometheus.HistogramVec, scripts []*Script) *stopwatch {
	s := &stopwatch{durations: durations, scripts: make(map[string]string, 2*len(scripts))}
	for _, script := range scripts {
		s.scripts[script.script.Hash()], s.scripts[script.source] = script.name, script.name
	}
	return s
}

// DialHook implements redis.Hook.
func (s *stopwatch) DialHook(next redis.DialHook) redis.DialHook { return openEach(next) }

// ProcessHook implements redis.Hook.
func (s *stopwatch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		if script, ok := s.scriptOf(command); ok {
			trace.SpanFromContext(ctx).SetName(script)
		}
		began := time.Now()
		err := next(ctx, command)
		s.observe(command, time.Since(began), err)
		return err
	}
}

// ProcessPipelineHook implements redis.Hook; each command of a pipeline took as
// long as all of it.
func (s *stopwatch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		began := time.Now()
		err := next(ctx, commands)
		took := time.Since(began)
		for _, command := range commands {
			s.observe(command, took, command.Err())
		}
		return err
	}
}

func (s *stopwatch) scriptOf(command redis.Cmder) (name string, ok bool) {
	if args := command.Args(); len(args) > 1 && strings.HasPrefix(command.Name(), "eval") {
		text, _ := args[1].(string)
		name, ok = s.scripts[text]
	}
	return name, ok
}

// A missing key is an answer and not an error; so is a script that has to be sent again.
func (s *stopwatch) observe(command redis.Cmder, took time.Duration, err error) {
	name, ok := s.scriptOf(command)
	if !ok {
		name = command.Name()
	}
	outcome := "ok"
	if err != nil && !errors.Is(err, redis.Nil) && !redis.HasErrorPrefix(err, "NOSCRIPT") {
		outcome = "error"
	}
	s.durations.WithLabelValues(name, outcome).Observe(took.Seconds())
}
