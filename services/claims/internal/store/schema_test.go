package store_test

import (
	"io"
	"io/fs"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// The inbox's statements are those of package inbox, so its tables must be the ones that the package describes.
func TestSchema_recordOfPackageInbox(t *testing.T) {
	t.Parallel()
	migration, err := fs.ReadFile(store.Migrations(), "00001_claims.sql")
	require.NoError(t, err)
	require.Contains(t, string(migration), inbox.Schema)
}

// All rows of a seller can live on one node of a distributed database.
func TestSchema_sellerLeads(t *testing.T) {
	t.Parallel()
	const directory = "a directory: searched by those who do not know the seller, and unique over all sellers"
	const swept = "asked for by sweeps and metrics of all sellers, on each node apart"
	pgtest.RequireSellerLeads(t, pgtest.New(t, store.Migrations()), map[string]string{
		"claim_numbers_pkey": directory, "refund_ids_pkey": directory,
		"claims_payment_due": swept, "claims_inspection_due": swept, "claims_open": swept, "refunds_due": swept, "refunds_open": swept,
		"steps_due": swept, "claims_ended": swept, "inbox_answers_by_age": swept, "inbox_by_age": swept,
		"seller_clock_latest": "which sellers have changed is asked for all of them",
	})
}

// No statement of the service can change or delete the history and the payments.
func TestSchema_appendOnly(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	pgtest.RequireAppendOnly(t, db, "history", "ledger", "refund_ids", "refund_steps")
	secured := db.AsService(t)
	for _, forbidden := range []string{
		"update ledger set amount = 1", "delete from ledger", "truncate ledger", "update history set actor = ''", "delete from history",
		"truncate history", "update refund_ids set claim_no = ''", "delete from refund_ids",
	} {
		_, err := secured.Exec(t.Context(), forbidden)
		require.ErrorContains(t, err, "permission denied", forbidden)
	}
}

// In production, default privileges give a service its rights before the migration creates the tables.
func TestSchema_appendOnlyAfterDefaultPrivileges(t *testing.T) {
	t.Parallel()
	pgtest.RequireAppendOnlyByDefault(t, store.Migrations(), "history", "ledger", "refund_ids", "refund_steps")
}

// A refund has an amount of money, of points or of both.
func TestSchema_refundPaysSomething(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.act(t, b.openOne(t, uuid.New(), claim.Cancel), claim.Approve, claim.Values{})
	for _, none := range []string{"amount = 0", "amount = -1, points = 2", "points = -1"} {
		_, err := b.Pool.Exec(t.Context(), "update refunds set "+none)
		require.ErrorContains(t, err, "violates check constraint", none)
	}
	_, err := b.Pool.Exec(t.Context(), "update refunds set amount = 0, points = 1")
	require.NoError(t, err)
}

// The tables can be distributed over the nodes of a distributed database.
func TestSchema_canBeDistributed(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	require.NoError(t, distributed.Run(t.Context(), distributed.Config{Config: db.Config, Check: true}, db.Schema, io.Discard))
}
