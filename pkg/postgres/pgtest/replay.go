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

// refused is the SQLSTATE of a row that a policy does not let in.
const refused = "42501"

// sent is a statement as a pool ran it.
type sent struct {
	sql  string
	args []any
}

// Recorder keeps the statements of a pool, by their names.
type Recorder struct {
	mu   sync.Mutex
	sent map[string][]sent
}

// Recorded is AsService, and what keeps its statements.
func (db *DB) Recorded(tb testing.TB) (*postgres.Pool, *Recorder) {
	tb.Helper()
	recorder := &Recorder{sent: map[string][]sent{}}
	config := db.AsService(tb).Config()
	config.ConnConfig.Tracer = multitracer.New(config.ConnConfig.Tracer, recorder)
	pool, err := pgxpool.NewWithConfig(tb.Context(), config)
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	return &postgres.Pool{Pool: pool, RowSecurity: true}, recorder
}

// keep keeps a statement that has a name.
func (r *Recorder) keep(sql string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := postgres.QueryName(sql)
	r.sent[name] = append(r.sent[name], sent{sql, args})
}

// TraceQueryStart implements pgx.QueryTracer.
func (r *Recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.keep(data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (r *Recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *Recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, query := range data.Batch.QueuedQueries {
		r.keep(query.SQL, query.Arguments)
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (r *Recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (r *Recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// outside are the statements that no table answers, or the clock.
var outside = []string{"begin", "commit", "rollback", "SetSeller", "Now"}

// RequireRowSecurity runs every statement that was recorded again, in a transaction without a seller and in one of another seller, and
// fails unless it answers as if the tables with a seller_id were empty, or is refused. All of names must have been recorded, and
// each must answer otherwise to those who may see all sellers. exempt are those of which that cannot be said, each with its reason:
// their tables have no seller_id, or what they look for is gone when the recording ends. An exemption without need fails too.
func RequireRowSecurity(tb testing.TB, db *DB, recorder *Recorder, names []string, exempt map[string]string) {
	tb.Helper()
	tables := SecuredTables(tb, db)
	for _, name := range names {
		require.NotEmpty(tb, recorder.sent[name], "%s is not walked through", name)
	}
	for name, reason := range exempt {
		require.NotEmpty(tb, recorder.sent[name], "%s is exempt, but was not recorded", name)
		require.NotEmpty(tb, reason, "the exemption of %s needs a reason", name)
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(recorder.sent)) {
		if slices.Contains(outside, name) {
			continue
		}
		seen, tells := db.replay(tb, tables, recorder.sent[name])
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

// replay returns what executions of a statement answered where they should have found nothing, empty when they did not, and reports
// whether one of them would have found something without row-level security.
func (db *DB) replay(tb testing.TB, tables []string, executions []sent) (seen string, tells bool) {
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

// answer is what a statement answers to a seller, empty for all, in a transaction that is rolled back. The tables are empty for it.
func (db *DB) answer(tb testing.TB, empty []string, seller string, statement sent) string {
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
	rows, err := tx.Query(tb.Context(), statement.sql, statement.args...)
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

// state is the SQLSTATE of an error, or its text.
func state(err error) string {
	if refusal := (*pgconn.PgError)(nil); errors.As(err, &refusal) {
		return refusal.Code
	}
	return err.Error()
}
