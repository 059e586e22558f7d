package pgtest

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// Way is a way in which a connection is lost at a statement.
type Way string

const (
	// Closed closes the connection on the client's side before the statement.
	Closed Way = "closed"
	// Terminated has the server terminate the session before the statement.
	Terminated Way = "terminated"
	// Lost sends the statement, which never reaches the server.
	Lost Way = "lost"
	// Unanswered has the server execute the statement but loses the response.
	Unanswered Way = "unanswered"
)

// Ways returns all ways.
func Ways() []Way { return []Way{Closed, Terminated, Lost, Unanswered} }

// Cutter breaks connections of a pool at chosen statements. It is safe for concurrent use.
type Cutter struct {
	config postgres.Config

	mu     sync.Mutex
	armed  map[string]Way
	cut    []uint32 // sessions
	failed error
}

// OpenCut opens another pool on the schema, whose connections the cutter can break.
func (db *DB) OpenCut(tb testing.TB) (*postgres.Pool, *Cutter) {
	tb.Helper()
	cutter := &Cutter{config: db.Config, armed: map[string]Way{}}
	config := db.Open(tb, telemetrytest.Discard(tb)).Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &cutConn{Conn: conn}, err
	}
	config.ConnConfig.Tracer = multitracer.New(config.ConnConfig.Tracer, cutter)
	pool, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		pool.Close()
		require.NoError(tb, cutter.failed, "a session could not be terminated")
	})
	return &postgres.Pool{Pool: pool, RowSecurity: true}, cutter
}

// Cut breaks the next connection that runs the statement of this name (see postgres.QueryName), at that statement.
func (c *Cutter) Cut(statement string, way Way) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed[statement] = way
}

// Pending returns the number of cuts that have not happened yet.
func (c *Cutter) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.armed)
}

// AwaitEnd waits until the sessions of the broken connections have ended, and with them their transactions and locks. The
// server may learn of a closed connection later than the client.
func (c *Cutter) AwaitEnd(tb testing.TB) {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), c.config.URL.Reveal())
	require.NoError(tb, err)
	defer func() { require.NoError(tb, conn.Close(tb.Context())) }()
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Eventually(tb, func() bool {
		var left int
		err := conn.QueryRow(tb.Context(), "select count(*) from pg_stat_activity where pid = any($1)", c.cut).Scan(&left)
		return err == nil && left == 0
	}, timeout, 10*time.Millisecond)
}

// TraceQueryStart implements pgx.QueryTracer.
func (c *Cutter) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	c.reach(ctx, conn, postgres.QueryName(data.SQL))
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (c *Cutter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer. A batch is cut as a whole.
func (c *Cutter) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, query := range data.Batch.QueuedQueries {
		c.reach(ctx, conn, postgres.QueryName(query.SQL))
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (c *Cutter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (c *Cutter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// reach breaks the connection if a cut is due at the statement.
func (c *Cutter) reach(ctx context.Context, conn *pgx.Conn, statement string) {
	c.mu.Lock()
	way, due := c.armed[statement]
	delete(c.armed, statement)
	if due {
		c.cut = append(c.cut, conn.PgConn().PID())
	}
	c.mu.Unlock()
	if !due {
		return
	}
	switch way {
	case Closed:
		_ = conn.Close(ctx)
	case Terminated:
		c.terminate(context.WithoutCancel(ctx), conn.PgConn().PID())
	case Lost, Unanswered:
		conn.PgConn().Conn().(*cutConn).lose(way)
	}
}

// terminate terminates a session and waits until it has ended.
func (c *Cutter) terminate(ctx context.Context, session uint32) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := func() error {
		conn, err := pgx.Connect(ctx, c.config.URL.Reveal())
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		_, err = conn.Exec(ctx, "select pg_terminate_backend($1, $2)", session, timeout.Milliseconds())
		return err
	}()
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.failed = err
	}
}

type cutConn struct {
	net.Conn
	mu  sync.Mutex
	way Way // "" until the connection is to be lost
}

// lose loses the connection at the next write.
func (c *cutConn) lose(way Way) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.way = way
}

func (c *cutConn) lost() Way {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.way
}

// Write implements net.Conn.
func (c *cutConn) Write(message []byte) (int, error) {
	if c.lost() == Lost {
		return len(message), c.Close()
	}
	return c.Conn.Write(message)
}

// Read implements net.Conn. The first bytes of a response arrive when the server has executed the statement. The driver may have
// begun to read before the statement was written, so the way is checked when the bytes have arrived.
func (c *cutConn) Read(into []byte) (int, error) {
	if c.lost() == Lost {
		return 0, io.EOF
	}
	n, err := c.Conn.Read(into)
	if c.lost() != Unanswered || err != nil {
		return n, err
	}
	_ = c.Close()
	return 0, io.EOF
}
