package postgres

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/telemetry"
)

const (
	// waitsShown is how many sellers have a series at a time.
	waitsShown = 5
	// waitsWindow is the shortest window; windows end at a scrape, and the averages cover the previous and the current one.
	waitsWindow = 15 * time.Second
	// waitsKept is how long waits are collected without a scrape, so that an instance that no one scrapes does not collect sellers.
	waitsKept = 5 * time.Minute
)

// clockWaits measures how long changes wait for the clocks of their sellers. The wait is the duration of the statement, or
// batch, that ticks: nothing else in it can block, because whatever the transaction changes is locked before. It is measured
// here and not in the database, so it costs nothing there and includes one round trip.
type clockWaits struct {
	mu             sync.Mutex
	current, prior map[uuid.UUID]waited
	// began and before are the starts of the current window and of the one before it.
	began, before time.Time
}

type waited struct {
	total   time.Duration
	changes int
}

func (w waited) plus(other waited) waited {
	return waited{total: w.total + other.total, changes: w.changes + other.changes}
}

func newClockWaits(now time.Time) *clockWaits {
	return &clockWaits{current: map[uuid.UUID]waited{}, prior: map[uuid.UUID]waited{}, began: now, before: now}
}

// SendTick sends a batch with a statement that advances the clocks of the sellers as TickSellers does, and reads its results.
// Nothing else in the batch may wait for a lock. The times are those that the batch's own functions have read by then; they are
// not needed for a single seller.
func SendTick(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, sellers []uuid.UUID, times map[uuid.UUID]time.Time) error {
	began := time.Now()
	err := tx.SendBatch(ctx, batch).Close()
	ticked(tx, time.Since(began), sellers, times)
	return err
}

func ticked(tx pgx.Tx, duration time.Duration, sellers []uuid.UUID, times map[uuid.UUID]time.Time) {
	if scoped, ok := tx.(*scopedTx); ok && scoped.waits != nil {
		scoped.waits.add(time.Now(), split(duration, sellers, times))
	}
}

// split divides the duration of a tick by seller. The clocks are locked in the order of the sellers, and each time is read just
// before its clock is locked, so the wait for one ends when the time of the next is read. Without the times, because the tick
// failed, all sellers get the same share. A distributed database reads all times first; there the last of several sellers gets
// the whole wait.
func split(duration time.Duration, sellers []uuid.UUID, times map[uuid.UUID]time.Time) iter.Seq2[uuid.UUID, time.Duration] {
	return func(yield func(uuid.UUID, time.Duration) bool) {
		if len(sellers) > 1 {
			sellers = slices.Compact(slices.SortedFunc(slices.Values(sellers), compareIDs))
		}
		rest := duration
		for n, seller := range sellers {
			share := rest
			switch {
			case len(times) == 0:
				share = duration / time.Duration(len(sellers))
			case n < len(sellers)-1:
				share = min(rest, max(0, times[sellers[n+1]].Sub(times[seller])))
			}
			if rest -= share; !yield(seller, share) {
				return
			}
		}
	}
}

// compareIDs compares ids as the database does.
func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

func (w *clockWaits) add(now time.Time, waits iter.Seq2[uuid.UUID, time.Duration]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Sub(w.began) > waitsKept {
		w.current, w.prior, w.began, w.before = map[uuid.UUID]waited{}, map[uuid.UUID]waited{}, now, now
	}
	for seller, wait := range waits {
		w.current[seller] = w.current[seller].plus(waited{total: wait, changes: 1})
	}
}

// read returns the waits of all sellers with changes in either window, and the length of both together.
func (w *clockWaits) read(now time.Time) (map[uuid.UUID]waited, time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := maps.Clone(w.prior)
	for seller, wait := range w.current {
		all[seller] = all[seller].plus(wait)
	}
	length := now.Sub(w.before)
	if now.Sub(w.began) >= waitsWindow {
		w.prior, w.current = w.current, map[uuid.UUID]waited{}
		w.before, w.began = w.began, now
	}
	return all, length
}

// emit emits the sellers whose changes waited longest.
func (w *clockWaits) emit(emit telemetry.Emit) {
	all, length := w.read(time.Now())
	sellers := slices.SortedFunc(maps.Keys(all), func(a, b uuid.UUID) int {
		return cmp.Or(cmp.Compare(all[b].total, all[a].total), compareIDs(a, b))
	})
	for _, seller := range sellers[:min(waitsShown, len(sellers))] {
		wait := all[seller]
		emit(telemetry.SellerClockWaiting, wait.total.Seconds()/length.Seconds(), seller.String())
		emit(telemetry.SellerClockWait, wait.total.Seconds()/float64(wait.changes), seller.String())
	}
}
