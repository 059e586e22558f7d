-- name: SelectClaims
-- $1 seller, $2 rows wanted. The filters name the position in the walk, or the one claim.
--
-- A page walks the index of the filter that is set (claims_by_…) and stops; items and evidence come by primary key for the
-- rows of the page only. "limit 101" says to the planner how few rows will be asked for, which it cannot see in $2. It is
-- one more than the largest page, so it never cuts one.
select c.claim_id, c.changes, c.claim_no, c.order_no, c.seller_id, c.type, c.status, c.reason_code,
  c.goods_amount, c.shipping_fee, c.price_difference, c.order_shipping_paid, c.seller_quantity, c.already_refunded,
  c.shortfall_amount, c.shortfall_paid, coalesce(c.shortfall_payment, ''), c.refund_amount, c.shipping_refund,
  c.points_amount, c.way_out_fee, c.order_shipping_points, c.already_refunded_points, c.refund_points,
  c.requested_at, c.completed_at, c.updated_at, c.payment_due_at, c.inspection_due_at,
  c.frozen_by, c.frozen_code, c.frozen_reason, c.frozen_at, coalesce(c.replaces, ''), coalesce(c.replaced_by, ''),
  i.items, e.evidence
from (
  select c.*
  from claims c
  where c.seller_id = $1
    /* filters */
  order by c.updated_at desc, c.claim_id desc
  limit 101
) c
cross join lateral (
  select array_agg(row(i.item_id, i.settled_item_id, i.item_code, i.quantity, i.product_name, i.option_name,
    coalesce(i.exchange_option_name, ''), coalesce(i.exchange_list_price, 0), i.goods_amount, i.price_difference, i.points_amount,
    i.already_refunded) order by i.seq) as items
  from claim_items i
  where i.seller_id = $1 and i.claim_id = c.claim_id
) i
cross join lateral (
  select array_agg(row(e.action, coalesce(e.carrier_name, ''), coalesce(e.tracking_no, ''), coalesce(e.result, ''), coalesce(e.memo, ''),
    e.actor, e.actor_name, e.done_at, e.pending) order by e.done_at, e.action) as evidence
  from evidence e
  where e.seller_id = $1 and e.claim_id = c.claim_id
) e
order by c.updated_at desc, c.claim_id desc
limit $2;
