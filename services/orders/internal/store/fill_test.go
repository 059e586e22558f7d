package store

import (
	"context"
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
)

//go:embed testdata/fill.sql
var fillSQL string

//go:embed testdata/mix.sql
var mixSQL string

//go:embed testdata/import.sql
var importSQL string

type filled struct {
	db     *pgtest.DB
	seller uuid.UUID
	now    time.Time
	// secured is a pool that is subject to row-level security.
	secured *postgres.Pool
}

func fill(tb testing.TB, orders int) filled {
	tb.Helper()
	return fillDays(tb, orders, 730)
}

// fillDays returns a schema with this many orders of this many days, with current statistics.
func fillDays(tb testing.TB, orders, days int) filled {
	tb.Helper()
	_, db := setup(tb)
	f := filled{db: db, secured: db.AsService(tb), seller: uuid.New(), now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	// A connection without the timeouts of the service; checking every reference would take most of the time.
	conn, err := pgx.Connect(tb.Context(), db.Config.URL.Reveal())
	require.NoError(tb, err)
	defer func() { require.NoError(tb, conn.Close(context.WithoutCancel(tb.Context()))) }()
	exec := func(statement string, args ...any) {
		_, err := conn.Exec(tb.Context(), statement, args...)
		require.NoError(tb, err)
	}
	exec("set search_path = " + db.Schema)
	exec("set session_replication_role = replica")
	exec("set work_mem = '64MB'")
	exec("set maintenance_work_mem = '128MB'")
	for _, table := range []string{"lines", "seller_orders", "status_changes"} {
		exec("alter table " + table + " set unlogged")
	}
	rows, err := conn.Query(tb.Context(), indexesOfLists)
	require.NoError(tb, err)
	indexes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Drop, Create string }])
	require.NoError(tb, err)
	for _, index := range indexes {
		exec(index.Drop)
	}
	story, inserts, _ := strings.Cut(fillSQL, ";\n")
	exec(story, orders, f.seller, f.now, days)
	exec(inserts)
	for _, index := range indexes {
		exec(index.Create)
	}
	exec("vacuum analyze orders, lines, shipments, seller_orders, status_changes")
	return f
}

func (f filled) store(gather, walk int) *Store {
	return New(f.secured, order.DefaultTerms()).bounded(gather, walk)
}

// statement returns that of a page of 50.
func (f filled) statement(tb testing.TB, filter order.Filter, after *paging.Position) (statement string, args []any) {
	tb.Helper()
	return f.statementOf(tb, New(f.secured, order.DefaultTerms()), filter, after)
}

func (f filled) statementOf(tb testing.TB, s *Store, filter order.Filter, after *paging.Position) (statement string, args []any) {
	tb.Helper()
	for _, from := range s.candidates(filter) {
		few, err := s.hasFew(tb.Context(), postgres.OfSeller(f.secured, f.seller), f.seller, from)
		require.NoError(tb, err)
		if few {
			return gatherStatement(f.seller, filter, from, after, 51)
		}
	}
	return s.walkStatement(f.seller, filter, after, 51)
}

// exec runs statements one after the other, each of which may be several, on a connection of their own.
func (f filled) exec(tb testing.TB, statements ...string) {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), f.db.Config.URL.Reveal())
	require.NoError(tb, err)
	defer func() { require.NoError(tb, conn.Close(context.WithoutCancel(tb.Context()))) }()
	for _, statement := range append([]string{
		"set search_path = " + f.db.Schema,
		"set session_replication_role = replica",
	}, statements...) {
		_, err := conn.Exec(tb.Context(), statement, pgx.QueryExecModeSimpleProtocol)
		require.NoError(tb, err)
	}
}

// indexesOfLists selects the statements that drop and create the indexes of the largest tables, in the order of their creation.
// Creating them after the rows takes a fraction of the time.
const indexesOfLists = `select
		case when k.oid is null then format('drop index %I', c.relname)
			else format('alter table %s drop constraint %I', i.indrelid::regclass, k.conname) end,
		case when k.oid is null then pg_get_indexdef(c.oid)
			else format('alter table %s add constraint %I %s', i.indrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) end
	from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_constraint k on k.conindid = c.oid and k.contype in
	('p', 'u')
	where i.indrelid in ('seller_orders'::regclass, 'status_changes'::regclass, 'lines'::regclass)
	order by c.oid`
