package bench

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
)

// FootprintReport is what idle services use.
type FootprintReport struct {
	Services map[string]ServiceFootprint `json:"services"`
	// Connections is how many idle connections were added, and Added the memory that all services together used for them.
	Connections int     `json:"connections"`
	Added       float64 `json:"added_mib"`
}

// ServiceFootprint is the footprint of one service: its resident memory, and the time from its start until it is ready.
type ServiceFootprint struct {
	Idle       float64 `json:"idle_mib"`
	ReadyAfter float64 `json:"ready_us"`
}

func (f FootprintReport) total() (mebi float64) {
	for _, one := range f.Services {
		mebi += one.Idle
	}
	return mebi
}

// partFootprint measures a system without data.
func (b *benchmark) partFootprint(ctx context.Context) (err error) {
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
	report := &FootprintReport{Services: map[string]ServiceFootprint{}, Connections: b.Connections}
	for name, pid := range s.pids() {
		bytes, err := launch.Memory(pid)
		if err != nil {
			return err
		}
		report.Services[name] = ServiceFootprint{mebibytes(bytes), micros(s.readyAfter[name])}
	}
	if report.Added, err = b.addedBy(ctx, s, w); err != nil {
		return err
	}
	b.report.Footprint = report
	return b.printFootprint(report)
}

// addedBy returns how much more memory all services use while the gateway has idle connections, each of which has made one call.
func (b *benchmark) addedBy(ctx context.Context, s *system, w *world) (mebi float64, err error) {
	before, err := s.memory()
	if err != nil {
		return 0, err
	}
	links := make([]*link, b.Connections)
	defer func() {
		for _, l := range links {
			if l != nil {
				_ = l.Close()
			}
		}
	}()
	request := get("/open/v1/orders?limit=1", w.largest.key)
	group, calling := errgroup.WithContext(ctx)
	group.SetLimit(b.Concurrency)
	for i := range links {
		group.Go(func() (err error) {
			if links[i], err = dial(calling, w.env.GatewayURL); err != nil {
				return err
			}
			return links[i].do(request)
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	if err := pause(ctx, b.Rest); err != nil {
		return 0, err
	}
	after, err := s.memory()
	return after - before, err
}

func (s *system) memory() (mebi float64, err error) {
	for _, pid := range s.pids() {
		bytes, err := launch.Memory(pid)
		if err != nil {
			return 0, err
		}
		mebi += mebibytes(bytes)
	}
	return mebi, nil
}

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func (b *benchmark) printFootprint(f *FootprintReport) error {
	rows := make([][]string, 0, len(services)+1)
	for _, name := range services {
		one := f.Services[name]
		rows = append(rows, []string{name, fmt.Sprintf("%.1f MiB", one.Idle), milliseconds(one.ReadyAfter)})
	}
	rows = append(rows, []string{"all", fmt.Sprintf("%.1f MiB", f.total())},
		[]string{fmt.Sprintf("%d idle connections", f.Connections), fmt.Sprintf("+%.1f MiB", f.Added)})
	return table(b.Out, "service\tmemory, idle\tstart to ready", rows)
}
