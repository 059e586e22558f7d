package store_test

import (
	"io"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/qna/internal/store"
)

// The inbox's statements are those of package inbox, so its tables must be the ones that the package describes.
func TestSchema_recordIsThatOfInbox(t *testing.T) {
	t.Parallel()
	migration, err := fs.ReadFile(store.Migrations(), "00001_qna.sql")
	require.NoError(t, err)
	require.Contains(t, string(migration), inbox.Schema)
}

// All rows of a seller can live on one node.
func TestSchema_sellerLeads(t *testing.T) {
	t.Parallel()
	const sweep = "what is past its time is looked for among all sellers, on each node apart"
	pgtest.RequireSellerLeads(t, pgtest.New(t, store.Migrations()), map[string]string{
		"inquiry_ids_pkey":     "asked without knowing the seller",
		"inbox_by_age":         sweep,
		"seller_clock_latest":  "which sellers have changed is asked for all of them",
		"inquiries_ended":      sweep,
		"inbox_answers_by_age": sweep,
	})
}

// No statement of the service can change answers and their history, whatever grants gave it its rights.
func TestSchema_appendOnly(t *testing.T) {
	t.Parallel()
	kept := []string{"answers", "status_changes"}
	pgtest.RequireAppendOnly(t, pgtest.New(t, store.Migrations()), kept...)
	pgtest.RequireAppendOnlyByDefault(t, store.Migrations(), kept...)
}

// The tables can be distributed over the nodes of a distributed database.
func TestSchema_canBeDistributed(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	require.NoError(t, distributed.Run(t.Context(), distributed.Config{Config: db.Config, Check: true}, db.Schema, io.Discard))
}
