package store_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

// The list is read from a replica that has the seller's latest changes, and from the primary otherwise.
func TestList_replica(t *testing.T) {
	t.Parallel()
	pair, tel, seller := pgtest.NewPair(t, store.Migrations()), telemetrytest.Discard(t), uuid.New()
	b := fixture{DB: &pair.DB, store: store.New(pair.Replicated(t, tel, postgres.PlannerSettings()))}
	pages := func(source string) float64 {
		return testutil.ToFloat64(tel.Counter(telemetry.DBPages).WithLabelValues(source))
	}
	b.postMany(t, seller, 3)
	pair.Pause(t)
	require.Len(t, b.walk(t, seller, inquiry.Filter{}, 2, nil), 3)
	require.InDelta(t, 2, pages("replica"), 0)
	b.postOne(t, seller)
	all := b.walk(t, seller, inquiry.Filter{}, 2, nil)
	require.Len(t, all, 4)
	require.InDelta(t, 2, pages("primary_behind"), 0)
	pair.Resume(t)
	require.Equal(t, all, b.walk(t, seller, inquiry.Filter{}, 2, nil))
	require.InDelta(t, 4, pages("replica"), 0)
}
