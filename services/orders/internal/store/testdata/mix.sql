-- Changes the orders of a schema filled by fill.sql: a third is completed in any combination of states and statuses, up to months after
-- payment, and open ones have items in any states. An order with no item that is still to be shipped by its states has no time for it.
update seller_orders so
set line_states = s.states * 16, order_status = s.status, updated_at = s.at
from (
  select seller_id, order_id, 1 + n % 15 as states, 5 + n / 16 % 3 as status, paid_at + 2 ^ (n / 64 % 80 / 10.0) * interval '1 day' as at
  from (select *, hashtext(order_id::text)::bigint + 2 ^ 31::bigint as hash from seller_orders where line_states = 16) so
  cross join lateral (select hash::bigint as n) numbered
  where n % 3 = 0
) s
where so.seller_id = s.seller_id and so.order_id = s.order_id;

update seller_orders so
set line_states = s.states, ship_by = case when s.states & 3 <> 0 then so.ship_by end
from (
  select seller_id, order_id, 1 + (hashtext(order_id::text)::bigint + 2 ^ 31::bigint)::bigint % 255 as states from seller_orders
) s
where so.line_states & 15 <> 0 and s.seller_id = so.seller_id and s.order_id = so.order_id;

update lines l
set ship_by = null
from seller_orders so
where so.seller_id = l.seller_id and so.order_id = l.order_id and so.line_states & 3 = 0;
