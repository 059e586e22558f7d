package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// wrongSpans counts the changes of paid orders that do not lie in the span of their state, and the spans that hold no change. An
// order of several sellers may have some of those, and wider ones than need be.
const wrongSpans = `select
	(select count(*) from status_changes c join seller_orders so on so.seller_id = c.seller_id and so.order_id = c.order_id
	cross join lateral (values
		('paid', so.first_paid, so.last_paid), ('preparing', so.first_preparing, so.last_preparing),
		('shipping', so.first_shipping, so.last_shipping), ('delivered', so.first_delivered, so.last_delivered),
		('confirmed', so.first_ended, so.last_ended), ('canceled', so.first_ended, so.last_ended),
		('returned', so.first_ended, so.last_ended), ('exchanged', so.first_ended, so.last_ended)) as s (state, first, last)
	where c.to_status = s.state and not coalesce(c.changed_at between s.first and s.last, false))
	+ (select count(*) from seller_orders so where so.paid_at is not null
		and not exists (select from seller_orders other where other.order_id = so.order_id and other.seller_id <> so.seller_id)
		and (num_nonnulls(so.first_paid, so.first_preparing, so.first_shipping, so.first_delivered, so.first_ended) <> (
			select count(distinct case when c.to_status in ('confirmed', 'canceled', 'returned', 'exchanged') then 'ended' else c.to_status end)
			from status_changes c where c.seller_id = so.seller_id and c.order_id = so.order_id)))`

// requireSpans fails unless every order has its spans. A list that passes over an order because of them does not show it.
func requireSpans(t *testing.T, db *pgtest.DB) {
	t.Helper()
	var wrong int
	require.NoError(t, db.Pool.QueryRow(t.Context(), wrongSpans).Scan(&wrong))
	require.Zero(t, wrong)
}
