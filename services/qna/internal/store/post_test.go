package store_test

import (
	"bytes"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/qna/internal/inquiry"
)

// A posted inquiry is listed with every field and waits for an answer.
func TestPost_listedWithEveryField(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	full, bare := posted(seller), posted(seller)
	bare.ImageURLs, bare.IsSecret = []string{}, false
	outcomes, err := b.store.Post(t.Context(), []inquiry.Posted{full, bare})
	require.NoError(t, err)
	require.Equal(t, []inquiry.PostOutcome{inquiry.PostNew, inquiry.PostNew}, outcomes)

	listed := b.listAll(t, seller, everything)
	require.Len(t, listed, 2)
	state := inquiry.State{Status: inquiry.Waiting, UpdatedAt: listed[0].UpdatedAt}
	both := []inquiry.Inquiry{{Posted: full, State: state}, {Posted: bare, State: state}}
	slices.SortFunc(both, func(a, b inquiry.Inquiry) int { return bytes.Compare(b.QnaID[:], a.QnaID[:]) })
	require.Equal(t, both, listed, "one time for the whole call, sorted by ID")
	require.True(t, state.UpdatedAt.After(morning))
}

// An inquiry from a clock that is ahead of ours was not written after it arrived, and so never after its answer. Sent again it
// is known.
func TestPost_createdAhead(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	ahead := posted(seller)
	ahead.CreatedAt = time.Now().Add(time.Minute)
	_, err := b.store.Post(t.Context(), []inquiry.Posted{ahead})
	require.NoError(t, err)
	listed := b.listAll(t, seller, everything)
	require.Equal(t, listed[0].UpdatedAt, listed[0].CreatedAt)
	outcomes, err := b.store.Post(t.Context(), []inquiry.Posted{ahead})
	require.NoError(t, err)
	require.Equal(t, []inquiry.PostOutcome{inquiry.PostRepeated}, outcomes)
}

func TestPostingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	first := posted(seller)
	_, err := b.store.Post(t.Context(), []inquiry.Posted{first})
	require.NoError(t, err)
	before := b.listAll(t, seller, everything)

	other, stranger := first, first
	other.Body, stranger.SellerID = "another text", uuid.New()
	outcomes, err := b.store.Post(t.Context(), []inquiry.Posted{first, other, stranger})
	require.NoError(t, err)
	require.Equal(t, []inquiry.PostOutcome{inquiry.PostRepeated, inquiry.PostConflict, inquiry.PostConflict}, outcomes)
	require.Equal(t, before, b.listAll(t, seller, everything))
	require.Empty(t, b.listAll(t, stranger.SellerID, everything))
}

// A repetition must not undo later changes: the answer stays.
func TestPost_againLeavesAnswer(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	first := posted(seller)
	_, err := b.store.Post(t.Context(), []inquiry.Posted{first})
	require.NoError(t, err)
	_, err = b.answer(t.Context(), answerOf(seller, first.QnaID, "yes"))
	require.NoError(t, err)
	before := b.listAll(t, seller, everything)
	outcomes, err := b.store.Post(t.Context(), []inquiry.Posted{first})
	require.NoError(t, err)
	require.Equal(t, []inquiry.PostOutcome{inquiry.PostRepeated}, outcomes)
	require.Equal(t, before, b.listAll(t, seller, everything))
}

// One call may bring thousands of inquiries for many sellers.
func TestPost_thousandsForManySellers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sellers := []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	batch := make([]inquiry.Posted, 0, 5000)
	for i := range 5000 {
		batch = append(batch, posted(sellers[i%len(sellers)]))
	}
	outcomes, err := b.store.Post(t.Context(), batch)
	require.NoError(t, err)
	require.Equal(t, slices.Repeat([]inquiry.PostOutcome{inquiry.PostNew}, 5000), outcomes)
	require.Equal(t, 5000, b.count(t, "inquiries"))

	again, err := b.store.Post(t.Context(), batch)
	require.NoError(t, err)
	require.Equal(t, slices.Repeat([]inquiry.PostOutcome{inquiry.PostRepeated}, 5000), again)
	require.Equal(t, 5000, b.count(t, "inquiries"))
}

// The marketplace core repeats a call whose response it did not get, while the first one may still be running: each inquiry is
// posted by exactly one of the calls.
func TestPost_concurrentSameBatch(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	batch := []inquiry.Posted{posted(seller), posted(uuid.New()), posted(seller), posted(uuid.New())}
	outcomes, failures := make([][]inquiry.PostOutcome, 8), make([]error, 8)
	var calls sync.WaitGroup
	for i := range outcomes {
		calls.Go(func() {
			mine := slices.Clone(batch)
			if i%2 == 1 {
				slices.Reverse(mine)
			}
			outcomes[i], failures[i] = b.store.Post(t.Context(), mine)
		})
	}
	calls.Wait()
	taken := 0
	for i, list := range outcomes {
		require.NoError(t, failures[i])
		require.NotContains(t, list, inquiry.PostConflict)
		for _, outcome := range list {
			if outcome == inquiry.PostNew {
				taken++
			}
		}
	}
	require.Equal(t, len(batch), taken)
	require.Equal(t, len(batch), b.count(t, "inquiries"))
}

// Two calls use one id for two sellers concurrently. One succeeds, the other gets the conflict; neither fails.
func TestPost_oneIDForTwoSellersAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 10 {
		mine, yours := posted(uuid.New()), posted(uuid.New())
		theirs := mine
		theirs.SellerID = yours.SellerID
		mineToo := yours
		mineToo.SellerID = mine.SellerID
		batches := [][]inquiry.Posted{{mine, mineToo}, {yours, theirs}}
		outcomes, failures := make([][]inquiry.PostOutcome, 2), make([]error, 2)
		var calls sync.WaitGroup
		for i := range batches {
			calls.Go(func() { outcomes[i], failures[i] = b.store.Post(t.Context(), batches[i]) })
		}
		calls.Wait()
		require.NoError(t, failures[0])
		require.NoError(t, failures[1])
		require.ElementsMatch(t, []inquiry.PostOutcome{inquiry.PostNew, inquiry.PostConflict},
			[]inquiry.PostOutcome{outcomes[0][0], outcomes[1][1]})
		require.ElementsMatch(t, []inquiry.PostOutcome{inquiry.PostNew, inquiry.PostConflict},
			[]inquiry.PostOutcome{outcomes[1][0], outcomes[0][1]})
	}
}
