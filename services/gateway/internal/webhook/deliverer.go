package webhook

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/telemetry"
)

const (
	// interval is how often clocks are compared.
	interval = time.Second
	// gather is how long after a change a delivery waits for further ones, and the least time between two deliveries.
	gather = 2 * time.Second
	// portion is how many addresses are looked at with one question to each service.
	portion = 10_000
	// workers is how many deliveries are under way at most to addresses whose last delivery succeeded, and failingWorkers to others,
	// and to those that took as long as slowAfter within the time slowFor: one that is slow now and then is no better.
	workers, failingWorkers = 128, 32
	slowAfter, slowFor      = time.Second, time.Hour
	// The time to the next attempt doubles from firstBackOff to maxBackOff. After patience the address is paused.
	firstBackOff, maxBackOff, patience = 5 * time.Second, time.Hour, 24 * time.Hour
)

// Outcomes of deliveries in metrics.
const (
	delivered   = "delivered"
	refusedHook = "refused"
	unreachable = "unreachable"
)

// BackOff says when a delivery that failed is repeated.
type BackOff struct {
	First, Max, Patience time.Duration
	// Jitter is a factor between 0.5 and 1.
	Jitter float64
}

// After returns the pause after a failure that follows so many others in a row: each doubles it.
func (b BackOff) After(failures int) time.Duration {
	pause := min(b.Max, b.First<<min(failures, maxDoublings))
	return time.Duration(float64(pause) * b.Jitter)
}

// maxDoublings keeps a pause from overflowing: 5 seconds become 60 days.
const maxDoublings = 20

// Queue has the addresses and what was delivered to them.
type Queue interface {
	// DueWebhooks returns addresses of all sellers that are due, with ids after the given one.
	DueWebhooks(ctx context.Context, after uuid.UUID, limit int) ([]Due, error)
	// ClaimWebhook claims an address; ok is false if it is claimed or not due any more.
	ClaimWebhook(ctx context.Context, due Due, lasts time.Duration) (claimed Claimed, ok bool, err error)
	// ReleaseWebhook ends a claim without a delivery.
	ReleaseWebhook(ctx context.Context, claimed Claimed) error
	// SettleWebhook records a delivery that succeeded; there is none before a pause.
	SettleWebhook(ctx context.Context, claimed Claimed, delivery Delivery, now Clocks, pause time.Duration) error
	// PostponeWebhook records a delivery that failed, and reports whether the address is paused because of it.
	PostponeWebhook(ctx context.Context, claimed Claimed, delivery Delivery, pause BackOff) (failed bool, err error)
}

// Deliverer makes the deliveries of one gateway.
type Deliverer struct {
	queue    Queue
	vault    Vault
	listener *listener
	sender   *Sender
	tel      *telemetry.Telemetry

	// noticed is when an address was first seen behind. Only Look uses it, with mu for metrics.
	mu      sync.Mutex
	noticed map[uuid.UUID]time.Time
	// slow is when a delivery of this gateway to an address was slow. mu guards it.
	slow      map[uuid.UUID]time.Time
	slowAfter time.Duration

	healthy, failing chan struct{}
	running          sync.WaitGroup
}

// NewDeliverer returns a deliverer; Keep runs it.
func NewDeliverer(queue Queue, vault Vault, services Services, sender *Sender, tel *telemetry.Telemetry) *Deliverer {
	for _, outcome := range []string{delivered, refusedHook, unreachable} {
		tel.Counter(telemetry.WebhookDeliveries).WithLabelValues(outcome)
	}
	return &Deliverer{
		queue: queue, vault: vault, listener: newListener(services), sender: sender, tel: tel,
		noticed: map[uuid.UUID]time.Time{}, slow: map[uuid.UUID]time.Time{}, slowAfter: slowAfter,
		healthy: make(chan struct{}, workers), failing: make(chan struct{}, failingWorkers),
	}
}

// Observe reports the age of the oldest change that no delivery has begun for.
func (d *Deliverer) Observe() error {
	return d.tel.Observe(func(emit telemetry.Emit) {
		now := time.Now()
		oldest := now
		d.mu.Lock()
		for _, at := range d.noticed {
			if at.Before(oldest) {
				oldest = at
			}
		}
		d.mu.Unlock()
		emit(telemetry.WebhookOldest, now.Sub(oldest).Seconds())
	}, telemetry.WebhookOldest)
}

