-- Taking a paid order to change it. What goes out together is one round trip; each statement sees what the lock has waited for.

-- name: LockHome
-- $1 the seller that is the order's home, $2 the order's number. Locks the home's part, after which all parts of the order change
-- one writer at a time; readers and references do not wait. No row for another seller, an order that is not paid, and none at all.
-- Served by orders_order_no.
select o.sellers
from orders o
where o.seller_id = $1 and o.order_no = $2 and o.payment = 'paid' and o.sellers[1] = $1
for no key update;

-- name: ReadParts
-- $2 the order's number. Parts of an order: the items with everything that decisions look at, in the order of their codes. Served
-- by orders_order_no and the primary keys of lines, seller_orders and shipments. The clock is read after the lock was waited for.
-- The columns are read by position, see locked.go.
select o.sellers[1], cardinality(o.sellers),
  o.order_id, o.order_no, o.currency, o.paid_at, seller_now(o.seller_id),
  so.order_status, so.updated_at, so.shipping_fee_paid, so.point_used_amount,
  l.item_id, l.seq, l.product_name, l.option_name, l.quantity,
  l.list_price, l.unit_price, l.line_amount, l.discount_amount, l.line_paid_amount,
  l.item_status, l.is_exchange, l.has_active_claim, l.shipped_at, l.delivered_at, l.confirmed_at,
  l.auto_confirm_at, l.origin_item_id, l.split_from_claim_no, l.exchange_claim_no,
  s.carrier_name, s.tracking_no, s.logistics_company,
  l.seller_id, l.product_id, l.shipment_id, l.claim_no, l.exchange_gate, l.points_amount
from orders o
join seller_orders so on so.seller_id = o.seller_id and so.order_id = o.order_id
join lines l on l.seller_id = o.seller_id and l.order_id = o.order_id
left join shipments s on s.seller_id = l.seller_id and s.order_id = l.order_id and s.shipment_id = l.shipment_id
where /* whose */ and o.order_no = $2 and o.payment = 'paid'
order by l.seq;
