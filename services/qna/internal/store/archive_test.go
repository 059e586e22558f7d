package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

// answered returns an inquiry that has an answer, and an earlier one that was canceled.
func (b fixture) answered(t *testing.T, seller uuid.UUID) uuid.UUID {
	t.Helper()
	id := b.postOne(t, seller)
	_, err := b.answer(t.Context(), answerOf(seller, id, "no"))
	require.NoError(t, err)
	changed, err := b.store.Cancel(t.Context(), cancelOf(id))
	require.NoError(t, err)
	require.True(t, changed)
	_, err = b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)
	return id
}

// archive archives the inquiry.
func (b fixture) archive(t *testing.T, seller, id uuid.UUID) {
	t.Helper()
	archived, err := b.store.Archive(t.Context(), store.Ended{SellerID: seller, QnaID: id}, 0)
	require.NoError(t, err)
	require.True(t, archived)
}

// rows returns all rows of inquiries as the database prints them.
func (b fixture) rows(t *testing.T) (text string) {
	t.Helper()
	require.NoError(t, b.Pool.QueryRow(t.Context(), `select concat((select json_agg(i) from inquiries i),
		(select json_agg(a order by a.seq) from answers a), (select json_agg(c order by c.changed_at) from status_changes c))`).Scan(&text))
	return text
}

// An archived inquiry leaves the list, and an operator brings back every row unchanged, except for the time of the change.
func TestArchive_leavesListComesBack(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.answered(t, seller)
	before, rows := b.listAll(t, seller, everything), b.rows(t)
	b.archive(t, seller, id)
	require.Empty(t, b.listAll(t, seller, everything))
	require.Zero(t, b.count(t, "answers")+b.count(t, "status_changes"))
	require.Equal(t, 1, b.count(t, "inquiry_ids"))

	_, err := b.answer(t.Context(), answerOf(seller, id, "yes")) // a repetition, which brings it back
	require.NoError(t, err)
	require.Equal(t, rows, b.rows(t))

	b.archive(t, seller, id)
	back, err := b.store.BringBack(t.Context(), id)
	require.NoError(t, err)
	require.True(t, back)
	after := b.listAll(t, seller, everything)
	require.True(t, after[0].UpdatedAt.After(before[0].UpdatedAt))
	before[0].UpdatedAt = after[0].UpdatedAt
	require.Equal(t, before, after)
	back, err = b.store.BringBack(t.Context(), id)
	require.NoError(t, err)
	require.False(t, back, "the inquiry was restored already")
}

// Every call about an archived inquiry has the same result as if it had not been archived.
func TestArchive_everyWayIn(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.answered(t, seller)
	b.archive(t, seller, id)
	_, err := b.answer(t.Context(), answerOf(seller, id, "another"))
	require.ErrorIs(t, err, apierr.QnaAlreadyAnswered)
	require.Equal(t, 1, b.count(t, "archived_inquiries"), "a refusal changes nothing")
	_, err = b.answer(t.Context(), answerOf(uuid.New(), id, "yes"))
	require.ErrorIs(t, err, apierr.QnaNotFound, "an inquiry of another seller")

	again, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)
	require.True(t, again.Converged)

	b.archive(t, seller, id)
	changed, err := b.store.Cancel(t.Context(), cancelOf(id))
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, inquiry.Waiting, b.listAll(t, seller, everything)[0].Status)
}

// The sweep archives answered inquiries once their time has come, and leaves waiting ones.
func TestArchiveEnded_sweep(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id, waiting := b.answered(t, seller), b.postOne(t, seller)
	for _, test := range []struct {
		after    time.Duration
		archived int
	}{{time.Hour, 0}, {time.Nanosecond, 1}, {time.Nanosecond, 1}} {
		_, err := sweep.New(b.store.ArchiveEnded(test.after), telemetrytest.Discard(t)).Once(t.Context())
		require.NoError(t, err)
		require.Equal(t, test.archived, b.count(t, "archived_inquiries"))
	}
	require.Equal(t, waiting, b.listAll(t, seller, everything)[0].QnaID)
	for _, not := range []store.Ended{{SellerID: seller, QnaID: waiting}, {SellerID: seller, QnaID: id}} {
		archived, err := b.store.Archive(t.Context(), not, 0)
		require.NoError(t, err)
		require.False(t, archived)
	}
}

// An inquiry stays visible while it moves to and from the archive.
func TestArchive_racesAnswers(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.answered(t, seller)
	var wg sync.WaitGroup
	failures := make(chan error, 300)
	for range 4 {
		wg.Go(func() {
			for range 30 {
				_, err := b.store.Archive(t.Context(), store.Ended{SellerID: seller, QnaID: id}, 0)
				failures <- err
			}
		})
		wg.Go(func() {
			for range 30 {
				_, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
				failures <- err
			}
		})
	}
	wg.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
}
