package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
)

// A parcel whose transaction is lost on the way is not told as shipped, also when its commit, which travels behind the last
// statements, may have taken place; and sent again it is shipped once.
func TestShipAloneCut(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{"begin", "SaveItem", "commit"} {
		for _, way := range pgtest.Ways() {
			t.Run(statement+" "+string(way), func(t *testing.T) {
				t.Parallel()
				h := newShop(t)
				pool, cutter := h.db.OpenCut(t)
				s, instant := New(pool, order.DefaultTerms()), h.endless()
				calls := h.street(2)
				h.must(s.ShipAlone(t.Context(), instant, calls[0], parcels[0])) // statements are prepared now
				cutter.Cut(statement, way)
				_, err := s.ShipAlone(t.Context(), instant, calls[1], parcels[1])
				require.ErrorIs(t, err, apierr.Unavailable)
				require.Zero(t, cutter.Pending())
				again := h.must(s.ShipAlone(t.Context(), instant, calls[1], parcels[1]))
				committed := statement != "begin" && way == pgtest.Unanswered // the batch is one
				require.Equal(t, committed, again.Items[0].AlreadyDone)
				require.Equal(t, string(parcels[1].TrackingNo), again.Items[0].Item.TrackingNo)
			})
		}
	}
}
