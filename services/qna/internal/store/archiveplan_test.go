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
	crowd(t, db, big)
	pool := db.AsService(t)
	sweep, seller := postgres.AllSellers(pool), postgres.OfSeller(pool, big)
	require.Equal(t, []string{"inquiries_ended"}, pgtest.Indexes(t, sweep, queries.SQL("EndedInquiries"), 100, time.Hour))
	require.Equal(t, []string{"inquiries_pkey"}, pgtest.Indexes(t, seller, queries.SQL("HasEnded"), big, uuid.New(), time.Hour))
	require.Equal(t, []string{"archived_inquiries_pkey", "inquiries_pkey"}, pgtest.Indexes(t, seller, queries.SQL("IsKept"), big, uuid.New()))
}
