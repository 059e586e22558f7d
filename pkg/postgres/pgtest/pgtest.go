// Package pgtest gives each test a PostgreSQL database of its own, with the
// service's migrations applied, on a real server. The server is a private one,
// started once per test process (see package launch), unless TEST_DATABASE_URL
// names another. Tests cannot be skipped: without a database they fail.
package pgtest

import (
	"context"
	"io/fs"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// DB is the database of one test.
type DB struct {
	// Pool is open on the schema.
	Pool *postgres.Pool
	// Config opens further pools on the same database.
	Config postgres.Config
	// Schema is the schema in which the migrations were applied.
	Schema string
}

// serverURL starts the server of this process, or returns the configured one.
var serverURL = sync.OnceValues(func() (string, error) {
	if url := os.Getenv("TEST_DATABASE_URL"); url != "" {
		return url, nil
	}
	server, err := launch.PooledPostgres(context.Background())
	if err != nil {
		return "", err
	}
	return server.URL, nil // it stops with this process
})

// timeout replaces the timeouts of production, which a test on a loaded machine
// might exceed.
const timeout = time.Minute

// leakTimeout is how long a test's pool waits for its connections to be
// returned.
const leakTimeout = time.Minute

// New returns a database for one test with the migrations applied to a schema of
// it, and drops it afterwards. migrations holds goose files in its root; nil
// leaves the schema empty.
func New(tb testing.TB, migrations fs.FS) *DB {
	tb.Helper()
	source := templateOf(tb, migrations)
	db := &DB{Config: Config(tb), Schema: Schema}
	db.Config.URL = Copy(tb, source)
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	return db
}

// Open opens another pool on the schema, which is closed at the end of the test.
// The test fails if it has not returned all connections by then.
func (db *DB) Open(tb testing.TB, tel *telemetry.Telemetry) *postgres.Pool {
	tb.Helper()
	pool, err := postgres.Open(tb.Context(), db.Config, db.Schema, tel)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		closed := make(chan struct{})
		go func() { pool.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(leakTimeout):
			tb.Errorf("a connection or transaction was not returned to the pool")
		}
	})
	return pool
}

// Config returns the configuration for the server of this test process. The user
// is a superuser.
func Config(tb testing.TB) postgres.Config {
	tb.Helper()
	url, err := serverURL()
	require.NoError(tb, err, "tests need PostgreSQL")
	return postgres.Config{
		URL: secret.New(url), MaxConns: 24,
		ConnectTimeout: timeout, StatementTimeout: timeout, LockTimeout: timeout, IdleInTransactionTimeout: timeout,
	}
}

func run(tb testing.TB, config postgres.Config, statement string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), timeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, config.URL.Reveal())
	require.NoError(tb, err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	require.NoError(tb, err)
}
