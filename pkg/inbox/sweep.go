package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
)

const (
	// sweepRows is how much one transaction deletes: little enough to hold no lock for long.
	sweepRows = 1000
	// sweepPause is the time between two sweeps.
	sweepPause = time.Minute
)

// Sweep deletes what is beyond its retention, in small transactions, and returns how many rows. Several replicas may do
// it at once. Nothing depends on it but disk space: an answer is not replayed past its retention, swept or not.
func (b *Box) Sweep(ctx context.Context) (int, error) {
	answers, err := b.forget(ctx, "InboxForgetAnswers", b.config.Retention)
	if err != nil || b.config.KeyRetention == 0 {
		return answers, err
	}
	keys, err := b.forget(ctx, "InboxForgetKeys", max(b.config.KeyRetention, b.config.Retention))
	return answers + keys, err
}

func (b *Box) forget(ctx context.Context, query string, age time.Duration) (int, error) {
	total := 0
	for {
		deleted := 0
		err := postgres.InTx(ctx, b.db, func(ctx context.Context, tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, queries.SQL(query), age, sweepRows)
			deleted = int(tag.RowsAffected())
			return err
		})
		if err != nil {
			return total, fmt.Errorf("forget old answers: %w", err)
		}
		total += deleted
		if deleted < sweepRows {
			return total, nil
		}
	}
}

// KeepSwept sweeps every minute until the context ends, and reports how much is kept. What fails is logged and tried again.
func (b *Box) KeepSwept(ctx context.Context, tel *telemetry.Telemetry) {
	ticker := time.NewTicker(sweepPause)
	defer ticker.Stop()
	for {
		if err := b.Report(ctx, tel); err != nil && ctx.Err() == nil {
			tel.Logger.WarnContext(ctx, "stored answers not counted", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if deleted, err := b.Sweep(ctx); err != nil && ctx.Err() == nil {
			tel.Logger.WarnContext(ctx, "sweep of stored answers failed", "error", err)
		} else if deleted > 0 {
			tel.Logger.InfoContext(ctx, "swept stored answers", "rows", deleted)
		}
	}
}

// Report brings the metrics of what is kept up to date.
func (b *Box) Report(ctx context.Context, tel *telemetry.Telemetry) error {
	return errors.Join(
		postgres.SetGauge(ctx, b.db, tel.Gauge(telemetry.InboxRows), queries.SQL("InboxCount")),
		postgres.SetGauge(ctx, b.db, tel.Gauge(telemetry.DeadlineOverdue), queries.SQL("InboxOverdue"), b.config.Retention),
	)
}
