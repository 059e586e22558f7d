package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A violated constraint is identified by its name.
func TestViolates_byConstraintName(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	err := postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, insert(ctx, tx, 1))
		return insert(ctx, tx, 1)
	})
	require.True(t, postgres.Violates(err, "things_pkey"))
	require.False(t, postgres.Violates(err, "twin_exists"))
	require.False(t, postgres.Violates(errors.New("things_pkey"), "things_pkey"))
	require.False(t, postgres.Violates(nil, "things_pkey"))
}

func TestClassify_otherErrorsUnchanged(t *testing.T) {
	t.Parallel()
	require.NoError(t, postgres.Classify(nil))
	for _, err := range []error{
		apierr.OrderNotFound, apierr.OrderNotFound.With(map[string]any{"a": 1}), pgx.ErrNoRows,
		errors.New("a bug"), context.Canceled, fmt.Errorf("load: %w", apierr.Unavailable),
	} {
		require.Equal(t, err, postgres.Classify(err))
	}
}

// Errors of the database are mapped to codes by their SQLSTATE and keep their cause.
func TestClassify_byState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]apierr.Code{
		"57014": apierr.UpstreamTimeout, "55P03": apierr.UpstreamTimeout, "25P03": apierr.UpstreamTimeout,
		"57P01": apierr.Unavailable, "57P02": apierr.Unavailable, "57P03": apierr.Unavailable, "57P05": apierr.Unavailable,
		"53300": apierr.Unavailable, "53100": apierr.Unavailable, "08006": apierr.Unavailable, "25006": apierr.Unavailable,
		"40001": apierr.Unavailable, "40P01": apierr.Unavailable, "0A000": apierr.Unavailable,
		"42P01": apierr.Internal, "23505": apierr.Internal, "22021": apierr.Internal, "XX000": apierr.Internal,
	} {
		cause := &pgconn.PgError{Code: state}
		err := postgres.Classify(fmt.Errorf("list orders: %w", cause))
		require.ErrorIs(t, err, want, state)
		require.ErrorIs(t, err, cause, state)
	}
	require.ErrorIs(t, postgres.Classify(fmt.Errorf("acquire: %w", context.DeadlineExceeded)), apierr.UpstreamTimeout)
}

// A distributed database that has lost a node, or whose tables are not all distributed yet, is unavailable. The coordinator
// reports it as an internal error.
func TestClassify_temporaryOnNodes(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]apierr.Code{
		"server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally": apierr.Unavailable,
		"failure on connection marked as essential: 127.0.0.1:5432":                                         apierr.Unavailable,
		"could not receive data from server: Connection reset by peer":                                      apierr.Unavailable,
		"could not send data to server: Broken pipe":                                                        apierr.Unavailable,
		"no connection to the server":                                                                       apierr.Unavailable,
		"cannot handle unplanned sub-select":                                                                apierr.Unavailable,
		"cache lookup failed":                                                                               apierr.Internal,
	} {
		require.ErrorIs(t, postgres.Classify(&pgconn.PgError{Code: "XX000", Message: message}), want, message)
	}
}

// A database that refuses connections or never responds is reported as unavailable within the connect
// timeout.
func TestInTx_unreachableDatabase(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts and never responds
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	for name, address := range map[string]string{"refused": "127.0.0.1:1", "black hole": silent.Addr().String()} {
		config := postgres.Config{URL: secret.New("postgres://x@" + address + "/x"), ConnectTimeout: 100 * time.Millisecond}
		pool, err := postgres.Open(t.Context(), config, "orders", telemetrytest.Discard(t))
		require.NoError(t, err)
		t.Cleanup(pool.Close)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // for a loaded machine
		t.Cleanup(cancel)
		err = postgres.InTx(ctx, pool, func(context.Context, pgx.Tx) error { return nil })
		require.ErrorIs(t, err, apierr.Unavailable, name)
		require.NoError(t, ctx.Err(), "the call ended before its deadline")
	}
}

// A database without free connections is unavailable.
func TestCheck_fullDatabase(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	db.Config.URL = secret.New(createRole(t, db, "alter role %[1]s connection limit 1; grant usage on schema %[2]s to %[1]s"))
	pool := db.Open(t, telemetrytest.Discard(t))
	held, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer held.Release()
	require.ErrorIs(t, postgres.Check(pool)(t.Context()), apierr.Unavailable)
}

func TestPool_exhaustedObeysCallerDeadline(t *testing.T) {
	t.Parallel()
	db := with(t, func(c *postgres.Config) { c.MaxConns = 1 })
	pool := db.Open(t, telemetrytest.Discard(t))
	held, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer held.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err = postgres.InTx(ctx, pool, func(context.Context, pgx.Tx) error { return nil })
	require.ErrorIs(t, err, apierr.UpstreamTimeout)
}

func TestPool_recoversFromKilledDatabase(t *testing.T) {
	t.Parallel()
	server, err := launch.PooledPostgres(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	config := postgres.Config{URL: secret.New(server.URL)}
	require.NoError(t, postgres.Migrate(t.Context(), config, "orders", migrations()))
	pool, err := postgres.Open(t.Context(), config, "orders", telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(pool.Close)

	err = postgres.InTx(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, insert(ctx, tx, 1))
		require.NoError(t, server.Kill())
		for { // the backend outlives its postmaster for a moment
			if err := tx.QueryRow(ctx, "select 1").Scan(new(int)); err != nil {
				return err
			}
		}
	})
	require.ErrorIs(t, err, apierr.Unavailable)
	require.ErrorIs(t, postgres.Check(pool)(t.Context()), apierr.Unavailable)

	require.NoError(t, server.Restart(t.Context()))
	soon(t, func() bool { return postgres.Check(pool)(t.Context()) == nil }, "the same pool works again")
	require.Zero(t, one[int](t, pool, "select count(*) from things"))
}

func TestClassify_haltedDatabase(t *testing.T) {
	t.Parallel()
	server, err := launch.PooledPostgres(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	config := postgres.Config{URL: secret.New(server.URL), StatementTimeout: time.Second, ConnectTimeout: time.Second}
	pool, err := postgres.Open(t.Context(), config, "public", telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // for a loaded machine
	defer cancel()
	for halted := false; !halted; { // a loaded machine may take longer for the preceding steps
		err = postgres.InTx(ctx, pool, func(ctx context.Context, tx pgx.Tx) error {
			backend, err := first[int](ctx, tx, "select pg_backend_pid()")
			if err != nil {
				return err
			}
			halt(t, server.PID(), backend)
			halted = true
			_, err = tx.Exec(ctx, "select 1")
			return err
		})
		require.NoError(t, ctx.Err())
	}
	require.ErrorIs(t, err, apierr.UpstreamTimeout)
	require.ErrorIs(t, postgres.Check(pool)(ctx), apierr.Unavailable)
	require.NoError(t, ctx.Err(), "both calls ended before their deadline")
}

func halt(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
		t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	}
}
