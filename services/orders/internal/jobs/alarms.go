package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// Alarms sets alarms for purchases. It implements the store's interface of that name.
type Alarms struct{ client *river.Client[pgx.Tx] }

// NewAlarms returns alarms in the schema.
func NewAlarms(pool *pgxpool.Pool, schema string, logger *slog.Logger) (*Alarms, error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: schema, Logger: logger})
	if err != nil {
		return nil, fmt.Errorf("prepare alarms: %w", err)
	}
	return &Alarms{client: client}, nil
}

// Set sets an alarm in the transaction that makes it necessary.
func (a *Alarms) Set(ctx context.Context, tx pgx.Tx, orderNo string, at time.Time) error {
	_, err := a.client.InsertTx(ctx, tx, confirmArgs{OrderNo: orderNo}, &river.InsertOpts{ScheduledAt: at})
	return err
}
