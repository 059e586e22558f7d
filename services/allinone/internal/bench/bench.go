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
)

// Options say what is measured.
type Options struct {
	// Tree is the source tree whose services are measured.
	Tree string
	// Dir is where the data lie while it runs; it is made, and removed at the end.
	Dir string
	// Parts are what is measured: see the table parts, and layouts.
	Parts []string
	// Cases are the reads to measure, by name; all of them when there is none.
	Cases []string
	// Sellers trade in the marketplace that calls are measured in, which has so many Orders.
	Sellers, Orders int
	// Page is how many records a page has, Variants how many different requests a case.
	Page     int
	Variants int
	// Claims is how many claims, and half as many inquiries as, each of a few sellers has.
	Claims int
	// Sizes are the numbers of orders that one seller has where growth is measured, beside as many of others.
	Sizes []int
	// Concurrency is the number of requests under way at once, on both sides.
	Concurrency int
	// Rounds is how often each side is measured. Before each time it warms up for Warm, then it runs for Time, both in whole seconds.
	Rounds     int
	Warm, Time time.Duration
	// Batch is how many shipments a batch has.
	Batch int
	// GrowthCalls is how often a page is read at each size; more often where the median is close to what it may be.
	GrowthCalls int
	// Cold is how many filters are tried after a restart of PostgreSQL: first the single ones and then pairs, those that are slowest first.
	Cold int
	// Connections is how many idle ones the gateway keeps for the footprint, Rest how long services are left alone before their memory is
	// read.
	Connections int
	Rest        time.Duration
	// Report is the file that the results are written to as JSON.
	Report string
	// Out gets the tables, Progress what is being done.
	Out, Progress io.Writer
}

// benchmark is a measurement under way.
type benchmark struct {
	Options
	ground *ground
	tree   *tree
	// base is the time of the newest order of every marketplace.
	base time.Time
	// claims are the numbers of some claims of each seller that has any.
	claims map[*seller][]string
	report Report
}

// Run measures, prints the tables and writes the report.
func Run(ctx context.Context, options Options) error {
	slices.Sort(options.Sizes)
	return start(ctx, options, func(b *benchmark) error {
		if err := b.run(ctx); err != nil {
			return err
		}
		if !slices.Contains(b.Parts, "layouts") {
			return nil
		}
		results, err := b.measureLayouts(ctx)
		if err != nil {
			return fmt.Errorf("layouts: %w", err)
		}
		return printLayouts(b.Out, b.Options, results)
	})
}

// start prepares the servers and the programs for a measurement, and ends the servers behind it.
func start(ctx context.Context, options Options, measure func(*benchmark) error) (err error) {
	if err := os.MkdirAll(options.Dir, 0o711); err != nil { //nolint:gosec // PostgreSQL of a root user passes through
		return fmt.Errorf("benchmark: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(options.Dir)) }()
	b := &benchmark{Options: options, base: time.Now().Add(-time.Second).Truncate(time.Second)}
	b.say("building the services")
	if b.tree, err = build(ctx, options.Tree, filepath.Join(options.Dir, "bin")); err != nil {
		return err
	}
	b.ground, err = startGround(ctx, options.Dir)
	defer func() {
		spans, stopped := b.ground.stop()
		err = errors.Join(err, stopped)
		if err == nil {
			err = b.finish(spans)
		}
	}()
	if err != nil {
		return err
	}
	return measure(b)
}

// warmSeconds is how long pgbench warms up.
func (b *benchmark) warmSeconds() int { return int(b.Warm.Seconds()) }

func (b *benchmark) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.Progress, format+"\n", args...)
}
