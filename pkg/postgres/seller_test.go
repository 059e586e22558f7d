package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

const showSeller = "select coalesce(current_setting('app.seller', true), '')"

// A statement sees the rows of its seller in whatever way it is run, and its connection has no seller afterwards: the next caller
// that takes it from the pool sees nothing, not the rows of the previous seller.
func TestScoped_everyWay(t *testing.T) {
	t.Parallel()
	seller := uuid.New()
	for name, pooling := range map[string]bool{"sessions": false, "transaction pooling": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			if pooling {
				role := db.Pool.Config().ConnConfig.User
				_, err := db.Pool.Exec(t.Context(), "alter role "+role+" in database "+db.Pool.Config().ConnConfig.Database+
					" set search_path = "+db.Schema)
				require.NoError(t, err)
				_, err = db.Pool.Exec(t.Context(), "alter role "+role+" in database "+db.Pool.Config().ConnConfig.Database+
					" set app.seller = '"+uuid.Nil.String()+"'")
				require.NoError(t, err)
			}
			db.Config.MaxConns, db.Config.TransactionPooling = 1, pooling
			pool := db.Open(t, telemetrytest.Discard(t))
			for scope, wanted := range map[postgres.Scoped]string{
				postgres.OfSeller(pool, seller): seller.String(), postgres.AllSellers(pool): "",
			} {
				for way, seen := range waysToAsk(t, scope) {
					require.Equal(t, wanted, seen(), way)
					require.Equal(t, uuid.Nil.String(), one[string](t, pool, showSeller), "after %s", way)
				}
			}
		})
	}
}

// Where row-level security is off, no statement pays for setting its seller, and none sees fewer rows because of it.
func TestScoped_rowSecurityOff(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	db.Config.MaxConns, db.Config.RowSecurity = 1, "off"
	pool := db.Open(t, telemetrytest.Discard(t))
	for way, seen := range waysToAsk(t, postgres.OfSeller(pool, uuid.New())) {
		require.Empty(t, seen(), way)
		require.Empty(t, one[string](t, pool, showSeller), "after %s", way)
	}
}

// waysToAsk returns, for each way to run a statement, what it sees.
func waysToAsk(t *testing.T, scope postgres.Scoped) map[string]func() string {
	t.Helper()
	in := func(run func(context.Context, postgres.Beginner, func(context.Context, pgx.Tx) error) error) func() string {
		return func() (seen string) {
			require.NoError(t, run(t.Context(), scope, func(ctx context.Context, tx pgx.Tx) (err error) {
				seen, err = first[string](ctx, tx, showSeller)
				return err
			}))
			return seen
		}
	}
	return map[string]func() string{
		"query": func() string { return one[string](t, scope, showSeller) },
		"row": func() (seen string) {
			require.NoError(t, scope.QueryRow(t.Context(), showSeller).Scan(&seen))
			return seen
		},
		"exec": func() string {
			_, err := scope.Exec(t.Context(), "create temporary table seen as "+showSeller+" as seller")
			require.NoError(t, err)
			defer func() {
				_, err := scope.Exec(t.Context(), "drop table seen")
				require.NoError(t, err)
			}()
			return one[string](t, scope, "select seller from seen")
		},
		"transaction": in(postgres.InTx),
		"run": func() (seen string) {
			batch := &pgx.Batch{}
			batch.Queue(showSeller).QueryRow(func(row pgx.Row) error { return row.Scan(&seen) })
			require.NoError(t, scope.Run(t.Context(), batch))
			return seen
		},
		"batch": in(func(ctx context.Context, db postgres.Beginner, run func(context.Context, pgx.Tx) error) error {
			return postgres.InTx(ctx, db, func(ctx context.Context, tx pgx.Tx) error {
				if err := tx.SendBatch(ctx, &pgx.Batch{}).Close(); err != nil {
					return err
				}
				return run(ctx, tx)
			})
		}),
	}
}

// A statement that no longer is a transaction of its own still reports its result: no row, its own error, or the error of its
// commit, which arrives after its result.
func TestScoped_errors(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	scope := postgres.AllSellers(db.Pool)
	require.ErrorIs(t, scope.QueryRow(t.Context(), "select 1 where false").Scan(new(int)), pgx.ErrNoRows)
	_, err := scope.Exec(t.Context(), "select 1 / $1::int", 0)
	require.ErrorContains(t, err, "22012")
	rows, err := scope.Query(t.Context(), "select 1 / $1::int", 0)
	if err == nil {
		for rows.Next() {
			require.Fail(t, "there is no such row")
		}
		err = rows.Err()
	}
	require.ErrorContains(t, err, "22012")
	_, err = scope.Exec(t.Context(), "insert into things (id, note, twin) values (1, 'x', 2)")
	require.True(t, postgres.Violates(err, "twin_exists"), "%v", err)
	rows, err = scope.Query(t.Context(), "insert into things (id, note, twin) values (1, 'x', 2) returning id")
	require.NoError(t, err)
	_, err = pgx.CollectRows(rows, pgx.RowTo[int])
	require.True(t, postgres.Violates(err, "twin_exists"), "%v", err)
	require.Zero(t, one[int](t, db.Pool, "select count(*)::int from things"))
}

// A transaction without a seller becomes one for all sellers after the statement that sets this, and not before.
func TestQueueAllSellers(t *testing.T) {
	t.Parallel()
	db, seller := pgtest.New(t, migrations()), uuid.New()
	var before, behind string
	err := postgres.InTx(t.Context(), postgres.OfSeller(db.Pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(showSeller).QueryRow(func(row pgx.Row) error { return row.Scan(&before) })
		postgres.QueueAllSellers(batch)
		batch.Queue(showSeller).QueryRow(func(row pgx.Row) error { return row.Scan(&behind) })
		return tx.SendBatch(ctx, batch).Close()
	})
	require.NoError(t, err)
	require.Equal(t, []string{seller.String(), ""}, []string{before, behind})
}

// A statement with a custom plan has the setting for it, its seller, and leaves no setting behind.
func TestWithCustomPlan(t *testing.T) {
	t.Parallel()
	const show = "select current_setting('plan_cache_mode') || ' ' || coalesce(current_setting('app.seller', true), '')"
	seller := uuid.New()
	for rowSecurity, of := range map[string]string{"on": seller.String(), "off": ""} {
		db := pgtest.New(t, migrations())
		db.Config.MaxConns, db.Config.RowSecurity = 1, rowSecurity
		db.Config.Settings = map[string]string{"plan_cache_mode": "force_generic_plan"}
		pool := db.Open(t, telemetrytest.Discard(t))
		scope := postgres.OfSeller(pool, seller)
		require.Equal(t, "force_custom_plan "+of, one[string](t, postgres.WithCustomPlan(scope), show))
		require.Equal(t, "force_generic_plan "+of, one[string](t, scope, show))
	}
}
