package store_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/qna/internal/inquiry"
)

func TestAnswer_storedAsSentAndMovedToTop(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	answeredID := b.postOne(t, seller)
	waitingID := b.postOne(t, seller)
	const content = "  네,\r\n\u1112\u1161\u11ab 시간 뒤에 ✅ \n"
	answered, err := b.answer(t.Context(), answerOf(seller, answeredID, content))
	require.NoError(t, err)
	require.Equal(t, inquiry.AnswerResult{
		QnaID: answeredID, UpdatedAt: answered.UpdatedAt,
		Answer: inquiry.Answer{Content: content, AnsweredAt: answered.UpdatedAt},
	}, answered)

	listed := b.listAll(t, seller, everything)
	require.Equal(t, answeredID, listed[0].QnaID)
	require.Equal(t, inquiry.State{
		Status: inquiry.Answered, UpdatedAt: answered.UpdatedAt,
		Answer: &answered.Answer,
	}, listed[0].State)
	require.Equal(t, waitingID, listed[1].QnaID)
	require.Equal(t, inquiry.Waiting, listed[1].Status)
	require.True(t, listed[0].UpdatedAt.After(listed[1].UpdatedAt))
}

// A repetition returns the first answer and changes no time, so that no poller sees a change.
func TestAnswer_sameAgainChangesNothing(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	first, err := b.answer(t.Context(), answerOf(seller, id, "one\r\ntwo"))
	require.NoError(t, err)
	before := b.listAll(t, seller, everything)

	again, err := b.answer(t.Context(), answerOf(seller, id, "one\ntwo\n"))
	require.NoError(t, err)
	first.Converged = true
	require.Equal(t, first, again)
	require.Equal(t, before, b.listAll(t, seller, everything))
	require.Equal(t, 1, b.count(t, "answers"))
	require.Equal(t, 1, b.count(t, "status_changes"))
}

// Another answer is refused and changes nothing.
func TestAnswer_otherIsRefused(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	_, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)
	before := b.listAll(t, seller, everything)
	_, err = b.answer(t.Context(), answerOf(seller, id, "no"))
	require.ErrorIs(t, err, apierr.QnaAlreadyAnswered)
	require.Equal(t, before, b.listAll(t, seller, everything))
	require.Equal(t, 1, b.count(t, "answers"))
}

// Another seller's inquiry and a missing one have the same result.
func TestAnswer_otherSellerNotFound(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	_, foreign := b.answer(t.Context(), answerOf(uuid.New(), id, "yes"))
	_, missing := b.answer(t.Context(), answerOf(seller, uuid.New(), "yes"))
	require.ErrorIs(t, foreign, apierr.QnaNotFound)
	require.Equal(t, missing, foreign)
	require.Equal(t, inquiry.Waiting, b.listAll(t, seller, everything)[0].Status)
}

func TestCancel_nextAnswerIsAFirstOne(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	first, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)

	changed, err := b.store.Cancel(t.Context(), cancelOf(id))
	require.NoError(t, err)
	require.True(t, changed)
	cancelled := b.listAll(t, seller, everything)[0].State
	require.Equal(t, inquiry.State{Status: inquiry.Waiting, UpdatedAt: cancelled.UpdatedAt, Cancellations: 1}, cancelled)
	require.True(t, cancelled.UpdatedAt.After(first.UpdatedAt))

	second, err := b.answer(t.Context(), answerOf(seller, id, "yes"))
	require.NoError(t, err)
	require.False(t, second.Converged)
	require.True(t, second.Answer.AnsweredAt.After(cancelled.UpdatedAt))
}

// Cancelling an answer that does not exist changes nothing; an unknown inquiry is not found.
func TestCancel_notAnswered(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	before := b.listAll(t, seller, everything)
	changed, err := b.store.Cancel(t.Context(), cancelOf(id))
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, before, b.listAll(t, seller, everything))
	_, err = b.store.Cancel(t.Context(), cancelOf(uuid.New()))
	require.ErrorIs(t, err, apierr.QnaNotFound)
}

// An operator who must explain what was shown at which time finds every answer and who changed what.
func TestHistory_everyAnswerAndActor(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	id := b.postOne(t, seller)
	for _, content := range []string{"yes", "no"} {
		_, err := b.answer(t.Context(), answerOf(seller, id, content))
		require.NoError(t, err)
		_, err = b.store.Cancel(t.Context(), cancelOf(id))
		require.NoError(t, err)
	}
	var lines []string
	rows, err := b.Pool.Query(t.Context(), `
		select concat_ws(' ', c.from_status, c.trigger, c.to_status, c.actor, c.actor_name, coalesce(c.reason, '-'), a.content)
		from status_changes c join answers a on a.qna_id = c.qna_id and a.seq = c.answer_seq order by c.changed_at`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		lines = append(lines, line)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{
		"waiting answer answered api key-1 - yes",
		"answered cancel-answer waiting operator operator-1 wrong product yes",
		"waiting answer answered api key-1 - no",
		"answered cancel-answer waiting operator operator-1 wrong product no",
	}, lines)
}
