package store

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// Every gateway runs this query every second.
func TestUnpublished_servedByNearlyEmptyIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	seller := uuid.New()
	_, err := db.Pool.Exec(t.Context(), "insert into sellers (seller_id, name) values ($1, 'S')", seller)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `
		insert into api_keys (key_id, seller_id, request_id, prefix, hash, sealed_text, seal, scopes, purpose)
		select gen_random_uuid(), $1, gen_random_uuid(), lpad(n::text, 12, '0'), sha256(n::text::bytea), '', '', '{orders:read}', ''
		from generate_series(1, 5000) n`, seller)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `
		update api_keys set revoked_at = now(), published_at = now() - (prefix::int * interval '1 hour') where prefix < lpad('2500',
		12, '0')`)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), "analyze api_keys")
	require.NoError(t, err)
	for query, index := range map[string]string{
		"ListUnpublishedRevocations": "api_keys_unpublished", "ListPublishedRevocations": "api_keys_published",
	} {
		rows, _ := db.Pool.Query(t.Context(), "explain "+strings.ReplaceAll(queries.SQL(query), "$1", "'1 minute'"))
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Contains(t, strings.Join(plan, "\n"), "using "+index)
	}
}
