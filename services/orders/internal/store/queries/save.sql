-- Writing the changes of a locked order. The statements are sent together, the one that advances the sellers' clocks last.

-- name: AddParcel
insert into shipments (seller_id, order_id, shipment_id, carrier_name, tracking_no, logistics_company, item_ids, put_at,
  changed_by, key_id, key_prefix, request_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: SaveItem
-- $1 the seller, $2 the order, $3 the number in the item's code; the other arguments are every column of the item that can change.
-- Served by the primary key of lines. One statement per item: they are sent together, and each is cheaper than its share of a
-- statement that unnests arrays.
update lines
set quantity = $4, line_amount = $5, discount_amount = $6, line_paid_amount = $7, item_status = $8,
  has_active_claim = $9 <> '', claim_no = nullif($9, ''), exchange_gate = nullif($10, ''),
  shipment_id = $11, shipped_at = $12, delivered_at = $13, confirmed_at = $14, auto_confirm_at = $15, origin_item_id = $16,
  points_amount = $17, ship_by = $18
where seller_id = $1 and order_id = $2 and seq = $3;

-- name: TakeItemID
insert into item_ids (item_id) values ($1);

-- name: AddItem
-- An item that was split off or that an exchange created.
insert into lines (seller_id, order_id, seq, item_id, product_id, product_name, option_name, quantity, list_price, unit_price,
  line_amount, discount_amount, line_paid_amount, item_status, is_exchange, exchange_gate, shipment_id, shipped_at, delivered_at,
  origin_item_id, split_from_claim_no, exchange_claim_no, points_amount, ship_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, nullif($16, ''), $17, $18, $19,
  $20, nullif($21, ''), nullif($22, ''), $23, $24);

-- name: StampPaidOrder
-- $1 the order, $2 its status, $5 the time of the change. The rest is per seller: the states of the items,
-- and by when the first of them should be shipped. Advances the clocks of the
-- sellers as TickSellers of package postgres does, but at least to the time of the change: that is from the seller whose clock is ahead
-- when the database's was set back, and no seller's next change may be earlier. Writes their times in the same statement: other writers
-- of these sellers wait from here to the commit, and a round trip in between would take most of that time. No other transaction writes
-- these rows of seller_orders, because the order is locked. Served by the primary keys. The sellers are named again beside the join: a distributed database needs that to find the nodes of the
-- rows, and would query all of them otherwise.
with tick as (
  insert into seller_clock as c (seller_id, last)
  select s.seller_id, greatest(seller_now(s.seller_id), $5)
  from (select distinct unnest($3::uuid[]) as seller_id) s
  order by s.seller_id
  on conflict (seller_id) do update
  set last = clock_after(c.last, excluded.last)
  returning c.seller_id, c.last
)
update seller_orders so
set order_status = $2, updated_at = t.last, line_states = s.states, ship_by = s.ship_by
from tick t
join unnest($3::uuid[], $4::smallint[], $6::timestamptz[]) as s (seller_id, states, ship_by) on s.seller_id = t.seller_id
where so.seller_id = t.seller_id and so.seller_id = any ($3) and so.order_id = $1
returning so.seller_id, so.updated_at;

-- name: StampAtTick
-- $1 the order, $2 its status, $3 its only seller, $4 the states of the items, $5 by when the first of them
-- should be shipped. The order gets the time to which this transaction has
-- already advanced the seller's clock. Served by the primary keys.
update seller_orders so
set order_status = $2, updated_at = c.last, line_states = $4, ship_by = $5
from seller_clock c
where c.seller_id = $3 and so.seller_id = $3 and so.order_id = $1
returning so.seller_id, so.updated_at;
