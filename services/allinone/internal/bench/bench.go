// Package bench measures what the way through the gateway costs.
//
// Machines differ and are noisy, so nothing here is a figure on its own: for each case the page is read
// through client, gateway, orders and PostgreSQL, and then pgbench runs the very statement that PostgreSQL
// was sent for it, with the same arguments and the same number of connections. The tables of all sizes
// exist at the same time, each in a database of its own under a system of its own, and are measured in
// turns (1 k through the gateway, 1 k alone, 100 k through the gateway, …, and again). What counts is the
// ratio of medians: gateway to pgbench, and one size to another; and the CPU time that gateway and orders
// together spend on a request.
//
// The measured systems are processes of their own, on a private PostgreSQL that forces its writes to disk.
// The load generator is this process: it sends the same bytes again and again and reads no JSON, so that
// it takes as little as possible of the machine that it shares with what it measures.
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
	// Sizes are the numbers of orders to measure at.
	Sizes []int
	// Concurrency is the number of requests under way at once, on both sides.
	Concurrency int
	// Rounds is how often each side is measured, Time how long each time, in whole seconds.
	Rounds int
	Time   time.Duration
	// Out gets the table, Progress what is being done.
	Out, Progress io.Writer
}

// Run measures and prints the table.
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
	return b.run(ctx)
}

// benchmark is a measurement under way.
type benchmark struct {
	Options
	servers *servers
	worlds  []*world
}

func (b *benchmark) run(ctx context.Context) error {
	for n, size := range b.Sizes {
		b.say("filling a marketplace of %d orders", size)
		w, err := b.newWorld(ctx, n, size)
		if err != nil {
			return err
		}
		b.worlds = append(b.worlds, w)
	}
	var results []result
	for n, name := range caseNames() {
		b.say("measuring: %s", name)
		measured, err := b.measure(ctx, n)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		results = append(results, measured...)
	}
	return printTable(b.Out, b.Options, results)
}

// measure takes both sides of all sizes in turns.
func (b *benchmark) measure(ctx context.Context, caseNumber int) ([]result, error) {
	results := make([]result, len(b.worlds))
	statements := make([]statement, len(b.worlds))
	for i, w := range b.worlds {
		var err error
		results[i] = result{name: w.cases[caseNumber].name, orders: w.orders}
		if results[i].rows, err = w.rows(ctx, w.cases[caseNumber]); err != nil {
			return nil, err
		}
		if statements[i], err = b.capture(ctx, w, w.cases[caseNumber]); err != nil {
			return nil, err
		}
	}
	for range b.Rounds {
		for i, w := range b.worlds {
			through, err := b.load(ctx, w, w.cases[caseNumber], b.Time)
			if err != nil {
				return nil, err
			}
			alone, err := b.pgbench(ctx, w, statements[i])
			if err != nil {
				return nil, err
			}
			results[i].through, results[i].alone = append(results[i].through, through), append(results[i].alone, alone)
		}
	}
	return results, nil
}

// close ends the measured systems.
func (b *benchmark) close() error {
	var err error
	for _, w := range b.worlds {
		err = errors.Join(err, w.child.stop())
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
