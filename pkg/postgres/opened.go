package postgres

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/telemetry"
)

const (
	// openedShown is how many sellers have a series at a time.
	openedShown = 5
	// openedWindow is the length of a counting window; the mean covers the previous and the current window.
	openedWindow = 15 * time.Second
)

// opened measures the average number of concurrent write transactions of each seller. Changes of a seller are serialized from the tick
// of its clock to the commit, so many concurrent transactions of a seller wait for each other; see TickSellers.
type opened struct {
	mu       sync.Mutex
	bySeller map[string]*openOf
	// began and before are the starts of the current window and of the one before it.
	began, before time.Time
}

// openOf has the open transactions of a seller and their total open time in both windows.
type openOf struct {
	now            int
	changed        time.Time
	current, prior time.Duration
}

// until adds the open time up to a moment.
func (o *openOf) until(at time.Time) {
	o.current += time.Duration(o.now) * at.Sub(o.changed)
	o.changed = at
}

func newOpened(now time.Time) *opened {
	return &opened{bySeller: map[string]*openOf{}, began: now, before: now}
}

// begin counts a transaction until ended is called. Read-only transactions and those without a single seller are not counted.
func (o *opened) begin(options pgx.TxOptions, seller string) (ended func()) {
	if o == nil || options.AccessMode == pgx.ReadOnly || seller == everySeller {
		return func() {}
	}
	o.add(seller, 1, time.Now())
	return func() { o.add(seller, -1, time.Now()) }
}

func (o *opened) add(seller string, more int, at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	of, known := o.bySeller[seller]
	if !known {
		of = &openOf{changed: at}
		o.bySeller[seller] = of
	}
	of.until(at)
	of.now += more
}

// means returns the averages of the sellers with a transaction in either window.
func (o *opened) means(now time.Time) map[string]float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	turn := now.Sub(o.began) >= openedWindow
	all := make(map[string]float64, len(o.bySeller))
	for seller, of := range o.bySeller {
		of.until(now)
		if open := of.prior + of.current; open > 0 {
			all[seller] = open.Seconds() / now.Sub(o.before).Seconds()
		}
		if turn {
			of.prior, of.current = of.current, 0
		}
		if of.now == 0 && of.prior == 0 && of.current == 0 {
			delete(o.bySeller, seller)
		}
	}
	if turn {
		o.before, o.began = o.began, now
	}
	return all
}

// emit emits the sellers with the highest averages.
func (o *opened) emit(emit telemetry.Emit) {
	means := o.means(time.Now())
	sellers := slices.SortedFunc(maps.Keys(means), func(a, b string) int {
		return cmp.Or(cmp.Compare(means[b], means[a]), cmp.Compare(a, b))
	})
	for _, seller := range sellers[:min(openedShown, len(sellers))] {
		emit(telemetry.SellerTransactions, means[seller], seller)
	}
}