// Keep compares clocks every second until ctx ends, and returns when the deliveries have ended.
func (d *Deliverer) Keep(ctx context.Context) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	defer d.running.Wait()
	for {
		if err := d.Look(ctx, time.Now()); err != nil && ctx.Err() == nil {
			d.tel.Logger.LogAttrs(ctx, slog.LevelWarn, "webhooks could not be compared with clocks", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Wait waits for the deliveries that are under way.
func (d *Deliverer) Wait() { d.running.Wait() }

// Look compares all due addresses with the clocks once, and starts deliveries to those that have been behind for long enough. A
// service that does not respond is as if nothing moved in it, and is waited for once.
func (d *Deliverer) Look(ctx context.Context, now time.Time) error {
	behind := map[uuid.UUID]time.Time{}
	var problems []error
	after := uuid.Nil
	for n := 0; ; n++ {
		due, err := d.queue.DueWebhooks(ctx, after, portion)
		if err != nil {
			return errors.Join(append(problems, err)...)
		}
		clocks, err := d.listener.ask(ctx, n, sellersOf(due))
		if err != nil {
			problems = append(problems, err)
		}
		rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
		for _, one := range due {
			after = later(after, one.ID)
			if seen, waits := d.consider(ctx, one, clocks[one.SellerID], now); waits {
				behind[one.ID] = seen
			}
		}
		if len(due) < portion {
			break
		}
	}
	d.mu.Lock()
	d.noticed = behind
	maps.DeleteFunc(d.slow, func(_ uuid.UUID, at time.Time) bool { return now.Sub(at) > slowFor })
	d.mu.Unlock()
	return errors.Join(problems...)
}

// consider starts a delivery if it is time to. waits reports whether there will be one, seen when the address was noticed.
func (d *Deliverer) consider(ctx context.Context, due Due, clocks Clocks, now time.Time) (seen time.Time, waits bool) {
	if !clocks.Since(due.Delivered).Any() {
		return seen, false
	}
	seen, known := d.noticed[due.ID]
	if !known {
		seen = now
	}
	if now.Sub(seen) < gather {
		return seen, true
	}
	return seen, !d.start(ctx, due, clocks)
}

// start delivers in the background if a worker is free.
func (d *Deliverer) start(ctx context.Context, due Due, clocks Clocks) bool {
	lane := d.healthy
	if due.Failing || d.isSlow(due.ID) {
		lane = d.failing
	}
	select {
	case lane <- struct{}{}:
	default:
		return false
	}
	d.running.Go(func() {
		defer func() { <-lane }()
		if err := d.deliver(ctx, due, clocks); err != nil && ctx.Err() == nil {
			d.tel.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook was not delivered", slog.Any("error", err),
				slog.String("webhook_id", due.ID.String()), slog.String("seller_id", due.SellerID.String()))
		}
	})
	return true
}

func (d *Deliverer) isSlow(id uuid.UUID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, slow := d.slow[id]
	return slow
}

// noteSlow remembers an address if a delivery to it was slow, whether it succeeded or not.
func (d *Deliverer) noteSlow(id uuid.UUID, took time.Duration) {
	if took < d.slowAfter {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.slow[id] = time.Now()
}

// deliver claims an address, delivers to it, and records what became of it. What is not recorded is delivered again.
func (d *Deliverer) deliver(ctx context.Context, due Due, clocks Clocks) error {
	claimed, ok, err := d.queue.ClaimWebhook(ctx, due, claimTime)
	if err != nil || !ok {
		return err
	}
	settled := context.WithoutCancel(ctx)
	moved := clocks.Since(claimed.Delivered)
	if !moved.Any() { // another gateway has delivered it meanwhile
		return d.queue.ReleaseWebhook(settled, claimed)
	}
	secrets, err := open(d.vault, claimed.Webhook)
	if err != nil {
		return err
	}
	delivery, err := d.sender.send(ctx, claimed.URL, secrets, ListsMoved, moved)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, d.queue.ReleaseWebhook(settled, claimed))
	}
	d.tel.Counter(telemetry.WebhookDeliveries).WithLabelValues(outcome(delivery)).Inc()
	d.noteSlow(claimed.ID, delivery.Took)
	if delivery.Succeeded() {
		return d.queue.SettleWebhook(settled, claimed, delivery, clocks.later(claimed.Delivered), gather)
	}
	backOff := BackOff{First: firstBackOff, Max: maxBackOff, Patience: patience, Jitter: (1 + rand.Float64()) / 2}
	failed, err := d.queue.PostponeWebhook(settled, claimed, delivery, backOff)
	if failed {
		d.tel.Logger.LogAttrs(ctx, slog.LevelWarn, "webhook is paused, because its deliveries failed for a day",
			slog.String("webhook_id", due.ID.String()), slog.String("seller_id", due.SellerID.String()))
	}
	return err
}

func outcome(delivery Delivery) string {
	switch {
	case delivery.Succeeded():
		return delivered
	case delivery.Status != 0:
		return refusedHook
	default:
		return unreachable
	}
}

// sellersOf returns each seller once.
func sellersOf(due []Due) []uuid.UUID {
	known := make(map[uuid.UUID]bool, len(due))
	var sellers []uuid.UUID
	for _, one := range due {
		if !known[one.SellerID] {
			known[one.SellerID] = true
			sellers = append(sellers, one.SellerID)
		}
	}
	return sellers
}

// later returns the greater id.
func later(a, b uuid.UUID) uuid.UUID {
	if string(b[:]) > string(a[:]) {
		return b
	}
	return a
}
