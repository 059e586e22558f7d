-- name: TickSellers
-- Served by the primary key. Sorted, so that all transactions lock in one order.
-- A conflict locks the row first and computes the new time afterwards, from the
-- committed last time and the wall clock of that moment. A seller without a row
-- starts at the wall clock; of two that insert at once one waits for the other.
insert into seller_clock as c (seller_id, last)
select s.seller_id, seller_now(s.seller_id)
from (select distinct unnest($1::uuid[]) as seller_id) s
order by s.seller_id
on conflict (seller_id) do update
set last = greatest(c.last + interval '1 microsecond', seller_now(c.seller_id))
returning c.seller_id, c.last
