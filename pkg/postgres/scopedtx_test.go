package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

const insertThing = "insert into things (id, note) values ($1, 'x')"

// A transaction whose begin is sent with the first statement and whose commit with the last is applied completely or not at all,
// whichever statement fails, and its connection is returned without a transaction.
func TestScopedTx(t *testing.T) {
	t.Parallel()
	exec := func(id int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, insertThing, id)
			return err
		}
	}
	option := func(id int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, insertThing, pgx.QueryExecModeSimpleProtocol, id)
			return err
		}
	}
	rowOption := func(id int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			return tx.QueryRow(ctx, insertThing+" returning id", pgx.QueryResultFormats{pgx.TextFormatCode}, id).Scan(&id)
		}
	}
	batch := func(ids ...int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			batch := &pgx.Batch{}
			for _, id := range ids {
				batch.Queue(insertThing, id)
			}
			return tx.SendBatch(ctx, batch).Close()
		}
	}
	row := func(id int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			return tx.QueryRow(ctx, insertThing+" returning id", id).Scan(&id)
		}
	}
	last := func(id int) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error { return postgres.AtCommit(ctx, tx, insertThing, id) }
	}
	twin := func(ctx context.Context, tx pgx.Tx) error {
		return postgres.AtCommit(ctx, tx, "insert into things (id, note, twin) values (7, 'x', 99)")
	}
	refused := func(context.Context, pgx.Tx) error { return apierr.OrderNotFound }
	for name, test := range map[string]struct {
		steps  []func(context.Context, pgx.Tx) error
		kept   int
		fail   error
		breaks string
	}{
		"no statement":                     {},
		"statements":                       {steps: []func(context.Context, pgx.Tx) error{exec(1), row(2), batch(3, 4)}, kept: 4},
		"batch first":                      {steps: []func(context.Context, pgx.Tx) error{batch(1, 2), exec(3)}, kept: 3},
		"QueryRow first":                   {steps: []func(context.Context, pgx.Tx) error{row(1), exec(2)}, kept: 2},
		"statement with an option first":   {steps: []func(context.Context, pgx.Tx) error{option(1), option(2)}, kept: 2},
		"QueryRow with an option first":    {steps: []func(context.Context, pgx.Tx) error{rowOption(1), exec(2)}, kept: 2},
		"violation with an option":         {steps: []func(context.Context, pgx.Tx) error{option(0)}, breaks: "things_pkey"},
		"only at commit":                   {steps: []func(context.Context, pgx.Tx) error{last(1)}, kept: 1},
		"at commit":                        {steps: []func(context.Context, pgx.Tx) error{exec(1), last(2), last(3)}, kept: 3},
		"error before the first statement": {steps: []func(context.Context, pgx.Tx) error{refused}, fail: apierr.OrderNotFound},
		"error after statements": {
			steps: []func(context.Context, pgx.Tx) error{exec(1), last(2), refused},
			fail:  apierr.OrderNotFound,
		},
		"violation in the first statement":   {steps: []func(context.Context, pgx.Tx) error{exec(0)}, breaks: "things_pkey"},
		"violation in the first QueryRow":    {steps: []func(context.Context, pgx.Tx) error{row(0)}, breaks: "things_pkey"},
		"violation at the start of a batch":  {steps: []func(context.Context, pgx.Tx) error{batch(0, 1)}, breaks: "things_pkey"},
		"violation at the end of a batch":    {steps: []func(context.Context, pgx.Tx) error{batch(1, 0)}, breaks: "things_pkey"},
		"violation in a later statement":     {steps: []func(context.Context, pgx.Tx) error{exec(1), exec(0)}, breaks: "things_pkey"},
		"violation in a statement at commit": {steps: []func(context.Context, pgx.Tx) error{exec(1), last(0)}, breaks: "things_pkey"},
		"violation of a deferred constraint": {steps: []func(context.Context, pgx.Tx) error{exec(1), twin}, breaks: "twin_exists"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			_, err := db.Pool.Exec(t.Context(), insertThing, 0)
			require.NoError(t, err)
			err = postgres.InTx(t.Context(), postgres.AllSellers(db.Pool), func(ctx context.Context, tx pgx.Tx) error {
				for _, step := range test.steps {
					if err := step(ctx, tx); err != nil {
						return err
					}
				}
				return nil
			})
			if test.breaks != "" {
				require.True(t, postgres.Violates(err, test.breaks), "%v", err)
			} else {
				require.Equal(t, test.fail, err)
			}
			require.Equal(t, 1+test.kept, one[int](t, db.Pool, "select count(*)::int from things"))
			requireIdle(t, db)
		})
	}
}

