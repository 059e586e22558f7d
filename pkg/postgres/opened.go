package postgres

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/telemetry"
)

// openedShown is how many sellers have a metric at a time.
const openedShown = 5

// opened counts the writing transactions of sellers that are open. Changes of a seller are made one after the other, from the tick of
// its clock to the commit, so a seller with many of them at once is one whose changes wait for each other; see TickSellers.
type opened struct {
	mu       sync.Mutex
	bySeller map[string]int
}

// begin counts a transaction until ended is called. Those that only read, and those of no single seller, are not counted.
func (o *opened) begin(options pgx.TxOptions, seller string) (ended func()) {
	if o == nil || options.AccessMode == pgx.ReadOnly || seller == everybody {
		return func() {}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bySeller[seller]++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.bySeller[seller]--; o.bySeller[seller] == 0 {
			delete(o.bySeller, seller)
		}
	}
}

// emit reports the sellers with the most.
func (o *opened) emit(emit telemetry.Emit) {
	o.mu.Lock()
	counts := maps.Clone(o.bySeller)
	o.mu.Unlock()
	sellers := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, seller := range sellers[:min(openedShown, len(sellers))] {
		emit(telemetry.SellerTransactions, float64(counts[seller]), seller)
	}
}
