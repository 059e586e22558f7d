package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/claims/internal/claim"
)

// listAll returns the whole list, newest change first.
func (b fixture) listAll(t *testing.T, seller uuid.UUID) []claim.Listed {
	t.Helper()
	page, err := b.store.List(t.Context(), seller, claim.Filter{}, nil, paging.MaxLimit)
	require.NoError(t, err)
	require.Nil(t, page.Next)
	return page.Rows
}

// What is read forwards is what the list has, from its end, also among equal times. A time begins with the changes at that time.
func TestForward_listFromItsEnd(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 4 {
		for _, kind := range claim.Types() {
			b.openOne(t, seller, kind)
		}
	}
	b.openOne(t, uuid.New(), claim.Return)
	_, err := b.Pool.Exec(t.Context(), `update claims set requested_at = $2, updated_at = $2 where seller_id = $1
		and claim_id in (select claim_id from claims where seller_id = $1 order by updated_at limit 5)`,
		seller, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	all := b.listAll(t, seller)
	for _, limit := range []int{1, 5, 12, 100} {
		var got []claim.Listed
		for after, more := paging.Beginning(), true; more; {
			page, err := b.store.Forward(t.Context(), seller, after, limit)
			require.NoError(t, err)
			got, after, more = append(got, page.Rows...), page.End, page.More
		}
		require.Len(t, got, len(all))
		for n := range got {
			require.Equal(t, all[len(all)-1-n], got[n])
		}
	}
	page, err := b.store.Forward(t.Context(), seller, paging.Since(all[2].UpdatedAt), 10)
	require.NoError(t, err)
	require.Equal(t, []claim.Listed{all[2], all[1], all[0]}, page.Rows)
	page, err = b.store.Forward(t.Context(), seller, paging.Since(all[0].UpdatedAt.Add(time.Hour)), 10)
	require.NoError(t, err)
	require.Empty(t, page.Rows)
	require.Equal(t, all[0].UpdatedAt, page.End.UpdatedAt, "no later than the clock")
}

// A reader that stores page and position together has an exact copy, while claims are requested and go on between its pages.
func TestForward_copyEqualsList(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	copied, after := map[uuid.UUID]claim.Listed{}, paging.Beginning()
	read := func() {
		page, err := b.store.Forward(t.Context(), seller, after, 3)
		require.NoError(t, err)
		for _, row := range page.Rows {
			require.True(t, row.UpdatedAt.After(copied[row.ID].UpdatedAt))
			copied[row.ID] = row
		}
		after = page.End
	}
	for round := range 12 {
		c := b.openOne(t, seller, claim.Return)
		read()
		b.openOne(t, seller, claim.Exchange)
		if round%2 == 0 {
			c = b.act(t, c, claim.Approve, claim.Values{})
			read()
			b.act(t, c, claim.Pickup, hanjin)
		}
	}
	for more := true; more; {
		before := after
		read()
		more = after != before
	}
	all := b.listAll(t, seller)
	require.Len(t, copied, len(all))
	for _, row := range all {
		require.Equal(t, row, copied[row.ID])
	}
}
