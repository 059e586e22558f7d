package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

// Everything here happens in a fixed order, without a pause or a hook: another transaction has changed the inquiry and not
// committed yet, so the seller's call decides by the earlier state and then waits for the row. The test detects the wait, and
// commits.

// during starts change in a transaction, lets the seller answer until the call waits for it, commits, and returns the result of
// the seller's call.
func (b fixture) during(
	t *testing.T, command inquiry.AnswerCommand, change func(context.Context, pgx.Tx),
) (inquiry.AnswerResult, error) {
	t.Helper()
	tx, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	change(t.Context(), tx)

	var answered inquiry.AnswerResult
	var failure error
	done := make(chan struct{})
	go func() {
		defer close(done)
		answered, failure = b.answer(t.Context(), command)
	}()
	b.awaitWaiter(t, tx.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(t.Context()))
	<-done
	return answered, failure
}

// awaitWaiter returns once a connection waits for a lock of the given one.
func (b fixture) awaitWaiter(t *testing.T, pid uint32) {
	t.Helper()
	require.Eventually(t, func() bool {
		var waiting bool
		err := b.Pool.QueryRow(t.Context(),
			"select exists (select from pg_stat_activity a where $1 = any(pg_blocking_pids(a.pid)))", pid).Scan(&waiting)
		return err == nil && waiting
	}, time.Minute, 5*time.Millisecond)
}

func TestAnswer_repetitionRacesCancellation(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	_, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)

	_, err = b.during(t, answerOf(seller, id, "yes"), func(ctx context.Context, tx pgx.Tx) {
		changed, err := store.Cancel(ctx, tx, cancelOf(id))
		require.NoError(t, err)
		require.True(t, changed)
	})
	require.ErrorIs(t, err, apierr.QnaAnswerUnresolved)
	require.Equal(t, inquiry.Waiting, b.listAll(t, seller, everything)[0].Status)
	require.Equal(t, 1, b.count(t, "answers"), "the refused call wrote nothing")

	// "Retry later" is true: the next attempt registers.
	answered, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)
	require.False(t, answered.Converged)
}

// Another worker of the seller answers and an operator cancels it at once: registering now could restore the very answer that the
// operator has just canceled.
func TestAnswer_firstOvertakenByCancellation(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	_, err := b.during(t, answerOf(seller, id, "yes"), func(ctx context.Context, tx pgx.Tx) {
		_, err := b.store.Answer(ctx, postgres.Pass(tx), answerOf(seller, id, "yes"))
		require.NoError(t, err)
		changed, err := store.Cancel(ctx, tx, cancelOf(id))
		require.NoError(t, err)
		require.True(t, changed)
	})
	require.ErrorIs(t, err, apierr.QnaAnswerUnresolved)
	require.Equal(t, inquiry.Waiting, b.listAll(t, seller, everything)[0].Status)
	require.Equal(t, 1, b.count(t, "answers"))
}

// The slower of two equal answers converges: it returns the first one.
func TestAnswer_slowerEqualConverges(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	var first inquiry.AnswerResult
	second, err := b.during(t, answerOf(seller, id, "yes\n"), func(ctx context.Context, tx pgx.Tx) {
		var err error
		first, err = b.store.Answer(ctx, postgres.Pass(tx), answerOf(seller, id, "yes"))
		require.NoError(t, err)
	})
	require.NoError(t, err)
	first.Converged = true
	require.Equal(t, first, second)
	require.Equal(t, 1, b.count(t, "answers"))
}

// The slower of two different answers is refused, and the first one stays.
func TestAnswer_slowerOtherIsRefused(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	_, err := b.during(t, answerOf(seller, id, "no"), func(ctx context.Context, tx pgx.Tx) {
		_, err := b.store.Answer(ctx, postgres.Pass(tx), answerOf(seller, id, "yes"))
		require.NoError(t, err)
	})
	require.ErrorIs(t, err, apierr.QnaAlreadyAnswered)
	require.Equal(t, "yes", b.listAll(t, seller, everything)[0].Answer.Content)
	require.Equal(t, 1, b.count(t, "answers"))
}

// A refusal does not depend on the locked row, so it must not wait for an operator's transaction.
func TestAnswer_refusalWaitsForNobody(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	_, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)
	tx, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	_, err = store.Cancel(t.Context(), tx, cancelOf(id))
	require.NoError(t, err)
	_, err = b.answer(t.Context(), answerOf(seller, id, "no"))
	require.ErrorIs(t, err, apierr.QnaAlreadyAnswered)
}

func TestAnswer_manyConcurrentOneWins(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	contents := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	failures := make([]error, len(contents))
	var calls sync.WaitGroup
	for i, content := range contents {
		calls.Go(func() { _, failures[i] = b.answer(t.Context(), answerOf(seller, id, content)) })
	}
	calls.Wait()
	var winners []string
	for i, content := range contents {
		if failures[i] == nil {
			winners = append(winners, content)
			continue
		}
		require.ErrorIs(t, failures[i], apierr.QnaAlreadyAnswered)
	}
	require.Equal(t, []string{b.listAll(t, seller, everything)[0].Answer.Content}, winners)
	require.Equal(t, 1, b.count(t, "answers"))
}

// Sellers and operators work on one inquiry concurrently: every call ends in one of the published ways, and the history is one
// unbroken chain that ends in the visible state.
func TestAnswer_concurrentHistoryUnbroken(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	var calls sync.WaitGroup
	for i := range 6 {
		calls.Go(func() {
			for range 15 {
				if i < 4 {
					_, err := b.answer(t.Context(), answerOf(seller, id, string(rune('a'+i%2))))
					requireOneOf(t, err, apierr.QnaAlreadyAnswered, apierr.QnaAnswerUnresolved)
				} else {
					_, err := b.store.Cancel(t.Context(), cancelOf(id))
					requireOneOf(t, err)
				}
			}
		})
	}
	calls.Wait()
	require.Zero(t, b.count(t, `(select from_status, lag(to_status, 1, 'waiting') over (order by changed_at) as before
		from status_changes) c where c.from_status <> c.before`))
	require.Zero(t, b.count(t, `inquiries i where i.status <>
		(select c.to_status from status_changes c order by c.changed_at desc limit 1)`))
	require.Zero(t, b.count(t, `inquiries i where i.updated_at <> (select max(c.changed_at) from status_changes c)`))
	require.Zero(t, b.count(t, `inquiries i where i.cancellations <>
		(select count(*) from status_changes c where c.trigger = 'cancel-answer')`))
}

// requireOneOf accepts success and the given codes.
func requireOneOf(t *testing.T, err error, codes ...apierr.Code) {
	t.Helper()
	if err == nil {
		return
	}
	for _, code := range codes {
		if apierr.From(err).Code == code {
			return
		}
	}
	t.Errorf("unexpected: %v", err)
}
