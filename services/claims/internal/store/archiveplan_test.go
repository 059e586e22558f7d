package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// The archiving sweep, and queries of the archive, do not read more the longer the marketplace exists.
func TestArchive_indexes(t *testing.T) {
	t.Parallel()
	db, big := pgtest.New(t, Migrations()), uuid.New()
	crowd(t, db, big, uuid.New())
	pool := db.AsService(t)
	for name, c := range map[string]struct {
		db      postgres.Scoped
		args    []any
		indexes []string
	}{
		"EndedClaims": {postgres.AllSellers(pool), []any{100, time.Hour, time.Time{}}, []string{"claims_ended"}},
		"HasEnded":    {postgres.OfSeller(pool, big), []any{big, "C-1000", time.Hour}, []string{"claims_by_order", "claims_claim_no", "evidence_pending", "refunds_pkey", "steps_pkey"}},
		"OrderOfKept": {postgres.OfSeller(pool, big), []any{big, "C-1000"}, []string{"archived_claims_pkey", "claims_claim_no"}},
	} {
		require.Equal(t, c.indexes, pgtest.Indexes(t, c.db, queries.SQL(name), c.args...), name)
	}
	found := pgtest.Indexes(t, postgres.OfSeller(pool, big), findArchived, big, "C-1000")
	require.Equal(t, []string{"archived_claims_pkey"}, found)
}
