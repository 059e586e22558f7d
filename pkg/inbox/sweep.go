package inbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

const (
	// forgetRows is how much one transaction deletes: little enough to hold no lock for long.
	forgetRows = 1000
	// forgetTime is when a run leaves the rest to the next one.
	forgetTime = 5 * time.Second
)

// Sweep is what keeps the tables small. Nothing depends on it but disk space: an answer is not replayed past its retention,
// swept or not.
func (b *Box) Sweep() sweep.Sweep {
	forget := sweep.Item{Key: "answers", Do: func(ctx context.Context) error {
		_, err := b.Forget(ctx)
		return err
	}}
	return sweep.Sweep{
		Name: "forget_answers", Interval: time.Minute,
		Find: func(context.Context, int) ([]sweep.Item, error) { return []sweep.Item{forget}, nil },
	}
}

// Forget deletes what is beyond its retention, in small transactions, and returns how many rows. Several replicas may do it
// at once.
func (b *Box) Forget(ctx context.Context) (int, error) {
	answers, err := b.forget(ctx, "InboxForgetAnswers", b.config.Retention)
	if err != nil || b.config.KeyRetention == 0 {
		return answers, err
	}
	keys, err := b.forget(ctx, "InboxForgetKeys", max(b.config.KeyRetention, b.config.Retention))
	return answers + keys, err
}

func (b *Box) forget(ctx context.Context, query string, age time.Duration) (int, error) {
	total, deleted := 0, forgetRows
	for begun := time.Now(); deleted == forgetRows && time.Since(begun) < forgetTime; total += deleted {
		err := postgres.InTx(ctx, postgres.AllSellers(b.pool), func(ctx context.Context, tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, queries.SQL(query), age, forgetRows)
			deleted = int(tag.RowsAffected())
			return err
		})
		if err != nil {
			return total, fmt.Errorf("forget old answers: %w", err)
		}
	}
	return total, nil
}

// Gauges are the metrics of what is kept.
func (b *Box) Gauges() []postgres.Gauge {
	return []postgres.Gauge{
		{Metric: telemetry.InboxRows, SQL: queries.SQL("InboxCount")},
		{Metric: telemetry.DeadlineOverdue, SQL: queries.SQL("InboxOverdue"), Args: []any{b.config.Retention}},
	}
}
