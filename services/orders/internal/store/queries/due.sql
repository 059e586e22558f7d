-- The background work of the service, and its metrics. These statements work across sellers: on a distributed database each node
-- reads its own rows.

-- name: DueOrders
-- Some of the orders with purchases that are due for automatic confirmation. An order that cannot be confirmed stays due, so the
-- choice is random among many. Served by lines_due and the primary key of orders.
select o.seller_id, o.order_no
from (
  select due.seller_id, due.order_id
  from (
    select l.seller_id, l.order_id
    from lines l
    where l.auto_confirm_at <= statement_timestamp()
    order by l.auto_confirm_at
    limit 10 * $1
  ) due
  group by due.seller_id, due.order_id
  order by random()
  limit $1
) chosen
join orders o on o.seller_id = chosen.seller_id and o.order_id = chosen.order_id;

-- name: DueOrdersOf
-- DueOrders of the seller $1, whose clock was moved, at the time $2. Served by lines_due and the primary key of orders.
select o.seller_id, o.order_no
from (
  select due.order_id
  from (
    select l.order_id
    from lines l
    where l.seller_id = $1 and l.auto_confirm_at <= $2
    order by l.auto_confirm_at
    limit 10 * $3
  ) due
  group by due.order_id
  order by random()
  limit $3
) chosen
join orders o on o.seller_id = $1 and o.order_id = chosen.order_id;

-- name: CountOrders
-- Orders with unfinished items, by the states of those items. Served by seller_orders_open alone, which does not contain the many
-- orders whose items have all ended.
select state.name, coalesce(sum(open.orders), 0)::float8
from (values ('paid', 1), ('preparing', 2), ('shipping', 4), ('delivered', 8)) as state (name, bit)
left join (
  select so.line_states, count(*) as orders
  from seller_orders so
  where so.line_states & 15 <> 0
  group by so.line_states
) open on open.line_states & state.bit <> 0
group by state.name;

-- name: AgeOfDeadlines
-- How long the oldest unconfirmed purchase has been due. lines_due.
select 'purchase', coalesce(greatest(extract(epoch from clock_timestamp() - min(auto_confirm_at)), 0), 0)::float8
from lines
where auto_confirm_at is not null;
