package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// The sweep that archives, and who asks for what is in the archive, read no more the longer the marketplace lives.
func TestArchive_indexes(t *testing.T) {
	t.Parallel()
	db, big := pgtest.New(t, Migrations()), uuid.New()
	crowd(t, db, big)
	secured := db.AsService(t)
	sweep, seller := postgres.AllSellers(secured), postgres.OfSeller(secured, big)
	require.Equal(t, []string{"inquiries_ended"}, pgtest.Indexes(t, sweep, queries.SQL("EndedInquiries"), 100, time.Hour))
	require.Equal(t, []string{"inquiries_pkey"}, pgtest.Indexes(t, seller, queries.SQL("HasEnded"), big, uuid.New(), time.Hour))
	require.Equal(t, []string{"archived_inquiries_pkey", "inquiries_pkey"}, pgtest.Indexes(t, seller, queries.SQL("IsKept"), big, uuid.New()))
}
