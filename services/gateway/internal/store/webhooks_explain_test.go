package store

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// What gateways look for every second, and what the sweep and a list of deliveries read, is served by an index. Deliveries are
// removed after seven days.
func TestWebhooks_servedByIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	for _, sql := range []string{
		`insert into sellers (seller_id, name) select gen_random_uuid(), 'S' from generate_series(1, 20000)`,
		`insert into webhooks (seller_id, request_id, webhook_id, rotation_id, url, sealed_secret, orders_delivered, claims_delivered,
			qna_delivered, paused_at)
		select seller_id, seller_id as request_id, gen_random_uuid(), seller_id, 'u', '', 0, 0, 0,
			case when random() < 0.9 then now() end from sellers`,
		`insert into webhook_deliveries (seller_id, webhook_id, delivery_id, type, at, status, failure, milliseconds)
		select seller_id, webhook_id, gen_random_uuid(), 'lists.moved', now() - n * interval '10 minutes', 200, '', 1
		from (select * from webhooks limit 20) w, generate_series(1, 1010) n`,
		"analyze sellers, webhooks, webhook_deliveries",
	} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	for query, want := range map[string]string{
		"ListDueWebhooks":       "using webhooks_due",
		"ListWebhookDeliveries": "Scan Backward using webhook_deliveries_pkey",
		"ListOldDeliveries":     "using webhook_deliveries_age",
	} {
		values := strings.NewReplacer("$1", "'"+uuid.Nil.String()+"'", "$2", "'"+uuid.Nil.String()+"'", "$3", "'"+uuid.Max.String()+"'",
			"$4", "100")
		switch query {
		case "ListDueWebhooks":
			values = strings.NewReplacer("$1", "'"+uuid.Nil.String()+"'", "$2", "100")
		case "ListOldDeliveries":
			values = strings.NewReplacer("$1", "10")
		}
		rows, _ := db.Pool.Query(t.Context(), "explain "+values.Replace(queries.SQL(query)))
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Contains(t, strings.Join(plan, "\n"), want, query)
	}
	_, err := sweep.New(New(db.Pool).SweepDeliveries(), telemetrytest.ForTest(t)).Once(t.Context())
	require.NoError(t, err)
	var old, kept int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) filter (where at < now() - interval '7 days'), count(*)
		from webhook_deliveries`).Scan(&old, &kept))
	require.LessOrEqual(t, old, 40, "at most what became old meanwhile")
	require.Greater(t, kept, 20000)
}
