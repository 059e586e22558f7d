// Package held holds calls of clients that wait for the next change of their list.
//
// # How a call is held
//
// A call that found nothing after its position is held with the seller's clock as of then. Once a second the table asks each
// service one question, for the clocks of all sellers with held calls, and wakes the calls whose clock is another one now. The
// caller then forwards them again. Clocks are compared and not events, so nothing can be lost: what changes between the answer
// of the service and the next question has moved the clock.
//
// # What it costs
//
// A held call is an entry of the table and its own goroutine, which blocks. There is one goroutine per service that asks, and it
// asks nothing while no call of the service is held.
//
// # How a call ends
//
// Each outcome other than Moved leaves the position of the client as it is: the time is over, another call of the same key for
// the same list takes its place, the instance drains, or the client has gone. If the service cannot be asked, its calls stay held
// until their time is over, and the next question is asked a second later.
package held

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
)

// End says why a held call ended; it is a label of the metric.
type End string

// The ends of held calls.
const (
	// Moved means that the seller's clock has moved.
	Moved End = "moved"
	// Unchanged means that the time was over.
	Unchanged End = "unchanged"
	// Replaced means that another call of the key for the list took its place.
	Replaced End = "replaced"
	// Drained means that the instance is about to stop.
	Drained End = "drained"
	// Gone means that the client has disconnected.
	Gone End = "gone"
	// Full means that the call was not held, because as many as allowed are.
	Full End = "full"
)

func ends() []End { return []End{Moved, Unchanged, Replaced, Drained, Gone, Full} }

const (
	// interval is the time between two questions to a service.
	interval = time.Second
	// questionTimeout limits one question.
	questionTimeout = 3 * time.Second
)

// Clocks asks a service for the clocks of sellers. It returns them in the order of the sellers, in microseconds since 1970; 0 for
// a seller of which nothing has changed yet.
type Clocks func(ctx context.Context, sellers [][]byte) ([]int64, error)

// Key identifies what only one call is held for.
type Key struct {
	// KeyID is the API key of the client.
	KeyID uuid.UUID
	// List is the operation.
	List string
}

// Options configure a Table.
type Options struct {
	// Max is the largest number of calls that are held at a time.
	Max int
	// Clocks has the services whose lists can be waited for.
	Clocks    map[operation.Service]Clocks
	Telemetry *telemetry.Telemetry
}

// Table holds calls. It is safe for concurrent use.
type Table struct {
	max    int
	clocks map[operation.Service]Clocks
	tel    *telemetry.Telemetry
	gauge  prometheus.Gauge
	ends   *prometheus.CounterVec

	mu      sync.Mutex
	calls   map[Key]*call
	drained bool
}

type call struct {
	service operation.Service
	seller  uuid.UUID
	clock   int64
	// ended receives why the call ended, once at most; it is buffered.
	ended chan End
}

// New returns a table without calls.
func New(options Options) *Table {
	t := &Table{
		max: options.Max, clocks: options.Clocks, tel: options.Telemetry, calls: map[Key]*call{},
		gauge: options.Telemetry.Gauge(telemetry.HeldCalls).WithLabelValues(),
		ends:  options.Telemetry.Counter(telemetry.HeldCallEnds),
	}
	for _, end := range ends() {
		t.ends.WithLabelValues(string(end)) // so that every label is exported from the start
	}
	return t
}

// Hold holds a call until the seller's clock at the service differs from the given one, or at most for the given time, and
// returns why it ended. It returns at once if the service is not among those of the options, which counts as Full.
func (t *Table) Hold(
	ctx context.Context, service operation.Service, seller uuid.UUID, key Key, clock int64, most time.Duration,
) End {
	own := &call{service: service, seller: seller, clock: clock, ended: make(chan End, 1)}
	end := t.enter(key, own)
	if end == "" {
		timer := time.NewTimer(most)
		defer timer.Stop()
		select {
		case end = <-own.ended:
		case <-timer.C:
			end = Unchanged
		case <-ctx.Done():
			end = Gone
		}
		t.leave(key, own)
	}
	t.ends.WithLabelValues(string(end)).Inc()
	return end
}

// enter adds a call, in the place of another one with its key. It returns why that is impossible, else nothing.
func (t *Table) enter(key Key, own *call) End {
	t.mu.Lock()
	defer t.mu.Unlock()
	other, replaces := t.calls[key]
	switch {
	case t.drained:
		return Drained
	case t.clocks[own.service] == nil, !replaces && len(t.calls) >= t.max:
		return Full
	case replaces:
		other.end(Replaced)
	}
	t.calls[key] = own
	t.gauge.Set(float64(len(t.calls)))
	return ""
}

func (t *Table) leave(key Key, own *call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls[key] == own {
		delete(t.calls, key)
		t.gauge.Set(float64(len(t.calls)))
	}
}

// end ends a call unless something else has.
func (c *call) end(why End) {
	select {
	case c.ended <- why:
	default:
	}
}

// Drain ends all calls, and every later one at once.
func (t *Table) Drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained = true
	for _, held := range t.calls {
		held.end(Drained)
	}
}

// Keep asks the services until the context ends.
func (t *Table) Keep(ctx context.Context) {
	var services sync.WaitGroup
	defer services.Wait()
	for service, clocks := range t.clocks {
		services.Go(func() { t.watch(ctx, service, clocks) })
	}
}

func (t *Table) watch(ctx context.Context, service operation.Service, clocks Clocks) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := t.ask(ctx, service, clocks); err != nil && ctx.Err() == nil {
			t.tel.Logger.WarnContext(ctx, "clocks not known, held calls stay held", "service", string(service), "error", err)
		}
	}
}

// ask asks the service once and wakes the calls whose clock has moved.
func (t *Table) ask(ctx context.Context, service operation.Service, clocks Clocks) error {
	sellers := t.sellers(service)
	if len(sellers) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	micros, err := clocks(ctx, sellers)
	if err != nil {
		return err
	}
	known := make(map[uuid.UUID]int64, len(sellers))
	for n, seller := range sellers[:min(len(sellers), len(micros))] {
		known[uuid.UUID(seller)] = micros[n]
	}
	t.wake(service, known)
	return nil
}

// sellers returns the ids of the sellers with held calls of a service, each once.
func (t *Table) sellers(service operation.Service) [][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := map[uuid.UUID]bool{}
	var ids [][]byte
	for _, held := range t.calls {
		if held.service == service && !seen[held.seller] {
			seen[held.seller] = true
			ids = append(ids, held.seller[:])
		}
	}
	return ids
}

// wake ends the calls whose clock differs. A clock that went back, after a failover that lost changes, is one that the client has
// to hear of too.
func (t *Table) wake(service operation.Service, clocks map[uuid.UUID]int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, held := range t.calls {
		if clock, known := clocks[held.seller]; known && held.service == service && clock != held.clock {
			held.end(Moved)
		}
	}
}
