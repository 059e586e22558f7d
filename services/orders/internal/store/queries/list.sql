-- The pages of the list of orders, and the single order of the detail. Each statement finds orders of the seller $1; ItemsOfPage is
-- appended to it and adds the columns of the response, so that a page is one statement.
--
-- The list is sorted by the time of the last change, and filtered by conditions of which some match nearly every order and some nearly
-- none. A page is found in one of two ways, and neither costs more the more orders the seller has:
--
-- Gather: changes of state and payments in a range, what is to be shipped by a time, and order numbers have indexes of their own.
-- Where a range has at most some thousands of entries, the orders of all of them are compared with the other conditions and sorted. The statement itself finds
-- out that there are more, and returns nothing then: to count the entries first, with a statement of its own, took 1.1 to 1.3
-- times the CPU time of PostgreSQL. Only an empty page is followed by a count (CountChanged, CountToShip, CountPaid).
--
-- Walk: else the index of the newest changes is read from its end, and the other conditions are evaluated within it. It is read from
-- the position of the page down to the lower bound of updated_at, which one of payments or changes is too, because an order is
-- never updated before them; but no more than ten thousand entries, or a quarter of them where each needs the history of its order.
-- If the page is not full then, it ends there: it is shorter, or empty, and the next one begins where it ended. For items and orders
-- that someone still works on there is a small index of them.
--
-- $2 rows wanted, ($3, $4) updated_at and id after which the page begins, $5 the lower bound of updated_at. The first page begins
-- after infinity: because the position is always present, a plan that does not follow the order of the index never pays off.
--
-- A subquery with an offset is a fence: the planner neither merges it nor pushes conditions into it, also when it plans for tables that
-- are still empty.

-- name: WalkOrders
-- $6 the most entries. The last of them is returned even if it is not wanted, because the next page begins after it. Served by
-- seller_orders_latest or seller_orders_open alone.
select so.order_id, so.updated_at, so.paid_at, so.order_status, coalesce(so.wanted, false) as wanted, so.nth = $6 as last
from (
  select so.order_id, so.updated_at, so.paid_at, so.order_status, true /* filters */ as wanted,
    row_number() over (order by so.updated_at desc, so.order_id desc) as nth
  from seller_orders so
  where so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4) and so.updated_at >= $5 /* open */
  order by so.updated_at desc, so.order_id desc
  limit $6
) so
where so.wanted or so.nth = $6
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: GatherOrders
-- The candidates are those of one of the following statements.
select so.order_id, so.updated_at, so.paid_at, so.order_status, true as wanted, false as last
from (/* candidates */) so
where so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4) and so.updated_at >= $5 /* filters */
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: OrdersPaid
-- None if there are $6 entries or more. Served by seller_orders_paid alone.
with paid as materialized (
  select so.seller_id, so.order_id, so.updated_at, so.paid_at, so.order_status, so.line_states
  from seller_orders so
  where so.seller_id = $1 and so.paid_at between $7 and $8
  limit $6
)
select so.* from paid so where (select count(*) from paid) < $6;

-- name: OrdersChanged
-- None if there are $6 entries or more. Served by the primary keys.
with changes as materialized (
  select c.order_id from status_changes c where c.seller_id = $1 and c.to_status = $7 and c.changed_at between $8 and $9 limit $6
)
select so.*
from (select distinct c.order_id from changes c where (select count(*) from changes) < $6) c
cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = c.order_id offset 0) so;

-- name: OrderNumbered
-- Served by orders_order_no and the primary key.
select so.*
from orders o
cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = o.order_id offset 0) so
where o.seller_id = $1 and o.order_no = $6;

-- name: OrdersToShip
-- None if there are $6 entries or more. Served by seller_orders_ship_by alone.
with due as materialized (
  select so.seller_id, so.order_id, so.updated_at, so.paid_at, so.order_status, so.line_states
  from seller_orders so
  where so.seller_id = $1 and so.ship_by <= $7
  limit $6
)
select so.* from due so where (select count(*) from due) < $6;

-- name: CountPaid
-- $2 at most. Served by seller_orders_paid alone.
select count(*) from (
  select from seller_orders so where so.seller_id = $1 and so.paid_at between $3 and $4 limit $2
) paid;

-- name: CountToShip
-- $2 at most. Served by seller_orders_ship_by alone.
select count(*) from (
  select from seller_orders so where so.seller_id = $1 and so.ship_by <= $3 limit $2
) due;

-- name: CountChanged
-- $2 at most. Served by the primary key alone.
select count(*) from (
  select from status_changes c where c.seller_id = $1 and c.to_status = $3 and c.changed_at between $4 and $5 limit $2
) changed;

-- name: FindOrder
-- $2 the order's number. Served by orders_order_no and the primary key of seller_orders. For another seller's order, an unpaid one
-- and a missing one there is no row.
select so.order_id, so.updated_at, so.paid_at, so.order_status, true as wanted, false as last
from seller_orders so
where so.seller_id = $1 and so.order_id = (
  select o.order_id from orders o where o.seller_id = $1 and o.order_no = $2 and o.payment = 'paid'
);

-- name: ItemsOfPage
-- The orders of the page with the seller's items, in the order of the page and of the item codes. Served by the primary keys. The columns
-- are read by position, see scan.go.
select page.wanted, page.last, page.order_id, o.order_no, o.currency, page.order_status, page.paid_at, page.updated_at,
  /* contact of o */,
  o.point_used_amount, o.shipping_fee_base, o.shipping_fee_paid,
  l.item_id, l.seq, l.product_name, l.option_name, l.quantity,
  l.list_price, l.unit_price, l.line_amount, l.discount_amount, l.line_paid_amount,
  l.item_status, l.is_exchange, l.has_active_claim, l.shipped_at, l.delivered_at, l.confirmed_at,
  l.auto_confirm_at, l.origin_item_id, l.split_from_claim_no, l.exchange_claim_no, l.ship_by,
  s.carrier_name, s.tracking_no, s.logistics_company
from page
cross join lateral (select o.* from orders o where o.seller_id = $1 and o.order_id = page.order_id offset 0) o
cross join lateral (select l.* from lines l where l.seller_id = $1 and l.order_id = page.order_id offset 0) l
left join lateral (
  select s.* from shipments s where s.seller_id = $1 and s.order_id = l.order_id and s.shipment_id = l.shipment_id offset 0
) s on true
order by page.updated_at desc, page.order_id desc, l.seq;
