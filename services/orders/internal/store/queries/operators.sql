-- What the marketplace and its operators do beside payments. These statements work across sellers.

-- name: FindAct
-- What an act with this id was, and the parcel that it left the item with. Served by the primary key.
select a.item_id, a.to_status, s.carrier_name, s.tracking_no, s.logistics_company
from operator_acts a
left join shipments s on s.id = a.to_shipment_id
where a.act_id = $1
order by a.item_id
limit 1;

-- name: IsActTaken
-- Whether an act with this id was about another order, or led elsewhere. Served by the primary key.
select exists (select from operator_acts a where a.act_id = $1 and (a.order_id <> $2 or a.to_status <> $3));

-- name: AddAct
-- An item that an operator has done something to. The parcel -1 is the one that was just added. Two calls with one id wait for
-- each other at the primary key.
insert into operator_acts (act_id, item_id, order_id, seller_id, operator, reason, from_status, to_status, from_shipment_id,
  to_shipment_id, acted_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9::bigint, 0),
  case $10::bigint when 0 then null when -1 then currval('shipments_id_seq') else $10::bigint end, $11);

-- name: ForgetContacts
-- Personal data of some orders of the member $1 that still have any, $2 at most. Served by orders_of_member. Locks the orders
-- before anything else, in one order.
with known as (
  select o.id
  from orders o
  where o.member_id = $1
    and num_nonnulls(/* contact of o */) > 0
  order by o.id
  limit $2
  for no key update of o
)
update orders o
set /* contact forgotten */
from known
where o.id = known.id
returning o.id;

-- name: SellersOfOrders
-- $1 orders, locked. Served by the primary key of lines.
select distinct l.seller_id, l.order_id from lines l where l.order_id = any ($1);

-- name: TouchOrders
-- Elements of the arrays are rows of seller_orders and their new times; those of unpaid orders stay without one. Served by the
-- primary key.
update seller_orders so
set updated_at = t.updated_at
from unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) as t (seller_id, order_id, updated_at)
where so.seller_id = t.seller_id and so.order_id = t.order_id and so.paid_at is not null;
