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
-- of the bits $8, that were paid from $9 to $10 and not changed before $11; with bit 512 of kind, not changed after $12; with bit 1024,
-- not paid before $13 (infinite where there is no bound). Served by seller_orders_by_kind, and by seller_orders_latest for the newest
-- and the oldest change.
--
-- The recursion jumps from one combination of status, kind and lag to the next, and skips all lags of a kind that is not wanted, and
-- those that no order has that was paid in the range: none is longer than from $9 to the newest change, or shorter than from $10 to the
-- oldest. It takes a page of each combination, unless the oldest change of it is later than the page. The lag bounds the time between
-- the payment and the last change, so the walk of each begins and ends at the range of payments, however long ago that is. It also ends
-- at the last order of the page as known so far: "best" has the times of its orders. Without that, a combination in which no order
-- matches would be walked to its end. The query takes the newest rows of all.
--
-- The bounds of a walk are a subquery with an offset: under row-level security, only values and not expressions are used as conditions
-- on an index.
with recursive longest as (
  select floor(ln(greatest(date_part('epoch', so.updated_at - $9::timestamptz) / 86400, 0.5)) / ln(2::double precision)) + 1 as lag
  from seller_orders so
  where $9 > '-infinity' and so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) < ($3, $4)
  order by so.updated_at desc, so.order_id desc
  limit 1
), shortest as (
  select floor(ln(greatest(date_part('epoch', so.updated_at - $10::timestamptz) / 86400, 0.5)) / ln(2::double precision)) + 1 as lag
  from seller_orders so
  where $10 < 'infinity' and so.seller_id = $1 and so.paid_at is not null
    and (so.updated_at, so.order_id) > ('-infinity', '00000000-0000-0000-0000-000000000000')
  order by so.updated_at, so.order_id
  limit 1
), walk as (
  select $5::smallint as order_status, 0::smallint as kind, -1::smallint as lag, -1::smallint as past,
    '{}'::timestamptz[] as best, null::timestamptz[] as updated_at, null::uuid[] as order_id
  union all
  select next.order_status, next.kind, next.lag,
    case
      when bound.wanted and next.lag < coalesce((select lag from longest), 32767)
        then greatest(next.lag, coalesce((select lag from shortest), 0) - 1)::smallint
      else 32767::smallint
    end,
    case
      when newest.updated_at is null then last.best
      else array(select unnest(last.best || newest.updated_at) as updated_at order by updated_at desc limit $2)
    end,
    newest.updated_at, newest.order_id
  from walk last
  cross join lateral (
    select so.order_status, so.kind, so.lag, so.updated_at
    from seller_orders so
    where so.seller_id = $1 and so.paid_at is not null
      and (so.order_status, so.kind, so.lag) > (last.order_status, last.kind, last.past) and so.order_status <= $6::smallint
    order by so.order_status, so.kind, so.lag, so.updated_at
    limit 1
  ) next
  cross join lateral (
    select next.kind & $7::smallint <> 0 and next.kind & $8::smallint <> 0 as wanted,
      least($10::timestamptz + (1 << next.lag) * interval '24 hours' + interval '1 minute',
        case when next.kind & 512 = 0 then 'infinity' else $12::timestamptz end) as latest,
      greatest($11::timestamptz, last.best[$2], ((1 << next.lag) >> 1) * interval '24 hours' - interval '1 minute'
        + case when next.kind & 1024 = 0 then $9::timestamptz else greatest($9, $13::timestamptz) end) as earliest
  ) bound
  cross join lateral (
    select least($3, bound.latest) as begins_at, bound.earliest,
      case when $3 <= bound.latest then $4 else 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid end as begins_after
    offset 0
  ) range
  cross join lateral (
    select array_agg(page.updated_at) as updated_at, array_agg(page.order_id) as order_id
    from (
      select so.updated_at, so.order_id
      from seller_orders so
      where bound.wanted and greatest(next.updated_at, range.earliest) <= range.begins_at
        and so.seller_id = $1 and so.paid_at is not null and so.order_status = next.order_status and so.kind = next.kind and so.lag = next.lag
        and (so.updated_at, so.order_id) < (range.begins_at, range.begins_after) and so.updated_at >= range.earliest
        and so.line_states & $7::smallint <> 0 /* filters */ /* change */
      order by so.updated_at desc, so.order_id desc
      limit $2
    ) page
  ) newest
)
select position.updated_at, position.order_id
from walk
cross join lateral unnest(walk.updated_at, walk.order_id) as position (updated_at, order_id)
where walk.updated_at is not null
order by position.updated_at desc, position.order_id desc
limit $2;

-- name: PositionsByStatus
-- Positions of orders with a status from $5 to $6 and an item in one of the states $7 (bits of line_states) that were not changed before
-- $8 (-infinity where there is no bound), whenever they were paid. Served by seller_orders_by_kind.
--
-- As PositionsByKind, but nearly every order of a combination matches, so nothing is gained by taking less than a page of each.
with recursive combination as (
  select $5::smallint as order_status, 0::smallint as kind, -1::smallint as past
  union all
  select next.order_status, next.kind, case when next.kind & $7::smallint <> 0 then next.lag else 32767::smallint end
  from combination last
  cross join lateral (
    select so.order_status, so.kind, so.lag
    from seller_orders so
    where so.seller_id = $1 and so.paid_at is not null
      and (so.order_status, so.kind, so.lag) > (last.order_status, last.kind, last.past) and so.order_status <= $6::smallint
    order by so.order_status, so.kind, so.lag
    limit 1
  ) next
)
select newest.updated_at, newest.order_id
from combination
cross join lateral (
  select so.updated_at, so.order_id
  from seller_orders so
  where so.seller_id = $1 and so.paid_at is not null
    and so.order_status = combination.order_status and so.kind = combination.kind and so.lag = combination.past
    and (so.updated_at, so.order_id) < ($3, $4) and so.updated_at >= $8 and so.line_states & $7::smallint <> 0 /* filters */
  order by so.updated_at desc, so.order_id desc
  limit $2
) newest
where combination.kind & $7::smallint <> 0
order by newest.updated_at desc, newest.order_id desc
limit $2;

-- name: ListOrdersByKind
-- Orders in certain states, or that were paid in a past range, at the positions of PositionsByStatus or PositionsByKind. These are in
-- the index; only the rows of the page are read (primary key).
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
-- Orders with an item that entered the state $14 between $15 and $16 (infinite where there is no bound). There are two methods:
--
-- 1. If at most $17 changes are in the range (status_changes_by_hour, with the hours of the range, $20 and $21), take their orders
--    and sort them.
-- 2. Otherwise walk as ListOrdersByKind does. An order was paid before every change and updated after all of them, so the range of
--    the changes bounds both. The seconds between which it entered the state decide for nearly every order whether it has such a
--    change; for the others its history does (primary key of status_changes).
--
-- A condition that is false for the whole statement costs nothing: the method that is not taken is not executed. The subquery of the
-- probe has a limit and that of the hits an offset, so that the planner does not move them. $18 and $19 are the seconds of $15 and
-- $16.
with hits as materialized (
  select c.order_id
  from status_changes c
  where c.seller_id = $1 and c.to_status = $14 and c.changed_hour between $20 and $21 and c.changed_at between $15 and $16
  limit $17::bigint + 1
), counted as materialized (
  select count(*) <= $17::bigint as few from hits
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
