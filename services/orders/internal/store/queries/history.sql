-- name: OrderHistory
-- $1 the seller, $2 the number of an order: what happened to the seller's items of it. Parcels, states, and what claims held come
-- from the rows that the changes wrote. Of what happened at one instant, a line that is split off comes first, then its parcel,
-- its states as they follow each other, and the end and beginning of holds. Served by orders_order_no, status_changes_of_order,
-- claim_holds_of_order and the primary keys.
with o as materialized (
  select o.order_id from orders o where o.seller_id = $1 and o.order_no = $2 and o.payment = 'paid'
), h as materialized (
  select h.* from o
    cross join lateral (select h.* from claim_holds h where h.seller_id = $1 and h.order_id = o.order_id offset 0) h
)
select e.at, e.kind, e.changed_by, coalesce(e.key_prefix, ''), e.item_ids, coalesce(e.item_status, ''),
  coalesce(e.carrier_name, ''),
  coalesce(e.tracking_no, ''), e.logistics_company, coalesce(e.claim_no, ''), coalesce(e.hold_state, ''), e.origin_item_id,
  coalesce(e.quantity, 0)
from (
  select 2 as nth, c.changed_at as at, 'status' as kind, c.changed_by, c.key_prefix, c.item_ids, c.to_status as item_status,
    null as carrier_name, null as tracking_no, null as logistics_company, null as claim_no, null as hold_state,
    null::uuid as origin_item_id, null::bigint as quantity
  from o cross join lateral (select c.* from status_changes c where c.seller_id = $1 and c.order_id = o.order_id offset 0) c
  union all
  select 1, s.put_at, 'parcel', s.changed_by, s.key_prefix, s.item_ids, null, s.carrier_name, s.tracking_no, s.logistics_company,
    null, null, null, null
  from o cross join lateral (select s.* from shipments s where s.seller_id = $1 and s.order_id = o.order_id offset 0) s
  union all
  select 4, h.opened_at, 'hold', 'claim', null, array(
      select i.item_id from claim_hold_items i where i.seller_id = $1 and i.claim_no = h.claim_no order by i.position
    ), null, null, null, null, h.claim_no, null, null, null
  from h
  union all
  select 3, h.ended_at, 'hold_end', 'claim', null, array(
      select i.item_id from claim_hold_items i where i.seller_id = $1 and i.claim_no = h.claim_no order by i.position
    ), null, null, null, null, h.claim_no, h.hold_state, null, null
  from h
  where h.ended_at is not null
  union all
  select 0, h.ended_at, 'split', 'claim', null, array[i.settled_item_id], null, null, null, null, h.claim_no, null, i.item_id,
    i.quantity
  from h cross join lateral (select i.* from claim_hold_items i where i.seller_id = $1 and i.claim_no = h.claim_no offset 0) i
  where i.settled_item_id <> i.item_id
) e
order by e.at, e.nth, array_position(array['paid', 'preparing', 'shipping', 'delivered', 'confirmed'], e.item_status), e.claim_no;
