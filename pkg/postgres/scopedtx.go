// A transaction of one statement takes 0.4 of the time that it takes with begin, scope, statement and commit in a round trip
// each, as the driver sends them: BenchmarkScopedTx.

package postgres

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	errNested = errors.New("postgres: nested transactions are not supported")
	// errNotBegun says that the first statement, which carries begin, never reached the server, and that the caller ignored its
	// error.
	errNotBegun = errors.New("postgres: the transaction did not begin, because its first statement could not be sent")
)

// scopedTx is a transaction that sends begin and its seller setting with its first statement, and commit with the statements of
// AtCommit. A transaction without statements sends nothing.
type scopedTx struct {
	pooled *pgxpool.Conn
	conn   *pgx.Conn
	// opening is sent with the first statement; nil once that was sent.
	opening []*pgx.QueuedQuery
	closing pgx.Batch
	ended   bool
	waits   *clockWaits // nil without telemetry
}

const commit = "commit"

// newScopedTx begins a transaction on a connection and releases the connection at its end.
func newScopedTx(pooled *pgxpool.Conn, options pgx.TxOptions, rowSecurity bool, seller string, waits *clockWaits) *scopedTx {
	opening := &pgx.Batch{}
	opening.Queue(begin(options))
	if rowSecurity {
		opening.Queue(own.SQL("SetSeller"), seller)
	}
	return &scopedTx{pooled: pooled, conn: pooled.Conn(), opening: opening.QueuedQueries, waits: waits}
}

// usable returns an error when the transaction has ended, since its connection may be in use elsewhere, or when it did not begin,
// since the statement would then autocommit.
func (t *scopedTx) usable() error {
	switch {
	case t.ended:
		return pgx.ErrTxClosed
	case t.opening == nil && t.conn.PgConn().TxStatus() == 'I' && !t.conn.IsClosed():
		return errNotBegun
	default:
		return nil
	}
}

// AtCommit adds a statement to a transaction of InTx. It is sent with the commit, in one round trip, which also returns its
// error.
func AtCommit(ctx context.Context, tx pgx.Tx, sql string, args ...any) error {
	if scoped, ok := tx.(*scopedTx); ok {
		if err := scoped.usable(); err != nil {
			return err
		}
		scoped.closing.Queue(sql, args...)
		return nil
	}
	_, err := tx.Exec(ctx, sql, args...)
	return err
}

// SendBatch implements pgx.Tx.
func (t *scopedTx) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if err := t.usable(); err != nil {
		return failedBatch{err}
	}
	if t.opening == nil {
		return t.conn.SendBatch(ctx, batch)
	}
	opening := t.opening
	t.opening = nil
	results := t.conn.SendBatch(ctx, &pgx.Batch{QueuedQueries: slices.Concat(opening, batch.QueuedQueries)})
	for range opening {
		_, _ = results.Exec() // when begin fails, all later statements fail with the same error
	}
	return results
}

// Query implements pgx.Tx.
func (t *scopedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if alone, err := t.alone(ctx, args); err != nil {
		return failedRows{err}, err
	} else if alone {
		return t.conn.Query(ctx, sql, args...)
	}
	results := t.SendBatch(ctx, single(sql, args))
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return failedRows{err}, err
	}
	return &scopedRows{Rows: rows, results: results}, nil
}

// QueryRow implements pgx.Tx; an error comes with Scan.
func (t *scopedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := t.Query(ctx, sql, args...)
	return scopedRow{rows: rows, err: err}
}

// Exec implements pgx.Tx.
func (t *scopedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if alone, err := t.alone(ctx, args); err != nil {
		return pgconn.CommandTag{}, err
	} else if alone {
		return t.conn.Exec(ctx, sql, args...)
	}
	results := t.SendBatch(ctx, single(sql, args))
	tag, err := results.Exec()
	if failed := results.Close(); err == nil {
		err = failed
	}
	return tag, err
}

// alone reports whether a statement is sent outside of a batch: the transaction is open, or is opened here because the first
// argument is an option of pgx for a query, which those of a batch do not take.
func (t *scopedTx) alone(ctx context.Context, args []any) (bool, error) {
	if err := t.usable(); err != nil || t.opening == nil {
		return true, err
	}
	if len(args) == 0 {
		return false, nil
	}
	switch args[0].(type) {
	case pgx.QueryExecMode, pgx.QueryResultFormats, pgx.QueryResultFormatsByOID:
		return true, t.open(ctx)
	}
	return false, nil
}

func single(sql string, args []any) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue(sql, args...)
	return batch
}

// Commit implements pgx.Tx.
func (t *scopedTx) Commit(ctx context.Context) error {
	if t.ended {
		return pgx.ErrTxClosed
	}
	if t.opening != nil && t.closing.Len() == 0 {
		return t.end(ctx, nil)
	}
	if err := t.usable(); err != nil {
		return t.end(ctx, err)
	}
	tag, err := t.commit(ctx)
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	return t.end(ctx, err)
}

// commit sends the commit together with the queued statements, if any.
func (t *scopedTx) commit(ctx context.Context) (tag pgconn.CommandTag, err error) {
	if t.closing.Len() == 0 {
		return t.conn.Exec(ctx, commit)
	}
	t.closing.Queue(commit).Exec(func(ct pgconn.CommandTag) error {
		tag = ct
		return nil
	})
	err = t.SendBatch(ctx, &t.closing).Close()
	return tag, err
}

// Rollback implements pgx.Tx.
func (t *scopedTx) Rollback(ctx context.Context) error {
	if t.ended {
		return pgx.ErrTxClosed
	}
	return t.end(ctx, nil)
}

// end releases the connection, without an open transaction.
func (t *scopedTx) end(ctx context.Context, err error) error {
	t.ended = true
	defer t.pooled.Release()
	return errors.Join(err, rollbackOn(ctx, t.conn))
}

// rollbackOn rolls back the transaction that the connection is still in, if any, also when the caller's context has ended. A lost
// connection is rolled back by the server, and one that a panic left with unread results is closed by the pool.
func rollbackOn(ctx context.Context, conn *pgx.Conn) error {
	if conn.PgConn().TxStatus() == 'I' {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	if _, err := conn.Exec(ctx, "rollback"); err != nil && !conn.IsClosed() {
		return err
	}
	return nil
}

// Begin implements pgx.Tx.
func (t *scopedTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNested }

// Conn implements pgx.Tx.
func (t *scopedTx) Conn() *pgx.Conn { return t.conn }

// open sends the opening on its own, for calls that cannot be sent in one batch with it.
func (t *scopedTx) open(ctx context.Context) error {
	if err := t.usable(); err != nil || t.opening == nil {
		return err
	}
	return t.SendBatch(ctx, &pgx.Batch{}).Close()
}

// CopyFrom implements pgx.Tx.
func (t *scopedTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := t.open(ctx); err != nil {
		return 0, err
	}
	return t.conn.CopyFrom(ctx, table, columns, rows)
}

// LargeObjects implements pgx.Tx; it is not supported.
func (t *scopedTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Prepare implements pgx.Tx.
func (t *scopedTx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	return t.conn.Prepare(ctx, name, sql)
}
