-- The pages of the list of orders, and the single order of the detail. Each statement selects rows of seller_orders; ItemsOfPage is
-- appended to it and adds the other columns of the response, so that a page is one statement.
--
-- $1 seller, $2 rows wanted, ($3, $4) updated_at and id of the order after which the page begins. The first page begins after
-- infinity: because the position is always present, a plan that does not follow the order of the index never pays off.
--
-- "limit 101" tells the planner how few rows are needed, which it cannot see in $2. It is one more than the largest page, so it never
-- cuts one.

-- name: ListOrders
-- Served by seller_orders_latest, with order_no by the primary key.
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

-- name: PositionsByKind
-- Positions of orders with a status from $5 to $6 and an item in one of the states $7 (bits of line_states), of a kind that has one
-- of the bits $8, that were paid from $9 to $10 and not changed before $11 (infinite where there is no bound). Served by
-- seller_orders_by_kind, and by seller_orders_latest for the newest change.
--
-- The recursion jumps from one combination of status, kind and lag to the next, and skips all lags of a kind that is not wanted, and
-- those that no order has that was paid in the range: none is longer than from $9 to the newest change. It finds the oldest change of
-- each combination. The lag bounds the time between the payment and the last change, so the walk of each combination begins and ends
-- at the range of payments, however long ago that is; one whose oldest change is later has nothing to walk. The query takes a page of
-- each of the others, and the newest rows of all of these.
--
-- The bounds of a walk are materialized: under row-level security, only values and not expressions are used as conditions on an index.
with recursive longest as (
  select floor(ln(greatest(date_part('epoch', so.updated_at - $9::timestamptz) / 86400, 0.5)) / ln(2::double precision)) + 1 as lag
  from seller_orders so
  where $9 > '-infinity' and so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4)
  order by so.updated_at desc, so.order_id desc
  limit 1
), combination as (
  select $5::smallint as order_status, 0::smallint as kind, -1::smallint as lag, -1::smallint as past,
    null::timestamptz as oldest, null::timestamptz as latest
  union all
  select next.order_status, next.kind, next.lag,
    case
      when next.kind & $7::smallint = 0 or next.kind & $8::smallint = 0 or next.lag >= (select lag from longest) then 32767::smallint
      else next.lag
    end,
    next.updated_at, $10::timestamptz + (1 << next.lag) * interval '24 hours' + interval '1 minute'
  from combination last
  cross join lateral (
    select so.order_status, so.kind, so.lag, so.updated_at
    from seller_orders so
    where so.seller_id = $1 and so.paid_at is not null
      and (so.order_status, so.kind, so.lag) > (last.order_status, last.kind, last.past) and so.order_status <= $6::smallint
    order by so.order_status, so.kind, so.lag, so.updated_at
    limit 1
  ) next
), walk as materialized (
  select c.order_status, c.kind, c.lag, least($3, c.latest) as begins_at,
    case when $3 <= c.latest then $4 else 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid end as begins_after,
    greatest($11::timestamptz, $9::timestamptz + ((1 << c.lag) >> 1) * interval '24 hours' - interval '1 minute') as earliest
  from combination c
  where c.kind & $7::smallint <> 0 and c.kind & $8::smallint <> 0 and c.oldest <= c.latest and c.oldest <= $3
)
select newest.updated_at, newest.order_id
from walk
cross join lateral (
  select so.updated_at, so.order_id
  from seller_orders so
  where so.seller_id = $1 and so.paid_at is not null
    and so.order_status = walk.order_status and so.kind = walk.kind and so.lag = walk.lag
    and (so.updated_at, so.order_id) < (walk.begins_at, walk.begins_after) and so.updated_at >= walk.earliest
    and so.line_states & $7::smallint <> 0 /* filters */ /* change */
  order by so.updated_at desc, so.order_id desc
  limit $2
) newest
order by newest.updated_at desc, newest.order_id desc
limit $2;

