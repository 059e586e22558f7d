package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/services/allinone/launch"
)

// Options say how long it takes.
type Options struct {
	// Rounds is how often each side is loaded, Time how long each time.
	Rounds int
	Time   time.Duration
	// Connections is the number of requests under way at once.
	Connections int
	// PerSecond is the rate at which latencies are compared.
	PerSecond int
	// Refusals is how many refused calls a window is knocked at with.
	Refusals int
	// Out gets the tables, Progress what is being done.
	Out, Progress io.Writer
}

// bench is a measurement under way.
type bench struct {
	Options
	postgres, redis *launch.Server
	service, target *child
	client          goredis.UniversalClient
	ready           ready
}

// Run starts what it needs, measures and prints. Everything it started has ended when it returns.
func Run(ctx context.Context, options Options) (err error) {
	dir, err := os.MkdirTemp("", "gateway-bench-")
	if err != nil {
		return err
	}
	b := &bench{Options: options}
	defer func() {
		err = errors.Join(err, b.stop(), launch.Forget(filepath.Join(dir, "postgres")), os.RemoveAll(dir))
	}()
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // the servers of a root user pass through
		return err
	}
	b.progress("starting PostgreSQL, Redis, the service and the gateway")
	if err := b.start(ctx, dir); err != nil {
		return err
	}
	for _, measure := range []func(context.Context) error{b.throughput, b.latency, b.memory} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) start(ctx context.Context, dir string) (err error) {
	if b.postgres, err = launch.Postgres(ctx, filepath.Join(dir, "postgres"), launch.Options{}); err != nil {
		return err
	}
	if b.redis, err = launch.Redis(ctx, filepath.Join(dir, "redis"), launch.Options{}); err != nil {
		return err
	}
	if b.client, err = b.openRedis(ctx); err != nil {
		return err
	}
	var inner serviceReady
	if b.service, err = startChild(ctx, &inner, serviceCommand); err != nil {
		return err
	}
	if b.target, err = startChild(ctx, &b.ready, targetCommand, inner.Address, b.postgres.URL, b.redis.URL); err != nil {
		return err
	}
	b.progress("profiles of the gateway: http://%s/debug/pprof/profile", b.ready.Control)
	return nil
}

func (b *bench) stop() error {
	var problems []error
	for _, started := range []*child{b.target, b.service} {
		if started != nil {
			problems = append(problems, started.stop())
		}
	}
	if b.client != nil {
		problems = append(problems, b.client.Close())
	}
	for _, server := range []*launch.Server{b.redis, b.postgres} {
		if server != nil {
			problems = append(problems, server.Stop())
		}
	}
	return errors.Join(problems...)
}

func (b *bench) progress(format string, args ...any) {
	_, _ = fmt.Fprintf(b.Progress, format+"\n", args...)
}

func (b *bench) print(format string, args ...any) { _, _ = fmt.Fprintf(b.Out, format+"\n", args...) }
