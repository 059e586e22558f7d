// A batch of shipments is 1.49 times as fast as with the clock ticked for each, on a server that forces its writes to disk, and takes
// 0.80 of the CPU time of the service: BenchmarkShipBatch/clock.

package store

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// instantLife is how long a time is shared. It is what an updated_at may lie before its commit, beside what a commit takes.
const instantLife = 50 * time.Millisecond

// Instant is a time of a seller's clock that several transactions may give to the orders they change.
//
// The transaction that ticks the clock holds it until its commit is on disk, so that the order of times is the order of commits, and
// changes of one seller are on disk one after the other. But nobody needs to be ordered among changes that have the same
// time: who has seen that time and asks for what changed since gets all of them. So the clock is ticked once, and each
// transaction holds it shared: it cannot go on before all of them have committed, and their commits reach the disk together.
//
// The zero value is ready for use. It is for one seller, and safe for concurrent use.
type Instant struct {
	mu    sync.Mutex
	at    time.Time
	taken time.Time
}

// of returns the instant, and ticks the clock when it is too old.
func (i *Instant) of(ctx context.Context, db postgres.Beginner, seller uuid.UUID) (time.Time, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if time.Since(i.taken) < instantLife {
		return i.at, nil
	}
	err := postgres.InTx(ctx, db, func(ctx context.Context, tx pgx.Tx) error {
		times, err := postgres.TickSellers(ctx, tx, []uuid.UUID{seller})
		i.at = times[seller]
		return err
	})
	if err == nil {
		i.taken = time.Now()
	}
	return i.at, err
}

// happenAt makes the instant the time of what is decided about an order of one seller. It is false, and nothing is changed, when
// that is not after everything that happened to the order.
func happenAt(o *order.Locked, at time.Time) bool {
	if !at.After(o.Sellers[0].UpdatedAt) {
		return false
	}
	o.Now = at
	return true
}
