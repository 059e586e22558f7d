-- name: TickSellers
-- Served by the primary key. Sorted, so that all transactions lock in one order.
-- Each row reads the wall clock and then waits for the lock of the seller's row, so
-- that its time is that of the wall clock, or a microsecond after the last committed
-- time. A seller without a row starts at the wall clock; of two concurrent inserts
-- one waits for the other.
insert into seller_clock as c (seller_id, last)
select s.seller_id, seller_now(s.seller_id)
from (select distinct unnest($1::uuid[]) as seller_id) s
order by s.seller_id
on conflict (seller_id) do update
set last = clock_after(c.last, excluded.last)
returning c.seller_id, c.last

-- name: SellerClock
-- The last time of a seller's clock; null before the first. Served by the primary key.
select max(last) from seller_clock where seller_id = $1

-- name: Now
-- The clock for all timestamps.
select seller_now(null)

-- name: ChangedSellers
-- Sellers in the order of their clocks: ($1, $2) the clock and the seller after which the page begins, $3 rows wanted. Served by
-- seller_clock_latest alone, on every node of a distributed database.
select c.seller_id, c.last
from seller_clock c
where (c.last, c.seller_id) > ($1, $2)
order by c.last, c.seller_id
limit $3

-- name: Clocks
-- The last times of the clocks of the sellers $1; there is no row before the first. Served by the primary key. Of a distributed
-- database it queries the nodes of all these sellers.
select c.seller_id, c.last from seller_clock c where c.seller_id = any($1::uuid[])
