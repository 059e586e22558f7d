package inbox

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

const (
	// forgetRows is how much is looked up and deleted at once: little enough to hold no lock for long.
	forgetRows = 1000
	// forgetTime is the time limit of a run; the next run continues.
	forgetTime = 5 * time.Second
)

// Sweep deletes expired rows. Only disk space depends on it: an answer is not replayed past its retention,
// swept or not.
func (b *Box) Sweep() sweep.Sweep {
	return sweep.Always("forget_answers", time.Minute, sweep.Item{Key: "answers", Do: func(ctx context.Context) error {
		_, err := b.Forget(ctx)
		return err
	}})
}

// Forget deletes expired rows, one seller at a time, and returns their number. Replicas may call it concurrently.
func (b *Box) Forget(ctx context.Context) (int, error) {
	answers, err := b.forget(ctx, "InboxOldAnswers", "InboxForgetAnswers", b.config.Retention)
	if err != nil || b.config.KeysKept == 0 {
		return answers, err
	}
	keys, err := b.forget(ctx, "InboxOldKeys", "InboxForgetKeys", max(b.config.KeysKept, b.config.Retention))
	return answers + keys, err
}

// forget deletes with one statement the rows that another one finds.
func (b *Box) forget(ctx context.Context, find, forget string, age time.Duration) (int, error) {
	total := 0
	for begun := time.Now(); time.Since(begun) < forgetTime; {
		found, err := b.beyond(ctx, find, age)
		if err != nil {
			return total, err
		}
		most := 0
		for seller, digests := range found {
			tag, err := postgres.OfSeller(b.pool, seller).Exec(ctx, queries.SQL(forget), seller, digests, age)
			if err != nil {
				return total, fmt.Errorf("delete old responses: %w", postgres.Classify(err))
			}
			most += len(digests)
			total += int(tag.RowsAffected())
		}
		if most < forgetRows {
			break
		}
	}
	return total, nil
}

// beyond returns the expired digests that a statement finds, by seller.
func (b *Box) beyond(ctx context.Context, find string, age time.Duration) (map[uuid.UUID][]int64, error) {
	rows, _ := postgres.AllSellers(b.pool).Query(ctx, queries.SQL(find), age, forgetRows)
	found := map[uuid.UUID][]int64{}
	var seller uuid.UUID
	var digest int64
	_, err := pgx.ForEachRow(rows, []any{&seller, &digest}, func() error {
		found[seller] = append(found[seller], digest)
		return nil
	})
	return found, postgres.Wrap("find old responses", postgres.Classify(err))
}

// Gauges returns the metrics of the stored rows.
func (b *Box) Gauges() []postgres.Gauge {
	return []postgres.Gauge{
		{Metric: telemetry.InboxRows, SQL: queries.SQL("InboxCount")},
		{Metric: telemetry.DeadlineOverdue, SQL: queries.SQL("InboxOverdue"), Args: []any{b.config.Retention}},
	}
}
