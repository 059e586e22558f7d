package postgres

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// The lock retries of a service replica that waits for the migrations of another one.
const (
	lockRetrySeconds = 1
	lockRetries      = 300
)

// Migrate applies the given migrations (goose files in the root of the file
// system) to the schema, which it creates if it is absent. Service replicas may
// call it concurrently: one applies the migrations, the others wait and then
// have nothing to do. Migrations name tables without a schema. It refuses a schema
// that was made by another text of a migration: one that has run is never changed.
//
// Statements have no time limit, but a migration that cannot get a lock within
// Config.LockTimeout fails, so that other transactions do not queue behind it.
// It needs a dedicated session, see the package comment on poolers.
func Migrate(ctx context.Context, config Config, schema string, migrations fs.FS) error {
	db, err := openForMigration(config, schema)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := createSchema(ctx, db, schema); err != nil {
		return fmt.Errorf("create schema %s: %w", schema, err)
	}
	locker, err := lock.NewPostgresSessionLocker(
		lock.WithLockID(lockID(schema)), lock.WithLockTimeout(lockRetrySeconds, lockRetries))
	if err != nil {
		return err
	}
	versions, err := newMigrated(migrations)
	if err != nil {
		return fmt.Errorf("read the migrations of schema %s: %w", schema, err)
	}
	provider, err := goose.NewProvider(goose.DialectCustom, db, migrations,
		goose.WithSessionLocker(locker), goose.WithStore(versions), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations of schema %s: %w", schema, err)
	}
	_, err = provider.Up(ctx)
	return Wrap("migrate schema "+schema, err)
}

// MigrationsIn returns the migrations of a service for Migrate: those that are embedded in its directory migrations.
func MigrationsIn(files embed.FS) fs.FS {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		panic(err) // unreachable: the name is a valid path
	}
	return migrations
}

func openForMigration(config Config, schema string) (*sql.DB, error) {
	config = config.complete()
	conn, err := pgx.ParseConfig(config.URL.Reveal())
	if err != nil {
		return nil, unreadable(err)
	}
	config.TransactionPooling = false
	config.session(conn, schema, "migrate-"+schema)
	conn.RuntimeParams["statement_timeout"] = "0"
	conn.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	return stdlib.OpenDB(*conn), nil
}

// createSchema creates the schema if it does not exist. It checks first because
// a role may own its schema without the right to create one.
func createSchema(ctx context.Context, db *sql.DB, schema string) error {
	var exists bool
	err := db.QueryRowContext(ctx, "select exists (select from pg_namespace where nspname = $1)", schema).Scan(&exists)
	if err != nil || exists {
		return err
	}
	_, err = db.ExecContext(ctx, "create schema if not exists "+pgx.Identifier{schema}.Sanitize())
	if slices.Contains([]string{"23505", "42P06"}, sqlState(err)) { // another replica was faster
		return nil
	}
	return err
}

// lockID derives the advisory lock from the schema, so that services do not wait
// for each other.
func lockID(schema string) int64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte("migrate " + schema))
	return int64(sum.Sum64())
}