// A failed statement whose error was ignored rolls everything back, and the end reports it.
func TestScopedTx_swallowedError(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	err := postgres.InTx(t.Context(), postgres.AllSellers(db.Pool), func(ctx context.Context, tx pgx.Tx) error {
		_, _ = tx.Exec(ctx, insertThing, 1)
		_, _ = tx.Exec(ctx, insertThing, 1)
		return nil
	})
	require.ErrorIs(t, err, pgx.ErrTxCommitRollback)
	require.Zero(t, one[int](t, db.Pool, "select count(*)::int from things"))
	requireIdle(t, db)
}

// When the server refuses to prepare the first statement, begin fails with it. If that error was ignored, later statements must
// not run outside of a transaction, and the end reports it.
func TestScopedTx_swallowedPrepareError(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(context.Context, pgx.Tx) error{
		"exec": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, insertThing, 1)
			return err
		},
		"batch": func(ctx context.Context, tx pgx.Tx) error {
			batch := &pgx.Batch{}
			batch.Queue(insertThing, 1)
			return tx.SendBatch(ctx, batch).Close()
		},
		"at commit": func(ctx context.Context, tx pgx.Tx) error { return postgres.AtCommit(ctx, tx, insertThing, 1) },
		"nothing":   func(context.Context, pgx.Tx) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			err := postgres.InTx(t.Context(), postgres.AllSellers(db.Pool), func(ctx context.Context, tx pgx.Tx) error {
				rows, err := tx.Query(ctx, "select no_such_column from things")
				if err == nil {
					rows.Close()
				}
				_ = next(ctx, tx)
				return nil
			})
			require.Error(t, err)
			require.Zero(t, one[int](t, db.Pool, "select count(*)::int from things"))
			requireIdle(t, db)
		})
	}
}

// A panic is propagated, and leaves neither effect nor transaction behind.
func TestScopedTx_panic(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	require.PanicsWithValue(t, "bug", func() {
		_ = postgres.InTx(t.Context(), postgres.AllSellers(db.Pool), func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, insertThing, 1)
			require.NoError(t, err)
			panic("bug")
		})
	})
	require.Zero(t, one[int](t, db.Pool, "select count(*)::int from things"))
	requireIdle(t, db)
}

// A transaction that ended cannot be used, and transactions cannot be nested.
func TestScopedTx_ended(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	tx, err := postgres.AllSellers(db.Pool).BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	require.NoError(t, err)
	_, err = tx.Begin(t.Context())
	require.Error(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.ErrorIs(t, tx.Commit(t.Context()), pgx.ErrTxClosed)
	require.ErrorIs(t, tx.Rollback(t.Context()), pgx.ErrTxClosed)
	_, err = tx.Exec(t.Context(), insertThing, 1)
	require.ErrorIs(t, err, pgx.ErrTxClosed)
	rows, err := tx.Query(t.Context(), "select 1")
	require.ErrorIs(t, err, pgx.ErrTxClosed)
	require.ErrorIs(t, rows.Err(), pgx.ErrTxClosed)
	require.ErrorIs(t, tx.SendBatch(t.Context(), &pgx.Batch{}).Close(), pgx.ErrTxClosed)
	require.ErrorIs(t, postgres.AtCommit(t.Context(), tx, insertThing, 1), pgx.ErrTxClosed)
	_, err = tx.CopyFrom(t.Context(), pgx.Identifier{"things"}, []string{"id"}, pgx.CopyFromRows(nil))
	require.ErrorIs(t, err, pgx.ErrTxClosed)
}

func requireIdle(t *testing.T, db *pgtest.DB) {
	t.Helper()
	require.Zero(t, db.Pool.Stat().AcquiredConns())
	for _, conn := range db.Pool.AcquireAllIdle(t.Context()) {
		require.Equal(t, byte('I'), conn.Conn().PgConn().TxStatus())
		conn.Release()
	}
}
