-- name: FindClaim
-- $1 seller, $2 the claim's number. Served by claims_claim_no; items and evidence are read by primary key, as an array for each column,
-- because arrays of records cannot be sent between nodes.
select c.claim_id, c.changes, c.claim_no, c.order_no, c.seller_id, c.type, c.status, c.reason_code,
  c.goods_amount, c.shipping_fee, c.price_difference, c.order_shipping_paid, c.seller_quantity, c.already_refunded,
  c.shortfall_amount, c.shortfall_paid, coalesce(c.shortfall_payment, ''), c.refund_amount, c.shipping_refund,
  c.points_amount, c.way_out_fee, c.order_shipping_points, c.already_refunded_points, c.refund_points,
  c.requested_at, c.completed_at, c.updated_at, c.payment_due_at, c.inspection_due_at,
  c.frozen_by, c.frozen_code, c.frozen_reason, c.frozen_at, coalesce(c.freeze_pending, ''),
  coalesce(c.replaces, ''), coalesce(c.replaced_by, ''),
  i.ids, i.settled, i.codes, i.quantities, i.products, i.options, i.exchanged, i.list_prices, i.unit_prices, i.goods, i.differences,
  i.points, i.already_refunded,
  e.actions, e.carriers, e.tracking_nos, e.results, e.memos, e.actors, e.names, e.prefixes, e.requests, e.times, e.pending, e.hidden
from claims c
cross join lateral (
  select array_agg(i.item_id) as ids, array_agg(i.settled_item_id) as settled, array_agg(i.item_code) as codes,
    array_agg(i.quantity) as quantities, array_agg(i.product_name) as products, array_agg(i.option_name) as options,
    array_agg(coalesce(i.exchange_option_name, '')) as exchanged, array_agg(coalesce(i.exchange_list_price, 0)) as list_prices,
    array_agg(coalesce(i.exchange_unit_price, 0)) as unit_prices,
    array_agg(i.goods_amount) as goods, array_agg(i.price_difference) as differences, array_agg(i.points_amount) as points,
    array_agg(i.already_refunded) as already_refunded
  from (select i.* from claim_items i where i.seller_id = $1 and i.claim_id = c.claim_id order by i.seq) i
) i
cross join lateral (
  select array_agg(e.action) as actions, array_agg(coalesce(e.carrier_name, '')) as carriers,
    array_agg(coalesce(e.tracking_no, '')) as tracking_nos, array_agg(coalesce(e.result, '')) as results,
    array_agg(coalesce(e.memo, '')) as memos, array_agg(e.actor) as actors, array_agg(e.actor_name) as names,
    array_agg(coalesce(e.key_prefix, '')) as prefixes, array_agg(coalesce(e.request_id, '')) as requests,
    array_agg(e.done_at) as times, array_agg(e.pending) as pending,
    array_agg(e.hidden) as hidden
  from evidence e
  where e.seller_id = $1 and e.claim_id = c.claim_id
) e
where c.seller_id = $1 and c.claim_no = $2;

-- name: ListClaims
-- $1 seller, $2 rows wanted. The filters name the position in the walk, which is descending, or ascending for a list that is read
-- forwards. Returns what a page shows of a claim, with one row for each of
-- its items, in the order of the page. The items of a claim come in any order and are placed by i.seq, so that no plan sorts the page.
-- The columns are read by position, see page.go.
--
-- A page reads the index of the filter that is set (claims_by_…) and stops; items and evidence are read by primary key for the rows
-- of the page only. The offset keeps the planner from reading all items of the seller, even with a plan that was made for empty tables.
-- "limit 101" tells the planner how few rows are needed, which it cannot see in $2. It is one more than the largest page, so it never
-- cuts one.
select c.claim_id, c.claim_no, c.order_no, c.type, c.status, c.reason_code,
  c.goods_amount, c.shipping_fee, c.price_difference, c.already_refunded, c.refund_amount, c.shipping_refund, c.refund_points,
  c.requested_at, c.completed_at, c.updated_at, c.payment_due_at, c.inspection_due_at, c.frozen_at,
  e.pickup_carrier, e.pickup_no, e.result, e.reship_carrier, e.reship_no,
  i.seq, i.item_id, i.settled_item_id, i.item_code, i.quantity, i.product_name, i.option_name, coalesce(i.exchange_option_name, '')
from (
  select c.*
  from (
    select c.*
    from claims c
    where c.seller_id = $1
      /* filters */
    order by c.updated_at /* order */, c.claim_id /* order */
    limit 101
  ) c
  order by c.updated_at /* order */, c.claim_id /* order */
  limit $2
) c
cross join lateral (
  select max(coalesce(e.carrier_name, '')) filter (where e.action = 'pickup' and not e.pending) as pickup_carrier,
    max(coalesce(e.tracking_no, '')) filter (where e.action = 'pickup' and not e.pending) as pickup_no,
    max(coalesce(e.result, '')) filter (where e.action = 'inspect' and not e.pending) as result,
    max(coalesce(e.carrier_name, '')) filter (where e.action = 'reship' and not e.hidden) as reship_carrier,
    max(coalesce(e.tracking_no, '')) filter (where e.action = 'reship' and not e.hidden) as reship_no
  from evidence e
  where e.seller_id = $1 and e.claim_id = c.claim_id
) e
cross join lateral (select i.* from claim_items i where i.seller_id = $1 and i.claim_id = c.claim_id offset 0) i
order by c.updated_at /* order */, c.claim_id /* order */;
