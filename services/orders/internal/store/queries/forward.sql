-- name: ForwardOrders
-- The list in the order of the changes: $1 seller, $2 rows wanted, ($3, $4) updated_at and id after which the page begins.
-- ItemsOfPage is appended. Served by seller_orders_latest alone, read upwards.
select so.order_id, so.updated_at, so.paid_at, so.order_status, true as wanted, false as last
from seller_orders so
where so.seller_id = $1 and so.paid_at is not null and (so.updated_at, so.order_id) > ($3, $4)
order by so.updated_at, so.order_id
limit $2;
