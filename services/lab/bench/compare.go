package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const baseTree, newTree = "base", "new"

// Compare measures the system of a commit beside that of the tree, in turns under the same load, and prints the ratios.
// Each system is configured by the chart of its own tree, and filled in a database of its own through the intake, whose
// contract both have in common.
func Compare(ctx context.Context, options Options, commit string) error {
	return start(ctx, options, func(b *benchmark) error {
		base, remove, err := b.checkOut(ctx, commit)
		if err != nil {
			return err
		}
		err = b.compare(ctx, base, commit)
		return errors.Join(err, remove())
	})
}

// checkOut creates a worktree of a commit and builds it. remove removes the worktree.
func (b *benchmark) checkOut(ctx context.Context, commit string) (base *tree, remove func() error, err error) {
	b.say("building the services of %s", commit)
	dir, err := os.MkdirTemp("", "bench-base-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() error {
		return errors.Join(b.git(context.WithoutCancel(ctx), "worktree", "remove", "--force", dir), os.RemoveAll(dir))
	}
	if err := b.git(ctx, "worktree", "add", "--detach", dir, commit); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	if base, err = build(ctx, dir, filepath.Join(b.Dir, "base-bin")); err != nil {
		return nil, nil, errors.Join(cannotRun(commit, err), remove())
	}
	return base, remove, nil
}

func (b *benchmark) git(ctx context.Context, arguments ...string) error {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", b.Tree}, arguments...)...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", arguments[0], err, lastLines(string(output)))
	}
	return nil
}

func cannotRun(commit string, err error) error {
	return fmt.Errorf("the system of %s cannot be run by this benchmark: %w", commit, err)
}

func (b *benchmark) compare(ctx context.Context, base *tree, commit string) (err error) {
	if err := b.introduce(b.aboutComparison(commit)); err != nil {
		return err
	}
	worlds := map[string]*world{}
	for name, t := range map[string]*tree{baseTree: base, newTree: b.tree} {
		s, w, failed := b.tradeOf(ctx, t, name)
		if failed != nil && name == baseTree {
			failed = cannotRun(commit, failed)
		}
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		worlds[name] = w
	}
	if err := b.during("reads", func() error { return b.compareReads(ctx, worlds) }); err != nil {
		return err
	}
	return b.during("shipments", func() error { return b.compareShipments(ctx, worlds) })
}

// bothSides returns the sides in the order in which they are measured; of returns the contender of each side.
func bothSides(worlds map[string]*world, of func(*world, string) (contender, error)) (sides []contender, err error) {
	for _, name := range []string{newTree, baseTree} {
		one, err := of(worlds[name], name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sides = append(sides, one)
	}
	return sides, nil
}

func (b *benchmark) compareReads(ctx context.Context, worlds map[string]*world) error {
	var results []result
	for _, c := range b.chosen() {
		b.say("measuring: %s", c.name)
		r := result{name: c.name, owner: c.owner, atOnce: b.Concurrency, sides: []string{newTree, baseTree}}
		sides, err := bothSides(worlds, func(w *world, name string) (contender, error) {
			requests, err := b.requests(ctx, w, c, b.Variants)
			if err != nil {
				return contender{}, err
			}
			r.rows = requests[0].rows
			return b.reading(w, name, wire(requests)), nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if r.samples, err = b.turns(ctx, sides); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		results = append(results, r)
	}
	return b.addComparisons(results)
}

func (b *benchmark) compareShipments(ctx context.Context, worlds map[string]*world) error {
	var results []result
	for n, kind := range b.shippings(worlds[newTree]) {
		b.say("measuring: %s", kind.name)
		sides, err := bothSides(worlds, func(w *world, name string) (contender, error) {
			own := b.shippings(w)[n]
			return b.paced(ctx, name, func(ctx context.Context, warm, each int) (sample,
				error,
			) {
				return w.ship(ctx, own.sellers, warm, each)
			},
				len(own.sellers))
		})
		if err != nil {
			return err
		}
		r := result{name: kind.name, owner: "orders", rows: 1, atOnce: len(kind.sellers), sides: []string{newTree, baseTree}}
		if r.samples, err = b.turns(ctx, sides); err != nil {
			return err
		}
		results = append(results, r)
	}
	return b.addComparisons(results)
}

func (b *benchmark) addComparisons(results []result) error {
	if err := b.addCalls(results); err != nil {
		return err
	}
	rows := make([][]string, len(results))
	for i, one := range results {
		reported := one.reported()
		ratio := func(of func(SideReport) float64) string {
			return fmt.Sprintf("%.2f", of(reported.Sides[newTree])/of(reported.Sides[baseTree]))
		}
		cpu := func(name string) string { return ratio(func(s SideReport) float64 { return s.CPU[name].Median }) }
		rows[i] = []string{
			one.name, ratio(func(s SideReport) float64 { return s.PerSecond.Median }),
			ratio(func(s SideReport) float64 { return s.P50.Median }), ratio(func(s SideReport) float64 { return s.P99.Median }),
			cpu("gateway"), cpu(one.owner), cpu("postgres"), cpu("redis"),
		}
	}
	if _, err := fmt.Fprintln(b.Out, "\nnew over base: for requests/s higher is better, for all other figures lower"); err != nil {
		return err
	}
	return table(b.Out, "call\trequests/s\tp50\tp99\tCPU gateway\tCPU owner\tCPU postgres\tCPU redis", rows)
}
