package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/lab/report"
)

// Options say what is measured and how.
type Options struct {
	// Tree is the source tree whose services are measured.
	Tree string
	// Dir is where the data is kept during the run; it is created, and removed at the end.
	Dir string
	// Parts names the parts to measure; see Parts.
	Parts []string
	// Cases names the reads to measure; empty means all of them.
	Cases []string
	// Sellers is the number of sellers in the marketplace in which calls are measured, Orders its number of orders.
	Sellers, Orders int
	// Page is how many records a page has, Variants how many different requests each case has.
	Page     int
	Variants int
	// Claims is how many claims, and how many inquiries, each of a few sellers has.
	Claims int
	// Sizes are the numbers of orders of one seller, beside as many of others, at which growth is measured.
	Sizes []int
	// Concurrency is the number of requests in flight at once, on all sides.
	Concurrency int
	// Rounds is how often each side is measured. Each time it warms up for Warm and then runs for Time, both in whole seconds.
	Rounds     int
	Warm, Time time.Duration
	// Batch is how many shipments a batch has.
	Batch int
	// GrowthCalls is how often a page is read at each size. A page whose growth is close to the limit is read more often.
	GrowthCalls int
	// Connections is how many idle connections to the gateway are opened for the footprint, Rest how long services are left
	// idle before their memory is read.
	Connections int
	Rest        time.Duration
	// Held is how many calls are held in the measurement of calls that wait.
	Held int
	// Roots are the folders below which nginx is searched, in paths such as usr/sbin. PATH counts as part of "/".
	Roots []string
	// Report is the file to which the results are written as JSON.
	Report string
	// Keep is the folder of this package, where the goals are kept; empty: they are not.
	Keep string
	// Out receives the tables, Progress the progress messages.
	Out, Progress io.Writer
}

type benchmark struct {
	Options
	ground *ground
	tree   *tree
	// base is the time of the newest order of every marketplace.
	base time.Time
	// claims are the numbers of some claims of each seller that has claims.
	claims map[*seller][]string
	report *report.Report
}

// Run measures, prints the tables and writes the report. A part that fails and a goal that is missed end nothing: the error is
// that of all parts, or report.ErrMissed.
func Run(ctx context.Context, options Options) error {
	slices.Sort(options.Sizes)
	return start(ctx, options, func(b *benchmark) error { return b.run(ctx) })
}

func start(ctx context.Context, options Options, measure func(*benchmark) error) (err error) {
	if err := os.MkdirAll(options.Dir, 0o711); err != nil { //nolint:gosec // PostgreSQL of a root user passes through
		return fmt.Errorf("benchmark: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(options.Dir)) }()
	service.RelaxCollector() // the load generator shares the processors with what it measures
	b := &benchmark{
		Options: options, base: time.Now().Add(-time.Second).Truncate(time.Second), claims: map[*seller][]string{},
		report: report.New(options.Out),
	}
	b.say("building the services")
	if b.tree, err = build(ctx, options.Tree, filepath.Join(options.Dir, "bin")); err != nil {
		return err
	}
	b.ground, err = startGround(ctx, options.Dir)
	defer func() {
		spans, stopped := b.ground.stop()
		err = errors.Join(err, stopped, b.finish(spans, err == nil))
	}()
	if err != nil {
		return err
	}
	return measure(b)
}

func (b *benchmark) warmSeconds() int { return int(b.Warm.Seconds()) }

func (b *benchmark) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.Progress, format+"\n", args...)
}

var errNoSpans = errors.New("no service has exported a span, although tracing is on: what was measured is not what runs in " +
	"production")

// finish prints the goals and writes the report, whose goals are kept if the whole was measured. The error is report.ErrMissed
// when a goal is missed.
func (b *benchmark) finish(spans int64, whole bool) error {
	var problems []error
	if spans == 0 && slices.ContainsFunc(b.Parts, func(name string) bool { return name != "gateway" && name != "footprint" }) {
		problems = append(problems, errNoSpans)
	}
	if b.Keep != "" && whole && len(problems) == 0 {
		problems = append(problems, keep(b.Keep, b.report))
	}
	return errors.Join(append(problems, b.report.Finish(b.Report))...)
}
