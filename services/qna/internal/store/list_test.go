package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// walk reads a list to its end in pages and returns the ids in order.
func (b fixture) walk(t *testing.T, seller uuid.UUID, filter inquiry.Filter, limit int, between func()) []uuid.UUID {
	t.Helper()
	var ids []uuid.UUID
	var after *paging.Position
	for {
		page, err := b.store.List(t.Context(), seller, filter, after, limit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Rows), limit)
		for _, i := range page.Rows {
			ids = append(ids, i.QnaID)
		}
		if after = page.Next; after == nil {
			return ids
		}
		require.Len(t, page.Rows, limit, "every page but the last is full")
		if between != nil {
			between()
		}
	}
}

func idsOf(list []inquiry.Inquiry) []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(list))
	for _, i := range list {
		ids = append(ids, i.QnaID)
	}
	return ids
}

// postMany posts n inquiries in one call, so that they share one updated_at.
func (b fixture) postMany(t *testing.T, seller uuid.UUID, n int) {
	t.Helper()
	batch := make([]inquiry.Posted, 0, n)
	for range n {
		batch = append(batch, posted(seller))
	}
	_, err := b.store.Post(t.Context(), batch)
	require.NoError(t, err)
}

func TestList_walkWithEqualTimes(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	b.postMany(t, seller, 30)
	b.postMany(t, uuid.New(), 10)
	b.postMany(t, seller, 12)
	all := idsOf(b.listAll(t, seller, everything))
	require.Len(t, all, 42)
	for _, limit := range []int{1, 3, 7, 41, 42, 43, 100} {
		require.Equal(t, all, b.walk(t, seller, inquiry.Filter{}, limit, nil), "limit %d", limit)
	}
}

// An inquiry that changes during a walk moves to the top and may be missed there; every other one is returned once.
func TestList_walkWhileOthersChange(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	b.postMany(t, seller, 40)
	all := idsOf(b.listAll(t, seller, everything))
	changing, pages := map[uuid.UUID]bool{}, 0
	walked := b.walk(t, seller, inquiry.Filter{}, 4, func() {
		victim := all[(pages*7+13)%len(all)]
		pages++
		if !changing[victim] {
			changing[victim] = true
			_, err := b.answer(t.Context(), answerOf(seller, victim, "yes"))
			require.NoError(t, err)
		}
		b.postMany(t, seller, 1)
	})
	seen := map[uuid.UUID]bool{}
	for _, id := range walked {
		require.False(t, seen[id], "returned twice")
		seen[id] = true
	}
	for _, id := range all {
		require.True(t, seen[id] || changing[id], "missed")
	}
}

// Filters narrow the list, and their bounds are inclusive.
func TestList_filtersHaveInclusiveBounds(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 5 {
		b.postOne(t, seller)
	}
	list := b.listAll(t, seller, everything)
	_, err := b.answer(t.Context(), answerOf(seller, list[2].QnaID, "yes"))
	require.NoError(t, err)
	list = b.listAll(t, seller, everything)
	ids := idsOf(list)
	at := func(i int) *time.Time { return &list[i].UpdatedAt }
	before := func(i int) *time.Time { earlier := at(i).Add(-time.Microsecond); return &earlier }

	for name, c := range map[string]struct {
		filter inquiry.Filter
		want   []uuid.UUID
	}{
		"answered":                  {inquiry.Filter{Status: inquiry.Answered}, ids[:1]},
		"waiting":                   {inquiry.Filter{Status: inquiry.Waiting}, ids[1:]},
		"from":                      {inquiry.Filter{Updated: inquiry.Range{From: at(2)}}, ids[:3]},
		"to":                        {inquiry.Filter{Updated: inquiry.Range{Until: at(2)}}, ids[2:]},
		"to, a microsecond earlier": {inquiry.Filter{Updated: inquiry.Range{Until: before(2)}}, ids[3:]},
		"a single instant":          {inquiry.Filter{Updated: inquiry.Range{From: at(1), Until: at(1)}}, ids[1:2]},
		"all filters": {inquiry.Filter{
			Status:  inquiry.Waiting,
			Updated: inquiry.Range{From: at(3), Until: at(0)},
		}, ids[1:4]},
		"no match": {inquiry.Filter{Status: inquiry.Answered, Updated: inquiry.Range{Until: at(1)}}, nil},
	} {
		for _, limit := range []int{1, 2, 50} {
			require.Equal(t, c.want, b.walk(t, seller, c.filter, limit, nil), fmt.Sprint(name, " by ", limit))
		}
	}
}

// A poller that asks for changes since the largest time it has seen misses no inquiry, however many writers there are.
func TestList_resumingPollerMissesNothing(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	const writers, each = 6, 20
	done := make(chan error, writers)
	for range writers {
		go func() {
			for range each {
				p := posted(seller)
				if _, err := b.store.Post(t.Context(), []inquiry.Posted{p}); err != nil {
					done <- err
					return
				}
				if _, err := b.answer(t.Context(), answerOf(seller, p.QnaID, "yes")); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	copied := map[uuid.UUID]inquiry.Status{}
	var since *time.Time
	poll := func() {
		list := b.listAll(t, seller, inquiry.Filter{Updated: inquiry.Range{From: since}})
		for _, i := range list {
			copied[i.QnaID] = i.Status
		}
		if len(list) > 0 {
			since = &list[0].UpdatedAt
		}
	}
	for ended := 0; ended < writers; {
		poll()
		select {
		case err := <-done:
			require.NoError(t, err)
			ended++
		default:
		}
	}
	poll()
	require.Len(t, copied, writers*each)
	for _, status := range copied {
		require.Equal(t, inquiry.Answered, status)
	}
}
