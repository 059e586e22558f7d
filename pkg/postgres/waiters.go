package postgres

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/telemetry"
)

// ClockWaiters knows which sellers' clocks are waited for; see TickSellers. A seller has few writers at a time, so one that many wait
// for has a program that calls faster than its changes can be made one after the other.
type ClockWaiters struct {
	mu      sync.Mutex
	waiting map[string]float64
}

// NewClockWaiters returns one that shows at every scrape what the last look has found.
func NewClockWaiters(tel *telemetry.Telemetry) (*ClockWaiters, error) {
	w := &ClockWaiters{}
	return w, tel.Observe(w.emit, telemetry.SellerClockWaiters)
}

func (w *ClockWaiters) emit(emit telemetry.Emit) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for seller, waiting := range w.waiting {
		emit(telemetry.SellerClockWaiters, waiting, seller)
	}
}

// Look brings the metric up to date; db has to see the rows of all sellers. A seller that nobody waits for any more is not shown.
func (w *ClockWaiters) Look(ctx context.Context, db Querier) error {
	rows, err := db.Query(ctx, own.SQL("SellerClockWaiters"))
	if err != nil {
		return Classify(fmt.Errorf("look who waits for the clocks of sellers: %w", err))
	}
	found := map[string]float64{}
	var seller string
	var waiting float64
	_, err = pgx.ForEachRow(rows, []any{&seller, &waiting}, func() error {
		found[seller] = waiting
		return nil
	})
	if err != nil {
		return Classify(fmt.Errorf("look who waits for the clocks of sellers: %w", err))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = found
	return nil
}
