-- Changing an existing order. Every writer first locks the part of its home.

-- name: FindSellers
-- The sellers of an order, its home first, for callers that know only the number. Primary key.
select n.sellers from order_numbers n where n.order_no = $1;

-- name: AwaitNumber
-- Takes the number of an order in a transaction that is rolled back: it waits for one that is just inserting the number. Primary key.
insert into order_numbers (order_no, order_id, sellers, content)
values ($1, gen_random_uuid(), array[gen_random_uuid()], '')
on conflict (order_no) do nothing;

-- name: LockOrder
-- $1 the order's home, $2 its number. Locks an order that need not be paid yet. Served by orders_order_no.
select o.order_id, o.payment, o.member_id, o.placed_at, o.paid_at, seller_now(o.seller_id)
from orders o
where o.seller_id = $1 and o.order_no = $2
for no key update;

-- name: EndPayment
-- $1 the sellers, $2 the order, locked. $3 how its payment ended, $4 when it was paid, null for the other outcomes. Primary key.
update orders set payment = $3, paid_at = $4 where seller_id = any ($1) and order_id = $2;

-- name: EndPaymentOfItems
-- $1 the sellers, $2 the order, locked. Primary key.
update lines set item_status = $3 where seller_id = any ($1) and order_id = $2
returning seller_id, item_id;

-- name: StatesOfItems
-- $1 the sellers, $2 the order, locked. Served by the primary key of lines.
select l.seller_id, array_agg(distinct l.item_status), min(l.ship_by) filter (where l.item_status in ('paid', 'preparing'))
from lines l
where l.seller_id = any ($1) and l.order_id = $2
group by l.seller_id;

-- name: StampOrder
-- $1 the order, $2 when it was paid, its only change so far, $3 its status. The rest is per seller: time, states, and
-- by when the first item should be shipped. Served by the primary key of seller_orders. The sellers are named twice for a
-- distributed database, which then queries only their nodes.
update seller_orders so
set paid_at = $2, order_status = $3, updated_at = s.updated_at, line_states = s.states, ship_by = s.ship_by
from unnest($4::uuid[], $5::timestamptz[], $6::smallint[], $7::timestamptz[]) as s (seller_id, updated_at, states, ship_by)
where so.seller_id = s.seller_id and so.seller_id = any ($4) and so.order_id = $1;

-- name: AddChanges
-- $1 the order. An element of the arrays for each item that entered a state; the rest is the actor.
insert into status_changes (seller_id, order_id, to_status, changed_at, item_ids, changed_by, key_id, key_prefix, request_id)
select c.seller_id, $1, c.to_status, c.changed_at, array_agg(c.item_id), $6, $7, $8, $9
from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[]) as c (seller_id, to_status, changed_at, item_id)
group by c.seller_id, c.to_status, c.changed_at;
