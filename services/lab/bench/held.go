package bench

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
	"sellerapi.dev/services/sandbox/market"
)

// heldLists are the lists of which a key can hold one call each.
var heldLists = []string{"orders", "claims", "qna"}

// held measures calls that wait for a change: their memory beyond that of an idle connection, and the part of one processor that
// the gateway and the services use for all of them while nothing changes. It holds them for less than the longest wait.
func (b *benchmark) held(ctx context.Context, s *system, w *world) error {
	links, waits, err := b.waiting(ctx, w)
	defer func() {
		for _, l := range slices.DeleteFunc(links, func(l *wire.Link) bool { return l == nil }) {
			_ = l.Close()
		}
	}()
	if err != nil {
		return err
	}
	if err := pause(ctx, b.Rest); err != nil {
		return err
	}
	gateway := s.pids()["gateway"]
	before, err := launch.Memory(gateway)
	if err != nil {
		return err
	}
	for i, l := range links {
		if _, err := l.Write(waits[i]); err != nil {
			return fmt.Errorf("hold a call: %w", err)
		}
	}
	if err := pause(ctx, settleHeld); err != nil {
		return err
	}
	after, err := launch.Memory(gateway)
	if err != nil {
		return err
	}
	used, err := b.usedBy(ctx, s)
	if err != nil {
		return err
	}
	calls := float64(len(links))
	b.report.Add(
		report.Bar{Name: "a held call, beyond its connection", Unit: "KiB", AtMost: 12}.Compare(float64(after-before)/calls/1024),
		report.Bar{Name: fmt.Sprintf("%d held calls, of one processor", len(links)), Unit: "%", AtMost: 5}.Compare(100*used))
	return nil
}

// settleHeld is how long the calls take until all are held, and watchHeld how long they are then watched; together they are less
// than the 25 seconds of the longest wait.
const settleHeld, watchHeld = 3 * time.Second, 5 * time.Second

// usedBy returns how many processors the services use.
func (b *benchmark) usedBy(ctx context.Context, s *system) (processors float64, err error) {
	spent := func() (total time.Duration, err error) {
		for _, pid := range s.pids() {
			used, err := launch.CPU(pid)
			if err != nil {
				return 0, err
			}
			total += used
		}
		return total, nil
	}
	before, err := spent()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := pause(ctx, watchHeld); err != nil {
		return 0, err
	}
	after, err := spent()
	return (after - before).Seconds() / time.Since(began).Seconds(), err
}

// waiting returns connections on each of which a call was made, and the call that waits on it: for each list of new sellers.
func (b *benchmark) waiting(ctx context.Context, w *world) (links []*wire.Link, waits [][]byte, err error) {
	sellers := make([]market.Seller, b.Held/len(heldLists))
	for n := range sellers {
		sellers[n] = market.Seller{ID: uuid.NewString(), Name: fmt.Sprintf("Held %d", n)}
	}
	if err := w.register(ctx, sellers); err != nil {
		return nil, nil, err
	}
	for _, one := range sellers {
		known, err := w.seller(ctx, one.ID)
		if err != nil {
			return nil, nil, err
		}
		for _, list := range heldLists {
			target := "/open/v1/" + list + "?after=beginning&limit=1"
			waits = append(waits, wire.Request{Method: http.MethodGet, Target: target + "&wait=25", Key: known.key}.Bytes())
		}
	}
	links = make([]*wire.Link, len(waits))
	group, calling := errgroup.WithContext(ctx)
	group.SetLimit(b.Concurrency)
	for i := range links {
		group.Go(func() (err error) {
			if links[i], err = wire.Dial(calling, w.env.GatewayURL); err != nil {
				return err
			}
			_, err = links[i].Do(wire.Get("/open/v1/orders?limit=1", w.largest.key))
			return err
		})
	}
	return links, waits, group.Wait()
}
