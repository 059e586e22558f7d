package store

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// brief begins transactions whose begin and commit are no round trips of their own: they travel with the statements. It is a
// postgres.Beginner for work that sends batches and nothing else.
type brief struct{ pool *pgxpool.Pool }

// BeginTx takes a connection; nothing is sent yet. All these transactions are at READ COMMITTED.
func (b brief) BeginTx(ctx context.Context, _ pgx.TxOptions) (pgx.Tx, error) {
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &briefTx{pooled: conn, conn: conn.Conn()}, nil
}

// briefTx is a transaction of brief.
type briefTx struct {
	pgx.Tx // nil: what is not below is not used
	pooled *pgxpool.Conn
	conn   *pgx.Conn
}

// SendBatch sends statements, the first ones behind a begin.
func (t *briefTx) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if !t.idle() {
		return t.conn.SendBatch(ctx, batch)
	}
	first := &pgx.Batch{}
	first.Queue("begin isolation level read committed")
	first.QueuedQueries = slices.Concat(first.QueuedQueries, batch.QueuedQueries)
	results := t.conn.SendBatch(ctx, first)
	_, _ = results.Exec() // when begin fails, everything behind it does, with the same error
	return results
}

// Commit gives the connection back. What was to be written was committed with it, see [last].
func (t *briefTx) Commit(ctx context.Context) error { return t.Rollback(ctx) }

// Rollback ends the transaction, if it has not ended, and gives the connection back.
func (t *briefTx) Rollback(ctx context.Context) error {
	defer t.pooled.Release() // the pool closes a connection whose transaction is still open
	if t.idle() {
		return nil
	}
	_, err := t.conn.Exec(ctx, "rollback")
	return err
}

// Conn is the transaction's connection.
func (t *briefTx) Conn() *pgx.Conn { return t.conn }

// idle reports whether the transaction has not begun, or has ended.
func (t *briefTx) idle() bool { return t.conn.PgConn().TxStatus() == 'I' }

// last is a transaction whose next statements are its last: the commit travels behind them.
type last struct{ pgx.Tx }

// SendBatch sends the statements and the commit.
func (t last) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	batch.Queue("commit")
	return t.Tx.SendBatch(ctx, batch)
}
