package bench

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// cold measures the first call of some of the filters on the largest size after a restart of PostgreSQL with cold caches: of
// the list without filters, with which the others are compared, then of the single filters, then of the slowest pairs.
func (g *growing) cold(ctx context.Context, all []GrowthReport) error {
	g.b.say("measuring: after a restart of PostgreSQL")
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(all[a].combination), len(all[b].combination)), cmp.Compare(all[b].p50(), all[a].p50()))
	})
	for _, n := range order[:min(g.b.Cold, len(order))] {
		took, err := g.coldCall(ctx, all[n].combination)
		if err != nil {
			return err
		}
		all[n].Cold = micros(took)
	}
	return nil
}

// coldCall restarts PostgreSQL, drops its files from the page cache, and times the page on the largest size.
func (g *growing) coldCall(ctx context.Context, c combination) (time.Duration, error) {
	postgres := g.b.ground.postgres
	if err := postgres.Stop(); err != nil {
		return 0, err
	}
	if err := forgetPages(postgres.Dir); err != nil {
		return 0, err
	}
	if err := postgres.Restart(ctx); err != nil {
		return 0, err
	}
	w := g.worlds[len(g.worlds)-1]
	if err := w.reconnect(ctx); err != nil {
		return 0, err
	}
	return w.timed(ctx, get(c.target(g.b, w), w.largest.key))
}

// reconnectTimeout is how long the services may take to reconnect to a restarted PostgreSQL, reconnectPause the pause
// between two attempts.
const reconnectTimeout, reconnectPause = 30 * time.Second, 20 * time.Millisecond

// reconnect requests an order that does not exist until the services have sessions again, so that opening a session is not
// measured.
func (w *world) reconnect(ctx context.Context) error {
	for until := time.Now().Add(reconnectTimeout); ; {
		response, err := w.call(ctx, w.largest, "/open/v1/orders/NONE")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusNotFound {
				return nil
			}
		}
		if time.Now().After(until) {
			return errors.Join(errors.New("the services do not reconnect to PostgreSQL"), err)
		}
		if err := pause(ctx, reconnectPause); err != nil {
			return err
		}
	}
}

// forgetPages writes all files below a directory to disk and drops them from the page cache. This has the effect of
// dropping all caches of the machine without slowing down other programs on it.
func forgetPages(dir string) error {
	syscall.Sync()
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED) //nolint:gosec // a file descriptor is small
	})
}
