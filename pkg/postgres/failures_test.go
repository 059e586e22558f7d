package postgres_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/puddle/v2"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// Every error of the driver and of the network is classified in one way, however it is wrapped.
func TestFailuresByKind(t *testing.T) {
	t.Parallel()
	onTheWire := func(cause error) error {
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", cause)}
	}
	for name, test := range map[string]struct {
		err  error
		want apierr.Code
	}{
		"pool closed":                      {puddle.ErrClosedPool, apierr.Unavailable},
		"pool without a free connection":   {puddle.ErrNotAvailable, apierr.Unavailable},
		"connection closed":                {pgconn.ErrConnClosed, apierr.Unavailable},
		"end of file":                      {io.EOF, apierr.Unavailable},
		"unexpected end of file":           {io.ErrUnexpectedEOF, apierr.Unavailable},
		"closed pipe":                      {io.ErrClosedPipe, apierr.Unavailable},
		"closed socket":                    {net.ErrClosed, apierr.Unavailable},
		"closed file":                      {os.ErrClosed, apierr.Unavailable},
		"reset":                            {onTheWire(syscall.ECONNRESET), apierr.Unavailable},
		"aborted":                          {onTheWire(syscall.ECONNABORTED), apierr.Unavailable},
		"refused":                          {onTheWire(syscall.ECONNREFUSED), apierr.Unavailable},
		"broken pipe":                      {onTheWire(syscall.EPIPE), apierr.Unavailable},
		"connection timed out":             {onTheWire(syscall.ETIMEDOUT), apierr.Unavailable},
		"network unreachable":              {onTheWire(syscall.ENETUNREACH), apierr.Unavailable},
		"host unreachable":                 {onTheWire(syscall.EHOSTUNREACH), apierr.Unavailable},
		"TLS alert":                        {&net.OpError{Op: "remote error", Err: tls.AlertError(80)}, apierr.Unavailable},
		"deadline":                         {context.DeadlineExceeded, apierr.UpstreamTimeout},
		"socket deadline":                  {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, apierr.UpstreamTimeout},
		"transaction ended":                {pgx.ErrTxClosed, apierr.Internal},
		"commit of an aborted transaction": {pgx.ErrTxCommitRollback, apierr.Internal},
	} {
		err := postgres.Classify(fmt.Errorf("list orders: %w", test.err))
		require.Equal(t, test.want, apierr.From(err).Code, name)
		require.ErrorIs(t, err, test.err, name)
		require.Equal(t, err, postgres.Classify(err), "classifying again changes nothing")
	}
}

// A connection that is lost at any statement of a transaction, in any way, is reported as an unavailable database: 503, and the
// next transaction succeeds.
func TestFailuresOfLostConnections(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{"begin", "Insert", "commit"} {
		for _, way := range pgtest.Ways() {
			t.Run(statement+" "+string(way), func(t *testing.T) {
				t.Parallel()
				pool, cutter := pgtest.New(t, migrations()).OpenCut(t)
				add := func(id int) error {
					return postgres.InTx(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
						_, err := tx.Exec(ctx, "-- name: Insert\ninsert into things (id, note) values ($1, '')", id)
						return err
					})
				}
				require.NoError(t, add(1))
				cutter.Cut(statement, way)
				require.ErrorIs(t, add(2), apierr.Unavailable)
				require.Zero(t, cutter.Pending())
				require.NoError(t, add(3))
				committed := statement == "commit" && way == pgtest.Unanswered
				require.Equal(t, committed, one[int](t, pool, "select count(*) from things") == 3)
			})
		}
	}
}

// failing are calls that fail as they do in production, on a connection of their own.
var failing = map[string]struct {
	call func(ctx context.Context, conn *pgx.Conn) error
	want apierr.Code
}{
	"closed connection": {func(ctx context.Context, conn *pgx.Conn) error {
		return errors.Join(conn.Close(ctx), conn.Ping(ctx))
	}, apierr.Unavailable},
	"busy connection": {func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, "select 1")
		if err != nil {
			return err
		}
		defer rows.Close()
		return conn.Ping(ctx)
	}, apierr.Unavailable},
	"statement time-out": {executed("set statement_timeout = '20ms'; select pg_sleep(60)"), apierr.UpstreamTimeout},
	"idle in transaction": {func(ctx context.Context, conn *pgx.Conn) error {
		return untilFails(ctx, conn, "set idle_in_transaction_session_timeout = '1ms'; begin")
	}, apierr.UpstreamTimeout},
	"idle session": {func(ctx context.Context, conn *pgx.Conn) error {
		return untilFails(ctx, conn, "set idle_session_timeout = '1ms'")
	}, apierr.Unavailable},
	"read-only server":   {executed("begin read only; insert into things (id, note) values (1, '')"), apierr.Unavailable},
	"terminated backend": {executed("select pg_terminate_backend(pg_backend_pid())"), apierr.Unavailable},
	"no such table":      {executed("select from nothing"), apierr.Internal},
	"wrong statement": {func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Prepare(ctx, "wrong", "selec")
		return err
	}, apierr.Internal},
	"aborted transaction": {executed("begin; select 1/0"), apierr.Internal},
	"ended transaction": {func(ctx context.Context, conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		return errors.Join(tx.Rollback(ctx), tx.Commit(ctx))
	}, apierr.Internal},
}

func executed(statements string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statements)
		return err
	}
}

// untilFails runs statements once and then checks at growing intervals whether the session is alive.
func untilFails(ctx context.Context, conn *pgx.Conn, statements string) error {
	_, err := conn.Exec(ctx, statements)
	for pause := time.Millisecond; err == nil; pause *= 2 {
		<-time.After(pause)
		_, err = conn.Exec(ctx, "select 1")
	}
	return err
}

// The errors of a real server are classified as in production.
func TestFailures_ofRealServer(t *testing.T) {
	t.Parallel()
	for name, test := range failing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held, err := pgtest.New(t, migrations()).Pool.Acquire(t.Context())
			require.NoError(t, err)
			conn := held.Hijack()
			t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
			err = test.call(t.Context(), conn)
			require.Error(t, err)
			require.Equal(t, test.want, apierr.From(postgres.Classify(err)).Code, err.Error())
		})
	}
}

// A pool that cannot connect reports an unavailable database, whatever the reason.
func TestFailuresToConnect(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*pgconn.Config){
		"TLS is refused":     func(c *pgconn.Config) { c.TLSConfig = &tls.Config{ServerName: "x", MinVersion: tls.VersionTLS13} },
		"connection refused": func(c *pgconn.Config) { c.Host, c.Port = "127.0.0.1", 1 },
		"no such database":   func(c *pgconn.Config) { c.Database = "none" },
		"no such role":       func(c *pgconn.Config) { c.User = "nobody_known" },
		"read-only server": func(c *pgconn.Config) {
			c.ValidateConnect = func(context.Context, *pgconn.PgConn) error { return pgconn.ErrReadOnlyConnection }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := pgtest.New(t, nil).Pool.Config()
			config.ConnConfig.Fallbacks = nil
			change(&config.ConnConfig.Config)
			pool, err := pgxpool.NewWithConfig(t.Context(), config)
			require.NoError(t, err)
			t.Cleanup(pool.Close)
			err = postgres.InTx(t.Context(), pool, func(context.Context, pgx.Tx) error { return nil })
			require.ErrorIs(t, err, apierr.Unavailable)
		})
	}
}
