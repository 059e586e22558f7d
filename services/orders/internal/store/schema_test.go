package store

import (
	"io"
	"io/fs"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// All rows of a seller can live on one node: seller_id is the first column of every key.
func TestSchema_sellerLeadsEveryKey(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	const everyNode = "what is due is looked for on each node"
	pgtest.RequireSellerLeads(t, db, map[string]string{
		"hold_numbers_pkey": "a directory is asked for the number", "lines_due": everyNode,
		"inbox_answers_by_age": everyNode, "inbox_by_age": everyNode,
		"seller_clock_latest": "which sellers have changed is asked for all of them",
	})
}

// No statement of the service can change or delete the history.
func TestSchema_appendOnly(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	kept := []string{"shipments", "status_changes", "claim_touches", "operator_acts", "member_key"}
	pgtest.RequireAppendOnly(t, db, kept...)
	pgtest.RequireAppendOnlyByDefault(t, Migrations(), kept...)
}

// The inbox's statements are those of package inbox, so its tables must be the ones that the package describes.
func TestSchema_recordIsThatOfInbox(t *testing.T) {
	t.Parallel()
	schema, err := fs.ReadFile(Migrations(), "00001_orders.sql")
	require.NoError(t, err)
	require.Contains(t, string(schema), inbox.Schema)
}

// Whatever program writes a line, its fields must be those of its state: the database refuses anything else.
func TestMigrations_stateDecidesFields(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	for constraint, change := range map[string]string{
		"lines_parcel":    "item_status = 'paid', delivered_at = null, auto_confirm_at = null",
		"lines_delivered": "item_status = 'shipping', auto_confirm_at = null",
		"lines_confirmed": "item_status = 'confirmed', auto_confirm_at = null",
		"lines_deadline":  "auto_confirm_at = null",
		"lines_claim":     "has_active_claim = true, auto_confirm_at = null",
		"lines_gate":      "is_exchange = true",
		"lines_split":     "exchange_claim_no = 'C-1', origin_item_id = item_id",
		"lines_points":    "points_amount = line_paid_amount + 1",
	} {
		_, err := h.db.Pool.Exec(t.Context(), "update lines set "+change+" where seq = 1")
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, constraint)
		require.Equal(t, constraint, refused.ConstraintName)
	}
}

// The tables can be distributed over the nodes of a distributed database.
func TestSchema_canBeDistributed(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	require.NoError(t, distributed.Run(t.Context(), distributed.Config{Config: db.Config, Check: true}, db.Schema, io.Discard))
}
