package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// follow reads forwards from a position until nothing is left, and returns the position after it. Each page is passed to store.
func (b fixture) follow(t *testing.T, seller uuid.UUID, after paging.Position, limit int,
	store func([]inquiry.Inquiry),
) paging.Position {
	t.Helper()
	for {
		page, err := b.store.Forward(t.Context(), seller, after, limit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Rows), limit)
		store(page.Rows)
		if after = page.End; !page.More {
			return after
		}
		require.Len(t, page.Rows, limit, "every page but the last is full")
	}
}

// What is read forwards is what the list has, from its end, also among equal times.
func TestForward_listFromItsEnd(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	b.postMany(t, seller, 12)
	b.postMany(t, uuid.New(), 5)
	b.postMany(t, seller, 9)
	all := b.listAll(t, seller, everything)
	for _, limit := range []int{1, 4, 21, 100} {
		var got []inquiry.Inquiry
		end := b.follow(t, seller, paging.Beginning(), limit, func(page []inquiry.Inquiry) { got = append(got, page...) })
		require.Len(t, got, len(all))
		for n, i := range got {
			require.Equal(t, all[len(all)-1-n], i)
		}
		page, err := b.store.Forward(t.Context(), seller, end, limit)
		require.NoError(t, err)
		require.Equal(t, paging.ForwardPage[inquiry.Inquiry]{Rows: page.Rows, End: end, Clock: all[0].UpdatedAt}, page)
		require.Empty(t, page.Rows)
	}
}

// A time begins with the changes at that time; one in the future, with the next change, whenever that comes.
func TestForward_sinceTime(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	first, second := b.postOne(t, seller), b.postOne(t, seller)
	all := b.listAll(t, seller, everything)
	for at, want := range map[time.Time][]uuid.UUID{
		all[1].UpdatedAt: {first, second}, all[0].UpdatedAt: {second}, all[0].UpdatedAt.Add(time.Microsecond): {},
	} {
		page, err := b.store.Forward(t.Context(), seller, paging.Since(at), 10)
		require.NoError(t, err)
		require.Equal(t, want, idsOf(page.Rows))
	}
	page, err := b.store.Forward(t.Context(), seller, paging.Since(all[0].UpdatedAt.Add(time.Hour)), 10)
	require.NoError(t, err)
	third := b.postOne(t, seller)
	page, err = b.store.Forward(t.Context(), seller, page.End, 10)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{third}, idsOf(page.Rows))

	page, err = b.store.Forward(t.Context(), uuid.New(), paging.Since(time.Now().Add(time.Hour)), 10)
	require.NoError(t, err)
	require.Equal(t, paging.Beginning(), page.End, "nothing of the seller has changed yet")
}

// A reader that stores page and position together has an exact copy, however many writers there are between its pages.
func TestForward_copyEqualsList(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	var group errgroup.Group
	for range 6 {
		group.Go(func() error {
			for range 20 {
				p := posted(seller)
				if _, err := b.store.Post(t.Context(), []inquiry.Posted{p, posted(seller), posted(uuid.New())}); err != nil {
					return err
				}
				if _, err := b.answer(t.Context(), answerOf(seller, p.QnaID, "yes")); err != nil {
					return err
				}
			}
			return nil
		})
	}
	over := make(chan error, 1)
	go func() { over <- group.Wait() }()
	copied, position := map[uuid.UUID]inquiry.Inquiry{}, paging.Beginning()
	read := func() {
		position = b.follow(t, seller, position, 3, func(page []inquiry.Inquiry) {
			for _, i := range page {
				require.True(t, i.UpdatedAt.After(copied[i.QnaID].UpdatedAt), "each version comes once, in the order of the changes")
				copied[i.QnaID] = i
			}
		})
	}
	for writing := true; writing; {
		select {
		case err := <-over:
			require.NoError(t, err)
			writing = false
		default:
		}
		read()
	}
	all := b.listAll(t, seller, everything)
	require.Len(t, copied, len(all))
	for _, i := range all {
		require.Equal(t, i, copied[i.QnaID])
	}
}
