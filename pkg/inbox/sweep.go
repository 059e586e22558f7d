package inbox

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

const forgetInterval = time.Minute

// Sweeps delete expired rows, those of a seller that were found together in one transaction. Only disk space depends on them:
// an answer is not replayed past its retention, swept or not.
func (b *Box) Sweeps() []sweep.Sweep {
	sweeps := []sweep.Sweep{b.forget("forget_answers", "InboxOldAnswers", "InboxForgetAnswers", b.config.Retention)}
	if b.config.KeysKept > 0 {
		sweeps = append(sweeps, b.forget("forget_keys", "InboxOldKeys", "InboxForgetKeys", max(b.config.KeysKept, b.config.Retention)))
	}
	return sweeps
}

// forget returns the sweep that deletes with one statement the rows that another one finds.
func (b *Box) forget(name, find, forget string, age time.Duration) sweep.Sweep {
	return sweep.Sweep{Name: name, Interval: forgetInterval, Find: func(ctx context.Context, limit int) ([]sweep.Item, error) {
		found, err := b.beyond(ctx, find, age, limit)
		items := make([]sweep.Item, 0, len(found))
		for seller, digests := range found {
			items = append(items, sweep.Item{Key: seller.String(), Rows: len(digests), Do: func(ctx context.Context) error {
				_, err := postgres.OfSeller(b.pool, seller).Exec(ctx, queries.SQL(forget), seller, digests, age)
				return postgres.Wrap("delete old responses", postgres.Classify(err))
			}})
		}
		return items, err
	}}
}

// beyond returns at most limit expired digests that a statement finds, by seller.
func (b *Box) beyond(ctx context.Context, find string, age time.Duration, limit int) (map[uuid.UUID][]int64, error) {
	rows, _ := postgres.AllSellers(b.pool).Query(ctx, queries.SQL(find), age, limit)
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
