-- Reading a paid order with a lock, to change it. Statements that are sent together take one round trip; each sees the state after
-- the wait for the lock.

-- name: LockHome
-- $1 the seller that is the order's home, $2 the order's number. Locks the home's part; from then on all parts of the order have one
-- writer at a time, while readers and foreign keys do not wait. No row for another seller, an unpaid order and a missing one. Served
-- by orders_order_no.
select o.sellers, o.order_id
from orders o
where o.seller_id = $1 and o.order_no = $2 and o.payment = 'paid' and o.sellers[1] = $1
for no key update;

-- name: LockPart
-- $1 another seller of the order $2, whose home's part is locked. A distributed database commits node by node, and shows the home's part
-- of a change while another node is still about to commit its own: this waits for that node, because every change writes this row or
-- has locked it. No row while the node is about to commit that it has the part. Primary key.
select so.seller_id
from seller_orders so
where so.seller_id = $1 and so.order_id = $2
for no key update;

-- name: LockOwn
-- $1 the seller, $2 numbers of orders, sorted. LockHome for orders that are the seller's alone. Rows that another transaction has
-- locked are skipped, so that a transaction that holds an order lock never waits for another. Served by orders_order_no.
select o.order_no
from unnest($2::text[]) as wanted (order_no)
cross join lateral (
  select o.order_no
  from orders o
  where o.seller_id = $1 and o.order_no = wanted.order_no and o.payment = 'paid' and cardinality(o.sellers) = 1
  for no key update skip locked
) o;

-- name: ReadParts
-- Parts of orders: the items with every column that decisions need, in the order of their codes. The clock is read after the wait for
-- the lock. The columns are read by position, see locked.go.
select o.sellers[1], cardinality(o.sellers),
  o.order_id, o.order_no, o.currency, o.paid_at, seller_now(o.seller_id),
  so.order_status, so.updated_at, o.shipping_fee_paid, o.point_used_amount,
  l.item_id, l.seq, l.product_name, l.option_name, l.quantity,
  l.list_price, l.unit_price, l.line_amount, l.discount_amount, l.line_paid_amount,
  l.item_status, l.is_exchange, l.has_active_claim, l.shipped_at, l.delivered_at, l.confirmed_at,
  l.auto_confirm_at, l.origin_item_id, l.split_from_claim_no, l.exchange_claim_no, l.ship_by,
  s.carrier_name, s.tracking_no, s.logistics_company,
  l.seller_id, l.product_id, l.shipment_id, l.claim_no, l.exchange_gate, l.points_amount
from /* parts */
order by o.order_no, l.seq;

-- name: OwnParts
-- $1 a seller, $2 numbers of orders: the seller's parts of them. Served by orders_order_no and the primary keys of lines,
-- seller_orders and shipments. The offsets keep the planner from joins that are as good while the tables are empty, but would read
-- all orders of the seller when that plan is still used later.
unnest($2::text[]) as wanted (order_no)
cross join lateral (
  select o.* from orders o where o.seller_id = $1 and o.order_no = wanted.order_no and o.payment = 'paid' offset 0
) o
cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = o.order_id offset 0) so
cross join lateral (select l.* from lines l where l.seller_id = $1 and l.order_id = o.order_id offset 0) l
left join lateral (
  select s.* from shipments s where s.seller_id = $1 and s.order_id = l.order_id and s.shipment_id = l.shipment_id offset 0
) s on true;

-- name: AllParts
-- $1 the sellers of an order, $2 its number: all parts. The same indexes. The sellers are named for each table: a distributed
-- database then queries only their nodes.
orders o
join seller_orders so on so.seller_id = o.seller_id and so.order_id = o.order_id and so.seller_id = any ($1)
join lines l on l.seller_id = o.seller_id and l.order_id = o.order_id and l.seller_id = any ($1)
left join shipments s on s.seller_id = l.seller_id and s.order_id = l.order_id and s.shipment_id = l.shipment_id
where o.seller_id = any ($1) and o.order_no = $2 and o.payment = 'paid';
