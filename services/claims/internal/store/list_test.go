package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

func TestList_walkWithEqualTimes(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 8 {
		for _, kind := range claim.Types() {
			b.openOne(t, seller, kind)
		}
	}
	b.openOne(t, uuid.New(), claim.Return)
	_, err := b.Pool.Exec(t.Context(), `update claims set requested_at = $2, updated_at = $2 where seller_id = $1
		and claim_id <> all (select claim_id from claims where seller_id = $1 order by claim_id limit
		8)`, seller, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	all := b.walk(t, seller, claim.Filter{}, 100)
	require.Len(t, all, 24)
	for _, limit := range []int{1, 3, 7, 23, 24, 25} {
		require.Equal(t, all, b.walk(t, seller, claim.Filter{}, limit), "limit %d", limit)
	}
}

// The claim with the newest change is first in the list.
func TestList_newestChangeFirst(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	first, second := b.openOne(t, seller, claim.Return), b.openOne(t, seller, claim.Cancel)
	require.Equal(t, []string{second.No, first.No}, b.walk(t, seller, claim.Filter{}, 50))
	b.act(t, first, claim.Approve, claim.Values{})
	require.Equal(t, []string{first.No, second.No}, b.walk(t, seller, claim.Filter{}, 50))
}

// Filters narrow the list, and their bounds are inclusive.
func TestList_filtersHaveInclusiveBounds(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	r, x, c := b.openOne(t, seller, claim.Return), b.openOne(t, seller, claim.Exchange), b.openOne(t, seller, claim.Cancel)
	r2 := b.openOne(t, seller, claim.Return)
	r = b.act(t, r, claim.Approve, claim.Values{})
	at := func(instant time.Time) *time.Time { return &instant }
	before := func(instant time.Time) *time.Time { return at(instant.Add(-time.Microsecond)) }
	for name, q := range map[string]struct {
		filter claim.Filter
		want   []string
	}{
		"type":                            {claim.Filter{Type: claim.Return}, []string{r.No, r2.No}},
		"status":                          {claim.Filter{Status: claim.Requested}, []string{r2.No, c.No, x.No}},
		"type and status":                 {claim.Filter{Type: claim.Return, Status: claim.Approved}, []string{r.No}},
		"type and status without a match": {claim.Filter{Type: claim.Exchange, Status: claim.Approved}, nil},
		"requested from":                  {claim.Filter{Requested: claim.Range{From: &c.RequestedAt}}, []string{r2.No, c.No}},
		"requested until":                 {claim.Filter{Requested: claim.Range{Until: &x.RequestedAt}}, []string{r.No, x.No}},
		"requested until, just less":      {claim.Filter{Requested: claim.Range{Until: before(x.RequestedAt)}}, []string{r.No}},
		"requested at one instant": {claim.Filter{Requested: claim.Range{
			From:  &r.RequestedAt,
			Until: &r.RequestedAt,
		}}, []string{r.No}},
		"updated from":             {claim.Filter{Updated: claim.Range{From: &r2.UpdatedAt}}, []string{r.No, r2.No}},
		"updated until":            {claim.Filter{Updated: claim.Range{Until: &c.UpdatedAt}}, []string{c.No, x.No}},
		"updated until, just less": {claim.Filter{Updated: claim.Range{Until: before(c.UpdatedAt)}}, []string{x.No}},
		"all together": {claim.Filter{
			Type: claim.Return, Status: claim.Requested, Requested: claim.Range{From: &r.RequestedAt, Until: &r2.RequestedAt},
			Updated: claim.Range{From: &r2.UpdatedAt, Until: &r.UpdatedAt},
		}, []string{r2.No}},
	} {
		for _, limit := range []int{1, 2, 50} {
			require.Equal(t, q.want, b.walk(t, seller, q.filter, limit), "%s, limit %d", name, limit)
		}
	}
}

// The items of a claim are in the order of the request, whatever the order in which the database returns them.
func TestItems_inOrderOfRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := wanted(uuid.New(), claim.Exchange)
	for range 4 {
		w.Items = append(w.Items, claim.WantedItem{ItemID: uuid.New(), Quantity: 1, ExchangeOptionName: "초록"})
	}
	c := b.open(t, w)
	require.Len(t, c.Items, 5)
	require.Equal(t, c.Items, b.get(t, c).Items)
	require.Equal(t, idsOf(c.Items), b.listedItems(t, b.store, c))
	// Without its index, the table is read in the order of the last writes.
	_, err := b.Pool.Exec(t.Context(), "update claim_items set quantity = quantity where seq = 0")
	require.NoError(t, err)
	b.Config.Settings = map[string]string{"enable_indexscan": "off", "enable_bitmapscan": "off"}
	require.Equal(t, idsOf(c.Items), b.listedItems(t, store.New(b.Open(t, telemetrytest.Discard(t))), c))
}

func (b fixture) listedItems(t *testing.T, s *store.Store, c claim.Claim) []uuid.UUID {
	t.Helper()
	page, err := s.List(t.Context(), c.SellerID, claim.Filter{}, nil, 50)
	require.NoError(t, err)
	require.Len(t, page.Rows, 1)
	return idsOf(page.Rows[0].Items)
}

func idsOf(items []claim.Item) []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(items))
	for _, item := range items {
		ids = append(ids, item.ItemID)
	}
	return ids
}
