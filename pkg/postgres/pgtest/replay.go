package pgtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

// refused is the SQLSTATE of a row that violates a row-level security policy.
const refused = "42501"

// Statement is a statement that was sent, with its arguments.
type Statement struct {
	SQL  string
	Args []any
}

// Recorder records the statements of a pool, by name.
type Recorder struct {
	mu sync.Mutex
	// Sent are the statements that were sent, by name.
	Sent  map[string][]Statement
	trips int
}

// Recorded is AsService with a recorder of its statements.
func (db *DB) Recorded(tb testing.TB) (*postgres.Pool, *Recorder) {
	tb.Helper()
	recorder := &Recorder{Sent: map[string][]Statement{}}
	config := db.AsService(tb).Config()
	config.ConnConfig.Tracer = multitracer.New(config.ConnConfig.Tracer, recorder)
	pool, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	return &postgres.Pool{Pool: pool, RowSecurity: true}, recorder
}

func (r *Recorder) keep(sql string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := postgres.QueryName(sql)
	r.Sent[name] = append(r.Sent[name], Statement{sql, args})
}

// Trips returns the number of round trips so far, without those that prepare statements.
func (r *Recorder) Trips() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trips
}

func (r *Recorder) count() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trips++
}

// TraceQueryStart implements pgx.QueryTracer.
func (r *Recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.count()
	r.keep(data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (r *Recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *Recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	r.count()
	for _, query := range data.Batch.QueuedQueries {
		r.keep(query.SQL, query.Arguments)
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (r *Recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (r *Recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// Outside are the statements that do not read a table, apart from the clock's.
var Outside = []string{"begin", "commit", "rollback", "SetSeller", "SetCustomPlan", "Now", "SellerTimes"}

// RequireRowSecurity runs every recorded statement again, in a transaction without a seller and in one of another seller, and
// fails unless the result is the one for empty tables with a seller_id, or the statement is refused. All of names must have
// been recorded, and each must have another result for a role that sees all sellers. exempt lists statements for which that
// cannot be checked, each with its reason: their tables have no seller_id, or the rows they look for are gone at the end of the
// recording. An exemption that is not needed fails too.
func RequireRowSecurity(tb testing.TB, db *DB, recorder *Recorder, names []string, exempt map[string]string) {
	tb.Helper()
	tables := SecuredTables(tb, db)
	for _, name := range names {
		require.NotEmpty(tb, recorder.Sent[name], "%s is not walked through", name)
	}
	for name, reason := range exempt {
		require.NotEmpty(tb, recorder.Sent[name], "%s is exempt, but was not recorded", name)
		require.NotEmpty(tb, reason, "the exemption of %s needs a reason", name)
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(recorder.Sent)) {
		if slices.Contains(Outside, name) {
			continue
		}
		seen, tells := db.replay(tb, tables, recorder.Sent[name])
		switch {
		case exempt[name] != "":
			if seen == "" && tells {
				wrong = append(wrong, name+" needs no exemption")
			}
		case seen != "":
			wrong = append(wrong, name+" sees or changes rows of others: "+seen)
		case !tells:
			wrong = append(wrong, name+" finds nothing in any case, so it proves nothing")
		}
	}
	require.Empty(tb, wrong)
}

// replay returns the results of executions of a statement that should have found nothing but did, empty if there are none, and
// reports whether any of them would have found something without row-level security.
func (db *DB) replay(tb testing.TB, tables []string, executions []Statement) (seen string, tells bool) {
	tb.Helper()
	for _, statement := range executions {
		empty := db.answer(tb, tables, "", statement)
		for _, seller := range []string{uuid.Nil.String(), uuid.NewString()} {
			got := db.answer(tb, nil, seller, statement)
			tells = tells || got == refused
			if got != empty && got != refused {
				seen = got
			}
		}
		tells = tells || db.answer(tb, nil, "", statement) != empty
	}
	return seen, tells
}

// answer returns the result of a statement for a seller, or for all sellers if it is empty, in a transaction that is rolled
// back. The tables of empty are emptied in it.
func (db *DB) answer(tb testing.TB, empty []string, seller string, statement Statement) string {
	tb.Helper()
	tx, err := db.Pool.Begin(tb.Context())
	require.NoError(tb, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(tb.Context())) }()
	exec := func(sql string) {
		_, err := tx.Exec(tb.Context(), sql)
		require.NoError(tb, err)
	}
	exec("set local session_replication_role = replica")
	for _, table := range empty {
		exec("delete from " + table)
	}
	exec("set local session_replication_role = origin")
	exec("set local role " + serviceRole)
	exec("set local app.seller = '" + seller + "'")
	rows, err := tx.Query(tb.Context(), statement.SQL, statement.Args...)
	if err != nil {
		return state(err)
	}
	values, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		values, err := row.Values()
		return fmt.Sprint(values), err
	})
	if err != nil {
		return state(err)
	}
	return fmt.Sprint(values, rows.CommandTag())
}

func state(err error) string {
	if refusal := (*pgconn.PgError)(nil); errors.As(err, &refusal) {
		return refusal.Code
	}
	return err.Error()
}
