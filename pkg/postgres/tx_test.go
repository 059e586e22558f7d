package postgres_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

func TestInTx_canceledContextRollsBack(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	ctx, cancel := context.WithCancel(t.Context())
	err := postgres.InTx(ctx, db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, insert(ctx, tx, 1))
		cancel()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, one[int](t, db.Pool, "select count(*) from things"))
	require.Zero(t, db.Pool.Stat().AcquiredConns())
}

func TestInTx_deadlockRetried(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	execute(t, db.Pool, "insert into things (id, note) values (1, ''), (2, '')")
	var runs atomic.Int32
	bothHoldOne := make(chan struct{})
	var group errgroup.Group
	for _, order := range [][]int{{1, 2}, {2, 1}} {
		group.Go(func() error {
			return postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
				if _, err := tx.Exec(ctx, "set local deadlock_timeout = '20ms'"); err != nil {
					return err
				}
				for i, id := range order {
					if _, err := tx.Exec(ctx, "update things set note = note || 'x' where id = $1", id); err != nil {
						return err
					}
					if i == 0 && runs.Add(1) == 2 {
						close(bothHoldOne)
					}
					<-bothHoldOne
				}
				return nil
			})
		})
	}
	require.NoError(t, group.Wait())
	require.GreaterOrEqual(t, runs.Load(), int32(3), "at least one of the two was retried")
	require.Equal(t, []string{"xx", "xx"}, one[[]string](t, db.Pool, "select array_agg(note) from things"))
}

// The result is that of the attempt that was committed; one that was rolled back has none, whatever it returned.
func TestInTxReturning_resultOfTheCommit(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	runs := 0
	run, err := postgres.InTxReturning(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) (int, error) {
		runs++
		if runs > 1 {
			return runs, nil
		}
		_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40001'; end $$")
		return runs, err
	})
	require.NoError(t, err)
	require.Equal(t, 2, run)

	run, err = postgres.InTxReturning(t.Context(), db.Pool,
		func(context.Context, pgx.Tx) (int, error) { return 1, apierr.OrderNotFound })
	require.ErrorIs(t, err, apierr.OrderNotFound)
	require.Zero(t, run)
}

func TestInTx_conflictReportedAfterRetries(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	runs := 0
	err := postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		runs++
		_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40001'; end $$")
		return err
	})
	require.ErrorIs(t, err, apierr.Unavailable)
	require.Equal(t, 5, runs)
}

func TestInTx_noRetryAfterCancellation(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	err := postgres.InTx(ctx, db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		runs++
		_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40P01'; end $$")
		cancel()
		return err
	})
	require.ErrorIs(t, err, apierr.Unavailable)
	require.Equal(t, 1, runs)
}
