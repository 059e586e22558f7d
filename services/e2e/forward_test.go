package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// A reader that stores each page with the position after it has an exact copy, also of what 32 writers write between its pages,
// and when it stops between reading a page and storing it.
func TestForward_copyAmongWriters(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	client, mine, after := s.Client(seller.ID), copyOf{}, "beginning"
	read := func() bool {
		client.List(t, "20", "after", after) // is lost: the reader is stopped here, and starts again
		page := client.List(t, "20", "after", after)
		for _, order := range page.List {
			require.Greater(t, order.UpdatedAt, mine[order.OrderNo].UpdatedAt, "each version comes once, in the order of the changes")
		}
		mine.upsert(page.List)
		after = page.After
		return page.NextCursor != nil
	}
	writing := startWriters(t, s, seller.ID, 32, 15)
	writing.whileWriting(func() { read() })
	for more := true; more; {
		more = read()
	}
	requireComplete(t, mine, writing.wait(t), client.Walk(t, "100"))
	position := after
	require.False(t, read())
	require.Equal(t, position, after, "nothing new leaves the position")
}

// Every list can be read forwards, and its pages have the records of the list.
func TestForward_everyList(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(2), stacktest.Claimable(stacktest.Return))
	line := order.GetSellers()[0].GetLines()[0].GetItemId()
	d.RequestClaim(t, stacktest.NewClaim(stacktest.Return, order, stacktest.OnlyLines(line)))
	d.Ask(t, stacktest.NewInquiry(d.seller.ID))
	for _, path := range []string{"/open/v1/orders", "/open/v1/claims", "/open/v1/qna"} {
		get := func(query ...string) stacktest.Page[any] {
			return stacktest.RequireOK[stacktest.Page[any]](t, d.client.Do(t, stacktest.Get("", path, query...)))
		}
		whole := get()
		require.NotEmpty(t, whole.List, path)
		require.Empty(t, whole.After, path)
		forward := get("after", "beginning")
		require.Equal(t, whole.List, forward.List, path)
		require.Nil(t, forward.NextCursor, path)
		require.Equal(t, stacktest.Page[any]{List: []any{}, After: forward.After}, get("after", forward.After), path)
		require.Equal(t, whole.List, get("after", "2020-01-01T00:00:00+09:00").List, path)
	}
}

// A position is of one seller and one list and takes no filter; the answer names each parameter.
func TestForward_refused(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller, other := s.Seller(t), s.Seller(t)
	s.PlaceMany(t, 2, seller.ID)
	page := s.Client(seller.ID).List(t, "1", "after", "beginning")
	require.Equal(t, page.After, *page.NextCursor)
	requireInvalidCursor(t, s.Do(t, stacktest.Get(other.Key, "/open/v1/orders", "after", page.After)), "malformed")
	requireInvalidCursor(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/claims", "after", page.After)), "malformed")
	requireInvalidCursor(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "cursor", page.After)), "malformed")
	for name, value := range map[string]string{"item_status": "paid", "cursor": "x", "updated_at_gte": "2026-01-01T00:00"} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "after", page.After, name, value))
		stacktest.RequireInvalid(t, answer, "query."+name)
	}
	answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "after", "2026-13-01T00:00"))
	stacktest.RequireInvalid(t, answer, "query.after")
}
