package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/lab/child"
	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
)

// partFootprint measures a system without data: its memory at rest and with idle connections, and the time from the start of a
// service until it is ready, of the time that a bare HTTP server needs.
func (b *benchmark) partFootprint(ctx context.Context) (err error) {
	bare, err := bareStart(ctx)
	if err != nil {
		return err
	}
	s, err := b.newSystem(ctx, b.tree, "idle", services)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	sellers, err := dominated(1)
	if err != nil {
		return err
	}
	w, err := newWorld(ctx, b, s, goods{sellers: sellers})
	if err != nil {
		return err
	}
	if err := pause(ctx, b.Rest); err != nil {
		return err
	}
	var rows [][]string
	total := 0.0
	for _, name := range services {
		bytes, err := launch.Memory(s.pids()[name])
		if err != nil {
			return err
		}
		total += mebibytes(bytes)
		rows = append(rows, []string{
			name, fmt.Sprintf("%.1f MiB", mebibytes(bytes)), milliseconds(micros(s.readyAfter[name])),
			times(float64(s.readyAfter[name]) / float64(bare)),
		})
	}
	added, err := b.addedBy(ctx, s, w, total)
	if err != nil {
		return err
	}
	if err := b.held(ctx, s, w); err != nil {
		return err
	}
	b.report.Yardstick("start to ready of a bare HTTP server", micros(bare)/1000, "ms")
	b.report.Add(report.Bar{Name: "four services, idle", Unit: "MiB", AtMost: 120}.Compare(total))
	return b.report.Table("footprint", []string{"service", "memory, idle", "start to ready", "of a bare HTTP server"}, append(rows,
		[]string{fmt.Sprintf("%d idle connections", b.Connections), fmt.Sprintf("+%.1f MiB", added)}))
}

// bareStart returns the median time from the start of a process until it serves HTTP.
func bareStart(ctx context.Context) (time.Duration, error) {
	took := make([]time.Duration, 5)
	for n := range took {
		began, address := time.Now(), ""
		bare, err := child.Run(ctx, &address, ChildCommand, bareChild, "127.0.0.1:1")
		if err != nil {
			return 0, err
		}
		took[n] = time.Since(began)
		if err := bare.Stop(); err != nil {
			return 0, err
		}
	}
	return middle(slices.Sorted(slices.Values(took))), nil
}

// addedBy returns how much more memory than before all services use while the gateway has idle connections, each of which has
// made one call.
func (b *benchmark) addedBy(ctx context.Context, s *system, w *world, before float64) (mebi float64, err error) {
	links := make([]*wire.Link, b.Connections)
	defer func() {
		for _, l := range links {
			if l != nil {
				_ = l.Close()
			}
		}
	}()
	request := wire.Get("/open/v1/orders?limit=1", w.largest.key)
	group, calling := errgroup.WithContext(ctx)
	group.SetLimit(b.Concurrency)
	for i := range links {
		group.Go(func() (err error) {
			if links[i], err = wire.Dial(calling, w.env.GatewayURL); err != nil {
				return err
			}
			return links[i].OK(request)
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	if err := pause(ctx, b.Rest); err != nil {
		return 0, err
	}
	for _, pid := range s.pids() {
		bytes, err := launch.Memory(pid)
		if err != nil {
			return 0, err
		}
		mebi += mebibytes(bytes)
	}
	return mebi - before, nil
}

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }
