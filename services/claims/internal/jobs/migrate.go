package jobs

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"sellerapi.dev/pkg/postgres"
)

// lockTimeout is how long a migration waits for a lock on a table before it fails instead of making others queue behind it.
const lockTimeout = "3s"

// Migrate makes River's tables in the schema, which must be there, and brings them up to date. Any number of replicas may
// call it at once: one works, the others wait and find nothing to do.
func Migrate(ctx context.Context, config postgres.Config, schema string) error {
	settings, err := pgxpool.ParseConfig(config.URL.Reveal())
	if err != nil {
		return fmt.Errorf("migrate jobs: the database URL cannot be read") //nolint:perfsprint,err113 // pgx's text may hold the password
	}
	settings.MaxConns = 2 // one holds the lock
	settings.ConnConfig.RuntimeParams["search_path"] = pgx.Identifier{schema}.Sanitize()
	settings.ConnConfig.RuntimeParams["application_name"] = "migrate-jobs-" + schema
	pool, err := pgxpool.NewWithConfig(ctx, settings)
	if err != nil {
		return fmt.Errorf("migrate jobs: %w", err)
	}
	defer pool.Close()
	return pool.AcquireFunc(ctx, func(locking *pgxpool.Conn) error {
		if _, err := locking.Exec(ctx, "select pg_advisory_lock($1)", lockID(schema)); err != nil {
			return fmt.Errorf("migrate jobs: %w", err)
		}
		defer unlock(ctx, locking)
		return migrate(ctx, pool)
	})
}

// unlock gives the lock back; ending the session would do so too.
func unlock(ctx context.Context, locking *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = locking.Exec(ctx, "select pg_advisory_unlock_all()")
}

func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := pool.Exec(ctx, "set lock_timeout = '"+lockTimeout+"'"); err != nil { // of the only other connection
		return fmt.Errorf("migrate jobs: %w", err)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return fmt.Errorf("migrate jobs: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate jobs: %w", err)
	}
	return nil
}

// lockID keeps the migrations of one schema apart from those of others and from those of the service's own tables.
func lockID(schema string) int64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte("migrate jobs " + schema))
	return int64(sum.Sum64()) //nolint:gosec // any 64 bits will do
}
