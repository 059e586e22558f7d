package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// sellerSetting is the setting with which the policies of the tables compare seller_id.
const sellerSetting = "app.seller"

// The values of the setting that are not seller ids.
const (
	// noSeller is the initial value in a session of a service; no row has this seller id.
	noSeller = "00000000-0000-0000-0000-000000000000"
	// everySeller makes the policies admit all rows.
	everySeller = ""
)

// Scoped is a pool whose statements see and change the rows of one seller or of all; see "Tenant isolation". The scope is set for
// the transaction only, so a connection returned to the pool carries no seller. It costs no extra round trip: the setting is sent
// with begin, or with the statement when there is no explicit transaction.
type Scoped struct {
	pool       *Pool
	seller     string
	customPlan bool
}

// OfSeller returns the pool for the rows of one seller.
func OfSeller(pool *Pool, seller uuid.UUID) Scoped {
	return Scoped{pool: pool, seller: seller.String()}
}

// AllSellers returns the pool for the rows of all sellers: for the marketplace, for operators, and for background work.
// Row-level security protects neither its callers nor those of QueueAllSellers.
func AllSellers(pool *Pool) Scoped { return Scoped{pool: pool, seller: everySeller} }

// QueueAllSellers adds a statement, without a result to read but its Exec, that lets the rest of the transaction see the rows
// of all sellers: for what a seller may do to an order that others have a part in, once it is known to be the seller's.
func QueueAllSellers(batch *pgx.Batch) { batch.Queue(own.SQL("SetSeller"), everySeller) }

// BeginTx starts a transaction in the scope.
func (s Scoped) BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return newScopedTx(conn, options, s.pool.RowSecurity, s.seller, s.pool.waits), nil
}

func begin(options pgx.TxOptions) string {
	return "begin isolation level " + string(options.IsoLevel)
}

// WithCustomPlan returns the Querier of Page, or a Scoped, with statements that are planned for the values of their arguments,
// also where plan_cache_mode is force_generic_plan. It is for statements whose best plan depends on the values. The setting is
// sent with the statement, in the same round trip, and ends with it. In a transaction it has no effect.
func WithCustomPlan(db Querier) Querier {
	switch of := db.(type) {
	case Scoped:
		of.customPlan = true
		return of
	case upTo:
		of.of.customPlan = true
		return of
	default:
		return db
	}
}

// isPlain reports whether the statements of the scope need no settings.
func (s Scoped) isPlain() bool { return !s.pool.RowSecurity && !s.customPlan }

// settings returns a batch with the settings of the scope, and their number.
func (s Scoped) settings() (batch *pgx.Batch, settings int) {
	batch = &pgx.Batch{}
	if s.pool.RowSecurity {
		batch.Queue(own.SQL("SetSeller"), s.seller)
	}
	if s.customPlan {
		batch.Queue(own.SQL("SetCustomPlan"))
	}
	return batch, batch.Len()
}

// send sends the settings and a statement in one implicit transaction.
func (s Scoped) send(ctx context.Context, sql string, args []any) (pgx.BatchResults, error) {
	batch, settings := s.settings()
	batch.Queue(sql, args...)
	results := s.pool.SendBatch(ctx, batch)
	if err := skip(results, settings); err != nil {
		_ = results.Close()
		return nil, err
	}
	return results, nil
}

// Run runs a batch in its own transaction and reads its results.
func (s Scoped) Run(ctx context.Context, batch *pgx.Batch) error {
	scoped, _ := s.settings()
	scoped.QueuedQueries = append(scoped.QueuedQueries, batch.QueuedQueries...)
	return s.pool.SendBatch(ctx, scoped).Close()
}

func skip(results pgx.BatchResults, statements int) error {
	for range statements {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	return nil
}

// Query runs a statement in its own transaction.
func (s Scoped) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if s.isPlain() {
		return s.pool.Query(ctx, sql, args...)
	}
	results, err := s.send(ctx, sql, args)
	if err != nil {
		return failedRows{err}, err
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return failedRows{err}, err
	}
	return &scopedRows{Rows: rows, results: results}, nil
}

// QueryRow runs a statement that returns one row in its own transaction. Scan returns its error.
func (s Scoped) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := s.Query(ctx, sql, args...)
	return scopedRow{rows: rows, err: err}
}

// Exec runs a statement in its own transaction.
func (s Scoped) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if s.isPlain() {
		return s.pool.Exec(ctx, sql, args...)
	}
	results, err := s.send(ctx, sql, args)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := results.Exec()
	if failed := results.Close(); err == nil { // the transaction is committed when the batch is closed
		err = failed
	}
	return tag, err
}

// scopedRows are the rows of a batch's last statement. Closing them closes the batch and thereby ends the transaction.
type scopedRows struct {
	pgx.Rows
	results pgx.BatchResults
	err     error
}

// Next implements pgx.Rows: after the last row the connection is released.
func (r *scopedRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

// Close implements pgx.Rows.
func (r *scopedRows) Close() {
	r.Rows.Close()
	if r.results != nil {
		r.err = r.results.Close()
		r.results = nil
	}
}

// Err implements pgx.Rows. It returns the error of the statement or of its commit.
func (r *scopedRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

type scopedRow struct {
	rows pgx.Rows
	err  error
}

// Scan implements pgx.Row; pgx.ErrNoRows when there is none.
func (r scopedRow) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(into...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}
