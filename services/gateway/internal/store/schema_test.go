package store_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/gateway/internal/store"
)

// All rows of a seller can live on one node.
func TestSchema_sellerLeads(t *testing.T) {
	t.Parallel()
	const sweep = "every gateway looks for those of all sellers, on each node apart"
	pgtest.RequireSellerLeads(t, pgtest.New(t, store.Migrations()), map[string]string{
		"key_hashes_pkey":        "what is asked for the seller",
		"key_audit_pkey":         "one chain over all sellers",
		"api_keys_unpublished":   sweep,
		"api_keys_published":     sweep,
		"webhooks_due":           sweep,
		"webhook_deliveries_age": sweep,
	})
}

// The gateway cannot change the audit trail, whatever grants gave it its rights.
func TestSchema_appendOnly(t *testing.T) {
	t.Parallel()
	pgtest.RequireAppendOnly(t, pgtest.New(t, store.Migrations()), "key_audit")
	pgtest.RequireAppendOnlyByDefault(t, store.Migrations(), "key_audit")
}

// The tables can be distributed over the nodes of a distributed database.
func TestSchema_canBeDistributed(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	require.NoError(t, distributed.Run(t.Context(), distributed.Config{Config: db.Config, Check: true}, db.Schema, io.Discard))
}
