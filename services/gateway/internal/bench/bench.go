package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/services/allinone/launch"
)

// Options say how long it takes.
type Options struct {
	// Parts are the names of the measurements to take, separated by commas; see Parts.
	Parts string
	// Rounds is how often each side is loaded, Time how long each time.
	Rounds int
	Time   time.Duration
	// Connections is the number of requests under way at once.
	Connections int
	// PerSecond is the rate at which latencies are compared.
	PerSecond int
	// Refusals is how many refused calls a window is knocked at with.
	Refusals int
	// DigestMost is how long the fingerprint of the worst body may take.
	DigestMost time.Duration
	// ReportFile gets all figures as JSON; none when it is empty.
	ReportFile string
	// Out gets the tables, Progress what is being done.
	Out, Progress io.Writer
}

// Parts are the names of all measurements.
const Parts = "digest,throughput,latency,memory,footprint"

// errPart says that a measurement is asked for that there is not.
var errPart = errors.New("the measurements are " + Parts)

// bench is a measurement under way.
type bench struct {
	Options
	postgres, redis       *launch.Server
	service, bare, target *child
	client                goredis.UniversalClient
	inner, bareReady      listening
	ready                 ready
	report                Report
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
	b.progress("starting PostgreSQL, Redis, the service, the bare proxy and the gateway")
	if err := b.start(ctx, dir); err != nil {
		return err
	}
	b.begin()
	parts := map[string]func(context.Context) error{
		"digest": b.digest, "throughput": b.throughput, "latency": b.latency, "memory": b.memory, "footprint": b.footprint,
	}
	for part := range strings.SplitSeq(b.Parts, ",") {
		measure, known := parts[part]
		if !known {
			return fmt.Errorf("%w, not %q", errPart, part)
		}
		if err := measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return b.finish()
}

// loadAverage is what else the machine does: how many processes wanted to run, over 1, 5 and 15 minutes.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
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
	if b.service, err = startChild(ctx, &b.inner, serviceCommand); err != nil {
		return err
	}
	if b.bare, err = startChild(ctx, &b.bareReady, bareCommand, b.inner.Address); err != nil {
		return err
	}
	if b.target, err = startChild(ctx, &b.ready, targetCommand, b.inner.Address, b.postgres.URL, b.redis.URL); err != nil {
		return err
	}
	b.progress("profiles of the gateway: http://%s/debug/pprof/profile", b.ready.Control)
	return nil
}

func (b *bench) stop() error {
	var problems []error
	for _, started := range []*child{b.target, b.bare, b.service} {
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
