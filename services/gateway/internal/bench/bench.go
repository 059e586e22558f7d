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

	"sellerapi.dev/pkg/launch"
)

// Options are the settings of a run.
type Options struct {
	// Parts are the names of the measurements to run, comma-separated; see Parts.
	Parts string
	// Rounds is the number of load periods per side, Time the length of each.
	Rounds int
	Time   time.Duration
	// Connections is the number of concurrent requests.
	Connections int
	// PerSecond is the request rate of the latency measurement.
	PerSecond int
	// Refusals is the number of refused calls against a full window.
	Refusals int
	// DigestMost is the maximum time for the fingerprint of the worst body, of the time to parse it.
	DigestMost float64
	// Roots are the folders below which the programs of peers are searched, in paths such as usr/sbin. PATH counts as part of "/".
	Roots []string
	// ReportFile is the file for all results as JSON; empty: none.
	ReportFile string
	// Out receives the tables, Progress the progress messages.
	Out, Progress io.Writer
}

// Parts are the names of all measurements.
const Parts = "digest,throughput,peers,latency,memory,footprint"

var errPart = errors.New("the measurements are " + Parts)

type bench struct {
	Options
	dir                   string // of everything that is started
	postgres, redis       *launch.Server
	service, bare, target *child
	client                goredis.UniversalClient
	inner, bareReady      listening
	ready                 ready
	report                Report
}

// Run starts the processes, measures and prints the results. A part that fails and a goal that is missed end nothing: the error
// is that of all parts, and goal.ErrMissed. All processes have ended when it returns.
func Run(ctx context.Context, options Options) (err error) {
	dir, err := os.MkdirTemp("", "gateway-bench-")
	if err != nil {
		return err
	}
	b := &bench{Options: options, dir: dir}
	defer func() {
		err = errors.Join(err, b.stop(), launch.Forget(filepath.Join(dir, "postgres")), os.RemoveAll(dir))
	}()
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // the servers started by a root user need search permission
		return err
	}
	b.progress("starting PostgreSQL, Redis, the service, the bare proxy and the gateway")
	if err := b.start(ctx); err != nil {
		return err
	}
	b.begin()
	parts := map[string]func(context.Context) error{
		"digest": b.digest, "throughput": b.throughput, "peers": b.peers, "latency": b.latency, "memory": b.memory,
		"footprint": b.footprint,
	}
	var problems []error
	for part := range strings.SplitSeq(b.Parts, ",") {
		measure, known := parts[part]
		if !known {
			return fmt.Errorf("%w, not %q", errPart, part)
		}
		if err := measure(ctx); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", part, err))
		}
	}
	return errors.Join(append(problems, b.finish())...)
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
}

func (b *bench) start(ctx context.Context) (err error) {
	if b.postgres, err = launch.Postgres(ctx, filepath.Join(b.dir, "postgres"), launch.Options{}); err != nil {
		return err
	}
	if b.redis, err = launch.Redis(ctx, filepath.Join(b.dir, "redis"), launch.Options{}); err != nil {
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
