package changes

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
)

// clocks are the clocks of sellers. A change takes its time when it begins, and is seen when it commits.
type clocks struct {
	now    time.Time
	seen   map[uuid.UUID]time.Time
	opened []postgres.SellerClock
}

func (c *clocks) changed(_ context.Context, after paging.Position, limit int) ([]postgres.SellerClock, time.Time, error) {
	var found []postgres.SellerClock
	for seller, last := range c.seen {
		if order := last.Compare(after.UpdatedAt); order > 0 || order == 0 && seller.String() > after.ID.String() {
			found = append(found, postgres.SellerClock{Seller: seller, Last: last})
		}
	}
	slices.SortFunc(found, func(a, b postgres.SellerClock) int {
		if order := a.Last.Compare(b.Last); order != 0 {
			return order
		}
		return strings.Compare(a.Seller.String(), b.Seller.String())
	})
	return found[:min(limit, len(found))], c.now, nil
}

// step lets time pass, changes begin, and changes commit that began at most that long before.
func (c *clocks) step(random *rand.Rand, sellers []uuid.UUID, within time.Duration) {
	c.now = c.now.Add(time.Duration(random.Int64N(int64(20 * time.Second))))
	for range random.IntN(4) {
		c.opened = append(c.opened, postgres.SellerClock{Seller: sellers[random.IntN(len(sellers))], Last: c.now})
	}
	c.opened = slices.DeleteFunc(c.opened, func(one postgres.SellerClock) bool {
		if random.IntN(2) == 0 && c.now.Sub(one.Last) < within {
			return false
		}
		if one.Last.After(c.seen[one.Seller]) {
			c.seen[one.Seller] = one.Last
		}
		return true
	})
}

// A caller that keeps the clocks has those of all sellers at rest, although changes commit in another order than that of their
// times, and also while it walks from page to page.
func TestSellers_noneIsMissed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same in each run
		c := &clocks{now: time.Unix(1_000_000, 0).UTC(), seen: map[uuid.UUID]time.Time{}}
		sellers := make([]uuid.UUID, 12)
		for n := range sellers {
			sellers[n] = uuid.New()
		}
		s := &Sellers{Cursors: signer(t), Changed: c.changed}
		known, next := map[uuid.UUID]time.Time{}, ""
		call := func() bool {
			page, err := s.Read(t.Context(), request{after: next, limit: 1 + random.Int32N(5)})
			require.NoError(t, err)
			for _, one := range page.Clocks {
				known[one.Seller] = one.Last
			}
			next = page.Next
			return page.More
		}
		for range 60 {
			c.step(random, sellers, overlap/2)
			call()
		}
		c.step(random, sellers, 0)
		for range 2 { // to the end of the walk, and through the next
			for call() {
				continue
			}
		}
		require.Equal(t, c.seen, known, seed)
	}
}

// A call long after the last change returns nothing, and leaves the position where it is; one in the future comes back.
func TestSellers_atRest(t *testing.T) {
	t.Parallel()
	seller, at := uuid.New(), time.Unix(1_000_000, 0).UTC()
	c := &clocks{now: at.Add(time.Hour), seen: map[uuid.UUID]time.Time{seller: at}}
	s := &Sellers{Cursors: signer(t), Changed: c.changed}
	page, err := s.Read(t.Context(), request{})
	require.NoError(t, err)
	require.Equal(t, []postgres.SellerClock{{Seller: seller, Last: at}}, page.Clocks)
	again, err := s.Read(t.Context(), request{after: page.Next})
	require.NoError(t, err)
	require.Equal(t, SellersPage{Clocks: []postgres.SellerClock{}, Next: page.Next}, SellersPage{
		Clocks: append([]postgres.SellerClock{}, again.Clocks...), Next: again.Next,
	})
	page, err = s.Read(t.Context(), request{after: "1970-02-01T00:00Z"})
	require.NoError(t, err)
	c.seen[seller] = c.now
	page, err = s.Read(t.Context(), request{after: page.Next})
	require.NoError(t, err)
	require.Len(t, page.Clocks, 1, "what changes next comes, whatever time was asked for")
}

// A limit or a time that is wrong is named; a position of a list is none of the sellers.
func TestSellers_refused(t *testing.T) {
	t.Parallel()
	s := &Sellers{Cursors: signer(t)}
	for _, of := range []request{{limit: -1}, {limit: 10_001}, {after: "2026"}} {
		_, err := s.Read(t.Context(), of)
		require.ErrorIs(t, err, apierr.ValidationError)
	}
	_, err := s.Read(t.Context(), request{after: signer(t).SignPosition("", "orders", paging.Beginning())})
	require.ErrorIs(t, err, apierr.InvalidCursor)
}
