-- name: TickSellers
-- Served by the primary key. Sorted, so that all transactions lock in one order.
-- Each row reads the wall clock and then waits for the one that has the seller's row,
-- so that its time is that clock's or a microsecond after the last time that was
-- committed. A seller without a row starts at the wall clock; of two that insert at
-- once one waits for the other.
insert into seller_clock as c (seller_id, last)
select s.seller_id, seller_now(s.seller_id)
from (select distinct unnest($1::uuid[]) as seller_id) s
order by s.seller_id
on conflict (seller_id) do update
set last = clock_after(c.last, excluded.last)
returning c.seller_id, c.last

-- name: SellerClock
-- The last time that a seller was given; null before the first. Served by the primary key.
select max(last) from seller_clock where seller_id = $1

-- name: SellerClockWaiters
-- How many transactions wait for the clock of a seller now, the sellers with the most of them. Those that wait for a row, first in line
-- or not, have a lock on its place in the table; the row at that place says whose it is. No index: locks are not in a table, and rows
-- are read by their places.
select c.seller_id::text, count(*)::float8
from pg_locks l
join seller_clock c on c.ctid = format('(%s,%s)', l.page, l.tuple)::tid
where l.locktype = 'tuple' and l.relation = 'seller_clock'::regclass
  and l.database = (select d.oid from pg_database d where d.datname = current_database())
group by c.seller_id
order by count(*) desc, c.seller_id
limit 5
