-- The pages of the list of orders, and the one order of the detail. Each statement finds rows of seller_orders;
-- ItemsOfPage is put behind it and adds what the answer needs of them, so that a page is one statement.
--
-- $1 seller, $2 rows wanted, ($3, $4) updated_at and id of the order after which the page begins. The first page begins
-- after infinity: with the position always there, a plan that is not in the order of the index never pays.
--
-- "limit 101" says to the planner how few rows will be asked for, which it cannot see in $2. It is one more than the largest
-- page, so it never cuts one.

-- name: ListOrders
-- Served by seller_orders_latest, with order_status by seller_orders_by_status, with item_status by the index of that
-- state, with order_no by the primary key.
select so.*
from (
  select so.*
  from seller_orders so
  where so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4)
    /* filters */
  order by so.updated_at desc, so.order_id desc
  limit 101
) so
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: ListOrdersOfWeeks
-- Orders that were paid up to a time in the past. In the order of ListOrders they lie behind everything that was changed
-- since, so they are taken week by week: a page of each week from $5 to $6, served by seller_orders_by_week, and the newest of
-- those. Neither how many orders a week has nor how long ago it was makes a difference. The weeks give only positions, which
-- stand in the index; rows are read for those of the page (primary key).
select so.*
from (
  select newest.order_id
  from (
    select k.updated_at, k.order_id
    from generate_series(
      greatest($5::integer, coalesce((
        select min(so.paid_week) from seller_orders so where so.seller_id = $1 and so.paid_at is not null
      ), $6::integer + 1)),
      $6::integer
    ) as paid (week)
    cross join lateral (
      select so.updated_at, so.order_id
      from seller_orders so
      where so.seller_id = $1 and so.paid_week = paid.week and so.paid_at is not null
        and (so.updated_at, so.order_id) < ($3, $4)
        /* filters */
      order by so.updated_at desc, so.order_id desc
      limit $2
    ) k
    order by k.updated_at desc, k.order_id desc
    limit $2
  ) newest
  limit 101
) position
cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = position.order_id offset 0) so
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: ListOrdersByChange
-- Orders with an item that entered the state $5 between $6 and $7 (infinite where there is no bound). There are two ways:
--
-- 1. When at most $8 changes lie in the range (status_changes_by_time), take their orders and sort them; see mostHits.
-- 2. Else walk in the order of the page, by the indexes of ListOrders, and ask of each order whether it has such a change
--    (primary key of status_changes). The filters tell between which times it entered the state, so nearly all that have none
--    are passed over within the index; within those that do not hold it, the ones that were paid after the range are. No change
--    is later than updated_at, so the walk ends where the range begins. (The minute is for clocks of others that are ahead.)
--
-- A condition that is false for the whole statement costs nothing: the way that is not taken is not executed. The subquery of
-- the probe has a limit and that of the hits an offset so that the planner leaves them where they stand. The condition on
-- item_ids, which holds for all, is that of the index.
with hits as materialized (
  select c.order_id
  from status_changes c
  where c.seller_id = $1 and c.to_status = $5 and c.changed_at between $6 and $7 and cardinality(c.item_ids) > 0
  limit $8::bigint + 1
), counted as materialized (
  select count(*) <= $8::bigint as few from hits
)
select so.*
from (
  (
    select so.*
    from (select distinct order_id from hits) hit
    cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = hit.order_id offset 0) so
    where (select few from counted) and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4)
      /* filters */
    order by so.updated_at desc, so.order_id desc
    limit 101
  )
  union all
  (
    select so.*
    from seller_orders so
    where not (select few from counted)
      and so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4)
      and so.updated_at >= $6::timestamptz - interval '1 minute' and so.paid_at <= $7::timestamptz + interval '1 minute'
      /* filters */
      and (
        select true from status_changes c
        where c.seller_id = $1 and c.order_id = so.order_id and c.to_status = $5 and c.changed_at between $6 and $7
        limit 1
      )
    order by so.updated_at desc, so.order_id desc
    limit 101
  )
) so
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: FindOrder
-- $2 the order's number. Served by orders_order_no and the primary key of seller_orders. Another seller's order, an unpaid
-- one and none at all are the same: no row.
select so.*
from seller_orders so
where so.seller_id = $1 and so.paid_at is not null and so.order_id = (select o.order_id from orders o where o.seller_id = $1 and o.order_no = $2);

-- name: ItemsOfPage
-- The orders of the page with the seller's items, in the order of the page and of the item codes. Served by the primary keys
-- of orders, lines and shipments. The offset keeps the planner from reading all items of the seller instead of those of each
-- order. The columns are read by position, see scan.go.
select page.order_id, o.order_no, o.currency, page.order_status, page.seller_order_status, page.paid_at, page.updated_at,
  /* contact of o */,
  page.point_used_amount, page.shipping_fee_base, page.shipping_fee_paid,
  l.item_id, l.seq, l.product_name, l.option_name, l.quantity,
  l.list_price, l.unit_price, l.line_amount, l.discount_amount, l.line_paid_amount,
  l.item_status, l.is_exchange, l.has_active_claim, l.shipped_at, l.delivered_at, l.confirmed_at,
  l.auto_confirm_at, l.origin_item_id, l.split_from_claim_no, l.exchange_claim_no,
  s.carrier_name, s.tracking_no, s.logistics_company
from page
join orders o on o.seller_id = $1 and o.order_id = page.order_id
cross join lateral (select l.* from lines l where l.seller_id = $1 and l.order_id = page.order_id offset 0) l
left join shipments s on s.seller_id = $1 and s.order_id = l.order_id and s.shipment_id = l.shipment_id
order by page.updated_at desc, page.order_id desc, l.seq;
