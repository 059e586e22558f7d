package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

// txAttempts is the maximum number of attempts before a conflict is returned.
const txAttempts = 5

// txPause is the longest pause before the second attempt; it doubles each time.
const txPause = 10 * time.Millisecond

// rollbackTimeout bounds a rollback, which must also run when the caller's
// context has ended.
const rollbackTimeout = 2 * time.Second

// Beginner starts transactions; *pgxpool.Pool is one.
type Beginner interface {
	BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error)
}

// Tx is a transaction for those who only pass it on to a store. It has no methods, so that no statement is run outside of one.
type Tx struct{ statements pgx.Tx }

// Pass returns a transaction to pass on.
func Pass(tx pgx.Tx) Tx { return Tx{statements: tx} }

// Statements returns the transaction that was passed on, to run statements in it.
func Statements(tx Tx) pgx.Tx { return tx.statements }

// InTx runs fn in a transaction at READ COMMITTED and commits it. When fn
// returns an error or panics, everything is rolled back. A transaction that
// PostgreSQL ended because of a conflict with others (deadlock, serialization
// failure) is retried a few times, so effects of fn outside of the transaction must
// be safe to repeat.
//
// The error is fn's, or the one of begin or commit, after Classify. When the
// connection breaks during commit, the outcome is unknown; that error
// is returned without a retry.
func InTx(ctx context.Context, db Beginner, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return retried(ctx, func(ctx context.Context) error {
		return once(ctx, db, fn)
	})
}

// InTxReturning is InTx for a function with a result: that of the attempt which was committed, the zero value after an error.
func InTxReturning[T any](ctx context.Context, db Beginner, fn func(ctx context.Context, tx pgx.Tx) (T, error)) (T, error) {
	var result, none T
	err := InTx(ctx, db, func(ctx context.Context, tx pgx.Tx) (err error) {
		result, err = fn(ctx, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return result, nil
}

// retried runs a transaction again after conflicts, up to txAttempts times.
func retried(ctx context.Context, transact func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := transact(ctx)
		if err == nil {
			return nil
		}
		if !conflicted(err) || attempt == txAttempts || !pause(ctx, txPause<<(attempt-1)) {
			return Classify(err)
		}
	}
}

func once(ctx context.Context, db Beginner, fn func(context.Context, pgx.Tx) error) (err error) {
	tx, err := db.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return err
	}
	finished := false
	defer func() {
		if !finished { // also on a panic, which is not recovered
			if failed := rollback(ctx, tx); failed != nil {
				err = errors.Join(err, failed)
			}
		}
	}()
	if err := fn(ctx, tx); err != nil {
		return err
	}
	finished = true
	return tx.Commit(ctx)
}

// rollback ends the transaction without its effects. A lost connection
// is rolled back by the server.
func rollback(ctx context.Context, tx pgx.Tx) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	if err := tx.Rollback(ctx); err != nil && !errors.Is(err, pgx.ErrTxClosed) && !tx.Conn().IsClosed() {
		return err
	}
	return nil
}

// pause waits for a random time of at most longest. It returns false if the
// context is done first.
func pause(ctx context.Context, longest time.Duration) bool {
	timer := time.NewTimer(rand.N(longest))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
