-- The part of what was paid for a line that was paid with points.

-- +goose Up

-- Never shown to sellers. A pod of the version before splits a line without it, so it may be more than what was paid.
alter table lines add column if not exists points_amount bigint not null default 0 check (points_amount >= 0);

-- Lines of before: the points of a seller's part in proportion to what was paid for each line, rounded down; the last one takes
-- the rest up to what was paid for it, and what exceeds that goes to the lines before it.
with parts as (
  select l.order_id, l.seq, l.line_paid_amount as paid,
    sum(l.line_paid_amount) over part as total,
    least(so.point_used_amount, sum(l.line_paid_amount) over part) as amount,
    l.seq = max(l.seq) over part as is_last, l.order_id as part_order, l.seller_id as part_seller
  from lines l
  join seller_orders so on so.seller_id = l.seller_id and so.order_id = l.order_id
  where not l.is_exchange and so.point_used_amount > 0
  window part as (partition by l.order_id, l.seller_id)
), rounded as (
  select p.*, case when p.is_last then 0 else div(p.amount * p.paid, nullif(p.total, 0)) end as share
  from parts p
), resting as (
  -- Every line has room for more; the rest fills the rooms from the last line on.
  select r.*, r.amount - sum(r.share) over (partition by r.part_order, r.part_seller) as rest,
    coalesce(sum(r.paid - r.share) over (partition by r.part_order, r.part_seller order by r.seq desc
      rows between unbounded preceding and 1 preceding), 0) as room_behind
  from rounded r
)
update lines l
set points_amount = r.share + greatest(0, least(r.paid - r.share, r.rest - r.room_behind))
from resting r
where l.order_id = r.order_id and l.seq = r.seq and r.total > 0;

-- +goose StatementBegin
do $$
begin
  if exists (
    select
    from seller_orders so
    join lines l on l.seller_id = so.seller_id and l.order_id = so.order_id
    where not l.is_exchange and so.point_used_amount > 0
    group by so.seller_id, so.order_id
    having sum(l.points_amount) <> least(so.point_used_amount, sum(l.line_paid_amount))
      or bool_or(l.points_amount > l.line_paid_amount)
  ) then
    raise exception 'points that belong to no line, or to one that cost less';
  end if;
end
$$;
-- +goose StatementEnd

-- A line that an exchange created pays with the points of the goods that it stands in for; what it gave back was money.
-- +goose StatementBegin
do $$
declare
  line record;
begin
  for line in
    select l.order_id, l.seq, l.line_paid_amount, h.quantity, coalesce(h.settled_item_id, h.item_id) as old_id
    from lines l
    join claim_hold_items h on h.exchange_item_id = l.item_id
    where l.is_exchange
    order by l.order_id, l.seq
  loop
    update lines l
    set points_amount = least(line.line_paid_amount, div(old.points_amount::numeric * least(line.quantity, old.quantity), old.quantity))
    from lines old
    where l.order_id = line.order_id and l.seq = line.seq and old.item_id = line.old_id and old.points_amount > 0;
  end loop;
end
$$;
-- +goose StatementEnd
