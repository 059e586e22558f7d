-- Taking a paid order to change it. Both statements go out together; the second one sees what the lock has waited for.

-- name: LockSellersOrder
-- $1 the seller, $2 the order's number. Served by orders_order_no and the primary key of seller_orders. Locks the order, whose
-- sellers and items then change one writer at a time. Another seller's order, an unpaid one and none at all are the same.
select o.id
from orders o
where o.order_no = $2 and o.payment = 'paid'
  and exists (select from seller_orders so where so.seller_id = $1 and so.order_id = o.id)
for no key update of o;

-- name: LockPaidOrder
-- The same for callers who work for no seller.
select o.id
from orders o
where o.order_no = $1 and o.payment = 'paid'
for no key update of o;

-- name: ReadLocked
-- $1 the order's number. The items of all sellers with everything that decisions look at, in the order of their codes. Served
-- by orders_order_no and the primary keys of lines, seller_orders and shipments. The clock is read after the lock was waited
-- for. The columns are read by position, see locked.go.
select o.id, o.order_no, o.currency, o.paid_at, seller_now(so.seller_id), so.order_status, so.updated_at, so.shipping_fee_paid, so.point_used_amount,
  l.item_id, l.seq, l.product_name, l.option_name, l.quantity,
  l.list_price, l.unit_price, l.line_amount, l.discount_amount, l.line_paid_amount,
  l.item_status, l.is_exchange, l.has_active_claim, l.shipped_at, l.delivered_at, l.confirmed_at,
  l.auto_confirm_at, l.origin_item_id, l.split_from_claim_no, l.exchange_claim_no,
  s.carrier_name, s.tracking_no, s.logistics_company,
  l.seller_id, l.product_id, l.shipment_id, l.claim_no, l.exchange_gate, l.points_amount
from orders o
join lines l on l.order_id = o.id
join seller_orders so on so.seller_id = l.seller_id and so.order_id = l.order_id
left join shipments s on s.id = l.shipment_id
where o.order_no = $1
order by l.seq;
