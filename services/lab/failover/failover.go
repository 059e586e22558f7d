package failover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres/distributed/nodes"
	"sellerapi.dev/services/lab/report"
)

// Options configure a run of failover trials.
type Options struct {
	// Dir is where the servers keep their data during the run; it is created, and removed at the end.
	Dir string
	// Trials names the trials to run.
	Trials []string
	// Rate is how many process calls, and how many reads, are made per second.
	Rate int
	// Before and After are how long calls are made before the kill, and after a plain client can write again.
	Before, After time.Duration
	// Notice is the time until the standby is promoted or the worker is started again. Sentinels notice a failure themselves.
	Notice time.Duration
	// Out receives the table, Progress the progress messages.
	Out, Progress io.Writer
}

var trials = map[string]struct {
	what  string
	start func(ctx context.Context, options Options, dir string) (*ground, error)
}{
	"postgres": {"PostgreSQL: primary killed, standby promoted", startPair},
	"redis":    {"Redis: master killed, replica promoted by sentinels", startGroup},
	"citus":    {"Citus: worker killed and started again", startCluster},
	"mixed":    {"Citus: worker killed while it has prepared a transaction of two sellers on two nodes, started again", startMixed},
}

// Run runs the trials one after the other and prints the goals of those that could be measured. A trial that fails ends no other
// one; the error is that of all trials, and report.ErrMissed when a bar is missed.
func Run(ctx context.Context, options Options) (err error) {
	if err := os.MkdirAll(options.Dir, 0o711); err != nil { //nolint:gosec // servers of a root user pass through
		return fmt.Errorf("failover: %w", err)
	}
	defer func() { err = errors.Join(err, launch.Forget(options.Dir)) }()
	measured := report.New(options.Out)
	var problems []error
	for _, name := range options.Trials {
		goals, err := options.trial(ctx, name)
		measured.Add(goals...)
		problems = append(problems, err)
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(append(problems, measured.Finish(""))...)
}

// trial returns the goals of a trial; none of one that is not possible on this machine.
func (o Options) trial(ctx context.Context, name string) ([]report.Goal, error) {
	t, known := trials[name]
	if !known {
		return nil, fmt.Errorf("failover: no trial is named %s", name)
	}
	o.say("%s", t.what)
	found, err := o.try(ctx, t.start, filepath.Join(o.Dir, name))
	if errors.Is(err, nodes.ErrNoCitus) {
		o.say("skipped: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failover of %s: %w", name, err)
	}
	o.say("process calls by status %v, reads %v", found.statuses(process), found.statuses(read))
	return found.goals(name), nil
}

func (o Options) try(
	ctx context.Context, start func(context.Context, Options, string) (*ground, error), dir string,
) (f findings, err error) {
	on, err := start(ctx, o, dir)
	if err != nil {
		return findings{}, err
	}
	defer func() { err = errors.Join(err, on.stop()) }()
	s, err := startSystem(ctx, on, o, dir)
	if err != nil {
		return findings{}, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if on.prepare != nil {
		if err := on.prepare(ctx, s); err != nil {
			return findings{}, err
		}
	}
	l, copies := s.load(ctx, o.Rate), s.follow(ctx)
	defer copies.stop()
	killed, took, err := o.fail(ctx, on)
	records := l.end()
	if err := errors.Join(err, l.err); err != nil {
		return findings{}, err
	}
	f = findings{records: records, killed: killed, ended: time.Now(), servers: took, affects: on.affects}
	again(ctx, s, f.failed())
	if on.resolved != nil {
		if f.prepared, f.resolved, err = on.resolved(); err != nil {
			return f, err
		}
	}
	if f.remains, err = inspect(ctx, on.truth()); err != nil {
		return f, err
	}
	f.inexact, err = copies.end(ctx)
	f.pages = copies.stored
	return f, err
}

// fail waits, kills a server, recovers it where the servers do not do so themselves, and waits again. It returns the time
// of the kill,
// and how long afterwards a plain client's write succeeded.
func (o Options) fail(ctx context.Context, on *ground) (killed time.Time, took time.Duration, err error) {
	if !pause(ctx, o.Before) {
		return killed, 0, ctx.Err()
	}
	killed = time.Now()
	if err := on.kill(); err != nil {
		return killed, 0, err
	}
	written := make(chan time.Time, 1)
	probing, stop := context.WithTimeout(ctx, probeTimeout)
	defer stop()
	go func() {
		defer close(written)
		for pause(probing, probePause) {
			if on.write(probing) == nil {
				written <- time.Now()
				return
			}
		}
	}()
	if on.recover != nil {
		if !pause(ctx, o.Notice) {
			return killed, 0, ctx.Err()
		}
		if err := on.recover(ctx); err != nil {
			return killed, 0, err
		}
	}
	at, ok := <-written
	if !ok {
		return killed, 0, errNoRecovery
	}
	if !pause(ctx, o.After) {
		return killed, 0, ctx.Err()
	}
	return killed, at.Sub(killed), nil
}

// errNoRecovery is returned when the servers themselves did not recover, whatever the system did.
var errNoRecovery = errors.New("no plain client could write again")

const (
	// probePause is the time between two write attempts of a plain client, probeTimeout is how long it keeps trying.
	probePause, probeTimeout = 10 * time.Millisecond, time.Minute
)

// pause waits for d. It reports false when the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (o Options) say(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Progress, format+"\n", args...)
}
