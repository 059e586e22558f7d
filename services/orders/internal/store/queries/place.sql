-- Placing orders. These statements work across sellers: an order belongs to all of its sellers, and the caller is the
-- marketplace.

-- name: Now
-- The clock that stamps everything.
select seller_now(null);

-- name: InsertOrders
-- An order whose number is taken is left out, served by orders_order_no; one that is being inserted at this moment is waited
-- for. Sorted, so that two batches with the same numbers wait in one order.
insert into orders (order_no, member_id, currency, payment, paid_at, content, /* contact */)
select o.order_no, o.member_id, o.currency, o.payment, o.paid_at, o.content, /* contact or null */
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bytea[], /* contact from $7 */)
  as o (order_no, member_id, currency, payment, paid_at, content, /* contact */)
order by o.order_no
on conflict (order_no) do nothing
returning id, order_no;

-- name: FindPlaced
-- What was placed under the numbers, and the items in the order of their codes. Served by orders_order_no and the primary
-- key of lines.
select o.order_no, o.content, (select array_agg(l.item_id order by l.seq) from lines l where l.order_id = o.id)
from orders o
where o.order_no = any ($1);

-- name: FindTakenItems
-- Which of the ids items have already. Served by lines_item_id.
select l.item_id from lines l where l.item_id = any ($1);

-- name: TakeShipmentIDs
-- Numbers for parcels that are then inserted.
select nextval(pg_get_serial_sequence('shipments', 'id')) from generate_series(1, $1);
