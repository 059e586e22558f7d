package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// wrongSpans counts the states of paid orders whose span does not reach from the first to the last change to them. A list
// selects an order by its span without reading its changes, so a span that is too wide is as wrong as one that is too narrow.
const wrongSpans = `select count(*)
	from seller_orders so
	cross join lateral (values
		('paid', so.first_paid, so.last_paid), ('preparing', so.first_preparing, so.last_preparing),
		('shipping', so.first_shipping, so.last_shipping), ('delivered', so.first_delivered, so.last_delivered),
		('ended', so.first_ended, so.last_ended)) as span (state, first, last)
	cross join lateral (
		select min(s.nth) as first, max(s.nth) as last
		from status_changes c
		cross join lateral floor(extract(epoch from c.changed_at - '2020-01-01Z')) as s (nth)
		where c.seller_id = so.seller_id and c.order_id = so.order_id and (c.to_status = span.state
			or span.state = 'ended' and c.to_status in ('confirmed', 'canceled', 'returned', 'exchanged'))
	) change
	where so.paid_at is not null and (span.first, span.last) is distinct from (change.first, change.last)`

// requireSpans fails unless the spans of every order are right. A list does not reveal an order that it skips because of a wrong
// span.
func requireSpans(t *testing.T, db *pgtest.DB) {
	t.Helper()
	var wrong int
	require.NoError(t, db.Pool.QueryRow(t.Context(), wrongSpans).Scan(&wrong))
	require.Zero(t, wrong)
}