-- name: ListOrdersByKind
-- Orders in certain states, or that were paid in a past range. The positions are in the index; only the rows of the page are read
-- (primary key).
select so.*
from (
  select position.order_id
  from (/* by kind */) position
  limit 101
) position
cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = position.order_id offset 0) so
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: ListOrdersByChange
-- Orders with an item that entered the state $12 between $13 and $14 (infinite where there is no bound). There are two methods:
--
-- 1. If at most $15 changes are in the range (status_changes_by_hour, with the hours of the range, $18 and $19), take their orders
--    and sort them.
-- 2. Otherwise walk as ListOrdersByKind does. An order was paid before every change and updated after all of them, so the range of
--    the changes bounds both. The seconds between which it entered the state decide for nearly every order whether it has such a
--    change; for the others its history does (primary key of status_changes).
--
-- A condition that is false for the whole statement costs nothing: the method that is not taken is not executed. The subquery of the
-- probe has a limit and that of the hits an offset, so that the planner does not move them. $16 and $17 are the seconds of $13 and
-- $14.
with hits as materialized (
  select c.order_id
  from status_changes c
  where c.seller_id = $1 and c.to_status = $12 and c.changed_hour between $18 and $19 and c.changed_at between $13 and $14
  limit $15::bigint + 1
), counted as materialized (
  select count(*) <= $15::bigint as few from hits
)
select so.*
from (
  (
    select so.*
    from (select distinct order_id from hits) hit
    cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = hit.order_id offset 0) so
    where (select few from counted) and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4)
      and so.order_status between $5::smallint and $6::smallint and so.line_states & $7::smallint <> 0 and so.updated_at >= $11
      /* filters */
    order by so.updated_at desc, so.order_id desc
    limit 101
  )
  union all
  (
    select so.*
    from (
      select position.order_id
      from (/* by kind */) position
      limit 101
    ) position
    cross join lateral (select so.* from seller_orders so where so.seller_id = $1 and so.order_id = position.order_id offset 0) so
    where not (select few from counted)
  )
) so
order by so.updated_at desc, so.order_id desc
limit $2;

-- name: FindOrder
-- $2 the order's number. Served by orders_order_no and the primary key of seller_orders. For another seller's order, an unpaid one
-- and a missing one there is no row.
select so.*
from seller_orders so
where so.seller_id = $1 and so.order_id = (
  select o.order_id from orders o where o.seller_id = $1 and o.order_no = $2 and o.payment = 'paid'
);

-- name: ItemsOfPage
-- The orders of the page with the seller's items, in the order of the page and of the item codes. Served by the primary keys of
-- orders, lines and shipments. The offsets keep the planner from reading all orders and items of the seller instead of those of the
-- page, even with a plan that was made for empty tables. The columns are read by position, see scan.go.
select page.order_id, o.order_no, o.currency, page.order_status, page.paid_at, page.updated_at,
  /* contact of o */,
  page.point_used_amount, page.shipping_fee_base, page.shipping_fee_paid,
  l.item_id, l.seq, l.product_name, l.option_name, l.quantity,
  l.list_price, l.unit_price, l.line_amount, l.discount_amount, l.line_paid_amount,
  l.item_status, l.is_exchange, l.has_active_claim, l.shipped_at, l.delivered_at, l.confirmed_at,
  l.auto_confirm_at, l.origin_item_id, l.split_from_claim_no, l.exchange_claim_no,
  s.carrier_name, s.tracking_no, s.logistics_company
from page
cross join lateral (select o.* from orders o where o.seller_id = $1 and o.order_id = page.order_id offset 0) o
cross join lateral (select l.* from lines l where l.seller_id = $1 and l.order_id = page.order_id offset 0) l
left join lateral (
  select s.* from shipments s where s.seller_id = $1 and s.order_id = l.order_id and s.shipment_id = l.shipment_id offset 0
) s on true
order by page.updated_at desc, page.order_id desc, l.seq;
