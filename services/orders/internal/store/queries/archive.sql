-- The archive. An order moves to it when it ended long ago, and comes back when it is to change. Functions of the schema move the
-- rows: they have the right, which the service does not have, to delete rows of append-only tables.

-- name: EndedOrders
-- $1 how many, $2 how long ago the last change was, $3 the last change of the order that the search before ended with: what cannot be
-- archived yet is passed over. Orders with a part whose items are all in final states, oldest change first. An order of several sellers is
-- found by each such part; the others, which may not have ended, can be on other nodes. The orders that changed together with the last one
-- are included, so that none is left between two searches. Served by seller_orders_ended and the primary key of orders.
select due.seller_id, o.order_no, due.updated_at
from (
  select so.seller_id, so.order_id, so.updated_at
  from seller_orders so
  where so.updated_at <= statement_timestamp() - $2::interval and so.updated_at > $3
    and so.paid_at is not null and so.line_states & 15 = 0
  order by so.updated_at
  fetch first ($1) rows with ties
) due
join orders o on o.seller_id = due.seller_id and o.order_id = due.order_id
order by due.updated_at;

-- name: HasActiveHold
-- $1 the sellers of an order, $2 the order, locked. Served by claim_holds_by_order. A column is selected because a distributed database
-- does not bring rows without one from several nodes.
select exists (
  select 1 from claim_holds h where h.seller_id = any ($1) and h.order_id = $2 and h.hold_state = 'active'
);

-- name: ArchiveOrder
-- $1 the seller, $2 the order, locked.
select from seller_clock c cross join lateral archive_order(c.seller_id, $2) moved where c.seller_id = $1 and moved;

-- name: WriteClock
-- $1 a seller of a mixed order that is archived. Changes nothing: a distributed database commits in two phases on the nodes of statements
-- that write, and does not know that ArchiveOrder does. Primary key.
update seller_clock c set last = c.last where c.seller_id = $1;

-- name: SellersOfKept
-- $1 a seller of the order, $2 its number: all sellers of a paid order, its home first, archived or not; in one snapshot it is in one
-- of the two places. Served by the primary key of archived_orders and by orders_order_no.
select a.sellers from archived_orders a where a.seller_id = $1 and a.order_no = $2
union all
select o.sellers from orders o where o.seller_id = $1 and o.order_no = $2 and o.payment = 'paid';

-- name: Known
-- $1 a seller, $2 numbers of orders: those of paid orders of the seller, archived or not; read in one snapshot, so that an order that
-- is being moved is not missed. Served by the primary key of archived_orders and by orders_order_no.
select found.order_no
from unnest($2::text[]) as wanted (order_no)
cross join lateral (
  select a.order_no from archived_orders a where a.seller_id = $1 and a.order_no = wanted.order_no
  union all
  select o.order_no from orders o where o.seller_id = $1 and o.order_no = wanted.order_no and o.payment = 'paid'
) found;

-- name: BringBack
-- $1 the seller, $2 the order's number.
select from seller_clock c cross join lateral bring_back_order(c.seller_id, $2) moved where c.seller_id = $1 and moved;

-- name: Archived
-- $1 the seller, $2 the order's number: its archived rows under the names of their tables, so that the statement appended to it reads
-- them as if they were in the tables. Primary key.
with kept as (
  select a.content from archived_orders a where a.seller_id = $1 and a.order_no = $2
), orders as (
  select r.* from kept, json_populate_recordset(null::orders, kept.content -> 'orders') r
), seller_orders as (
  select r.* from kept, json_populate_recordset(null::seller_orders, kept.content -> 'seller_orders') r
), shipments as (
  select r.* from kept, json_populate_recordset(null::shipments, kept.content -> 'shipments') r
), lines as (
  select r.* from kept, json_populate_recordset(null::lines, kept.content -> 'lines') r
)
