package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"sellerapi.dev/pkg/postgres"
)

// Migrate makes River's tables in the schema, which exists, and brings them up to date. Any number of replicas may call it at
// once: one works, the others wait and then find nothing to do.
func Migrate(ctx context.Context, config postgres.Config, schema string) error {
	pool, err := openForMigration(ctx, config)
	if err != nil {
		return fmt.Errorf("migrate jobs of schema %s: %w", schema, err)
	}
	defer pool.Close()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("migrate jobs of schema %s: %w", schema, err)
	}
	defer conn.Release()
	// The lock belongs to the session, so it ends with the connection at the latest.
	if _, err := conn.Exec(ctx, "select pg_advisory_lock(hashtextextended('migrate jobs of ' || $1, 0))", schema); err != nil {
		return fmt.Errorf("wait for other migrations of schema %s: %w", schema, err)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: schema})
	if err != nil {
		return fmt.Errorf("migrate jobs of schema %s: %w", schema, err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate jobs of schema %s: %w", schema, err)
	}
	return nil
}

var errUnreadable = errors.New("the connection string cannot be read")

// openForMigration opens a pool for the lock and for the migrations, without a limit for statements.
func openForMigration(ctx context.Context, config postgres.Config) (*pgxpool.Pool, error) {
	settings, err := pgxpool.ParseConfig(config.URL.Reveal())
	if err != nil {
		return nil, errUnreadable // the cause may quote the password
	}
	settings.MaxConns = 2
	settings.ConnConfig.RuntimeParams["statement_timeout"] = "0"
	return pgxpool.NewWithConfig(ctx, settings)
}
