-- Placing orders. These statements work across sellers: an order belongs to all of its sellers, and the caller is the marketplace.

-- name: Now
-- The clock for all timestamps.
select seller_now(null);

-- name: TakeNumbers
-- Skips an order whose number is taken, and waits for one that is just being placed. Sorted, so that two batches with the same
-- numbers cannot deadlock. Sellers are passed as the text of their array, because unnest cannot nest. Primary key.
insert into order_numbers (order_no, order_id, sellers, content)
select o.order_no, o.order_id, o.sellers::uuid[], o.content
from unnest($1::text[], $2::uuid[], $3::text[], $4::bytea[]) as o (order_no, order_id, sellers, content)
order by o.order_no
on conflict (order_no) do nothing
returning order_no;

-- name: FindPlaced
-- What was placed under the numbers. Primary key.
select n.order_no, n.order_id, n.sellers, n.content
from order_numbers n
where n.order_no = any ($1);

-- name: ItemsOfOrders
-- $1 the sellers of the orders $2, whose numbers are $3: the items of each in the order of their codes, including archived orders.
-- Served by the primary keys of lines and archived_orders.
select i.order_id, array_agg(i.item_id order by i.seq)
from (
  select l.order_id, l.item_id, l.seq
  from lines l
  where l.seller_id = any ($1) and l.order_id = any ($2)
  union all
  select a.order_id, l.item_id, l.seq
  from archived_orders a
  cross join lateral json_populate_recordset(null::lines, a.content -> 'lines') l
  where a.seller_id = any ($1) and a.order_no = any ($3)
) i
group by i.order_id;

-- name: FindTakenItems
-- Which of the ids are already used by items. Primary key.
select i.item_id from item_ids i where i.item_id = any ($1);
