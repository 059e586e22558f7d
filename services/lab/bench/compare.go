package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

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
	if err := b.report.Say(b.aboutComparison(commit)...); err != nil {
		return err
	}
	worlds := make([]*world, len(trees))
	for n, t := range []*tree{b.tree, base} {
		s, w, failed := b.tradeOf(ctx, t, trees[n])
		if failed != nil && t == base {
			failed = cannotRun(commit, failed)
		}
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		worlds[n] = w
	}
	b.Parts = []string{"reads", "writes"}
	return b.compareCalls(ctx, worlds)
}

// trees names the compared systems, in the order in which they are measured.
var trees = []string{"new", "base"}

// compareCalls measures each kind of call on both systems in turns.
func (b *benchmark) compareCalls(ctx context.Context, worlds []*world) error {
	var rows, ratios [][]string
	add := func(name string, of func(*world) (*side, error)) error {
		sides := make([]*side, len(worlds))
		for n, w := range worlds {
			one, err := of(w)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, trees[n], err)
			}
			one.name += ": " + trees[n]
			sides[n] = one
		}
		if err := b.turns(ctx, sides); err != nil {
			return err
		}
		rows = append(rows, sides[0].cells(), sides[1].cells())
		ratios = append(ratios, newOverBase(name, sides[0], sides[1]))
		return nil
	}
	for _, c := range b.chosen() {
		err := add(c.name, func(w *world) (*side, error) {
			one, _, err := b.reading(ctx, w, c)
			return one, err
		})
		if err != nil {
			return err
		}
	}
	for n, kind := range b.writes(worlds[0]) {
		err := add(kind.name, func(w *world) (*side, error) { return b.writing(ctx, w, b.writes(w)[n]) })
		if err != nil {
			return err
		}
	}
	if err := b.report.Table("calls", cellNames, rows); err != nil {
		return err
	}
	return b.report.Table("new over base: for requests/s higher is better, for all other figures lower",
		[]string{"call", "requests/s", "p50", "p99", "CPU gateway", "CPU services", "CPU postgres", "CPU redis"}, ratios)
}

func newOverBase(name string, sides ...*side) []string {
	figures := []figure{perSecond, p50, p99, cpu("gateway"), cpu("orders", "claims", "qna"), postgresCPU, cpu("redis")}
	row := make([]string, 0, 1+len(figures))
	row = append(row, name)
	for _, of := range figures {
		row = append(row, times(sides[0].ratio(of, sides[1], of)))
	}
	return row
}
