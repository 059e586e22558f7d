// Package bench measures what the way through the gateway costs.
//
// Machines differ and are noisy, so nothing here is a figure on its own. Everything is measured in turns, A B
// A B, and what counts is the ratio of medians.
//
// Pages: each is read through client, gateway, orders and PostgreSQL, and then pgbench runs the very statement
// that PostgreSQL was sent for it, with the same arguments and the same number of connections. The tables of
// all sizes exist at the same time, each in a database of its own under a system of its own. What counts beside
// gateway to pgbench is one size to another, and the CPU time that gateway and orders together spend on a
// request.
//
// Shipments: each ships an order of its own, through the gateway, and by pgbench, which runs the transaction
// that PostgreSQL was sent for one, with nothing changed but what names the order. Its statements travel
// together where no result is needed in between, so no program can do the same faster.
//
// Batches: 500 shipments in one call, in 500 calls one after the other, and in 500 calls side by side.
//
// Layouts: calls about orders of one seller on one PostgreSQL, and on a coordinator with two workers. It needs the extension Citus.
//
// pgbench runs as the owner of the tables, whom no policy of row-level security holds; the services pay for the wall between sellers,
// which BenchmarkWall of the orders service measures by itself.
//
// The measured systems are processes of their own, on a private PostgreSQL that forces its writes to disk.
// Their limits are checked as always, but set so high that they are never met. The load generator is this
// process: it sends bytes that are ready and reads no JSON, so that it takes as little as possible of the
// machine that it shares with what it measures.
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
	// Dir is where the data lie while it runs; it is made, and removed at the end.
	Dir string
	// Parts are what is measured: pages, shipments, batches, layouts.
	Parts []string
	// Sizes are the numbers of orders to measure pages at; shipments are measured at the largest.
	Sizes []int
	// Concurrency is the number of requests under way at once, on both sides.
	Concurrency int
	// Rounds is how often each side is measured, Time how long a page each time, in whole seconds.
	Rounds int
	Time   time.Duration
	// Out gets the table, Progress what is being done.
	Out, Progress io.Writer
}

// Run measures and prints the tables.
func Run(ctx context.Context, options Options) (err error) {
	slices.Sort(options.Sizes)
	if err := os.MkdirAll(options.Dir, 0o711); err != nil { //nolint:gosec // PostgreSQL of a root user passes through
		return fmt.Errorf("benchmark: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(options.Dir)) }()
	servers, err := startServers(ctx, options.Dir)
	defer func() { err = errors.Join(err, servers.stop()) }()
	if err != nil {
		return err
	}
	b := &benchmark{Options: options, servers: servers}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.run(ctx); err != nil || !b.wants("layouts") {
		return err
	}
	results, err := b.measureLayouts(ctx)
	if err != nil {
		return fmt.Errorf("layouts: %w", err)
	}
	return printLayouts(b.Out, b.Options, results)
}

// benchmark is a measurement under way.
type benchmark struct {
	Options
	servers *servers
	worlds  []*world
}

func (b *benchmark) run(ctx context.Context) error {
	if len(b.Parts) == 1 && b.wants("layouts") { // which have servers of their own
		return nil
	}
	for n, size := range b.Sizes {
		b.say("filling a marketplace of %d orders", size)
		w, err := b.newWorld(ctx, n, size)
		if err != nil {
			return err
		}
		b.worlds = append(b.worlds, w)
	}
	var calls []result
	for _, part := range []struct {
		name    string
		measure func(context.Context) ([]result, error)
	}{{"pages", b.measurePages}, {"shipments", b.measureShipments}} {
		if !b.wants(part.name) {
			continue
		}
		measured, err := part.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		calls = append(calls, measured...)
	}
	if len(calls) > 0 {
		if err := printTable(b.Out, b.Options, calls); err != nil {
			return err
		}
	}
	if !b.wants("batches") {
		return nil
	}
	batches, err := b.measureBatches(ctx)
	if err != nil {
		return fmt.Errorf("batches: %w", err)
	}
	return printBatches(b.Out, batches)
}

// wants reports whether a part is measured.
func (b *benchmark) wants(part string) bool { return slices.Contains(b.Parts, part) }

// close ends the measured systems.
func (b *benchmark) close() error {
	var err error
	for _, w := range b.worlds {
		err = errors.Join(err, w.child.Stop())
	}
	return err
}

func (b *benchmark) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.Progress, format+"\n", args...)
}

// runDir is where the system of a size has its run directory.
func (b *benchmark) runDir(size int) string {
	return filepath.Join(b.Dir, fmt.Sprintf("stack-%d", size))
}
