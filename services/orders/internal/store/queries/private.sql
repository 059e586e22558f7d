-- name: PrivateOfOrders
-- $1 the seller, $2 orders: what their placement said and no seller sees, a row for each item. Served by the primary keys.
select o.order_id, o.member_id, l.item_id, l.product_id
from unnest($2::uuid[]) as page (order_id)
cross join lateral (select o.* from orders o where o.seller_id = $1 and o.order_id = page.order_id offset 0) o
cross join lateral (select l.* from lines l where l.seller_id = $1 and l.order_id = page.order_id offset 0) l;
