package store_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// The list is read from a replica that has the seller's latest changes, and from the primary otherwise.
func TestList_replica(t *testing.T) {
	t.Parallel()
	pair, tel, seller := pgtest.NewPair(t, store.Migrations()), telemetrytest.Discard(t), uuid.New()
	b := fixture{DB: &pair.DB, store: store.New(pair.Replicated(t, tel, nil))}
	pages := func(source string) float64 {
		return testutil.ToFloat64(tel.Counter(telemetry.DBPages).WithLabelValues(source))
	}
	first, second := b.openOne(t, seller, claim.Return), b.openOne(t, seller, claim.Cancel)
	pair.Pause(t)
	require.Equal(t, []string{second.No, first.No}, b.walk(t, seller, claim.Filter{}, 50))
	require.InDelta(t, 1, pages("replica"), 0)
	b.act(t, first, claim.Approve, claim.Values{})
	require.Equal(t, []string{first.No, second.No}, b.walk(t, seller, claim.Filter{}, 50))
	require.InDelta(t, 1, pages("primary_behind"), 0)
	pair.Resume(t)
	require.Equal(t, []string{first.No, second.No}, b.walk(t, seller, claim.Filter{}, 50))
	require.InDelta(t, 2, pages("replica"), 0)
}
