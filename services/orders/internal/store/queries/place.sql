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
-- Primary key.
select n.order_no, n.order_id, n.sellers, n.content
from order_numbers n
where n.order_no = any ($1);

-- name: ItemsOfOrders
-- $1 the sellers of the orders $2: the items of each in the order of their codes. Served by the primary key of lines.
select l.order_id, array_agg(l.item_id order by l.seq)
from lines l
where l.seller_id = any ($1) and l.order_id = any ($2)
group by l.order_id;

-- name: FindTakenItems
-- Primary key.
select i.item_id from item_ids i where i.item_id = any ($1);
