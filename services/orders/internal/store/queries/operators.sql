-- Actions of the marketplace and its operators other than payments.

-- name: FindAct
-- Primary key.
select a.order_id, a.to_status from act_ids a where a.act_id = $1;

-- name: TakeAct
-- Two calls with one id wait for each other at the primary key, and the second fails.
insert into act_ids (act_id, order_id, to_status) values ($1, $2, $3);

-- name: FindActOnItem
-- $1 the seller, $2 the act, $3 the item: the parcel of the item after the act. Served by the primary keys.
select s.carrier_name, s.tracking_no, s.logistics_company
from operator_acts a
left join shipments s on s.seller_id = a.seller_id and s.order_id = a.order_id and s.shipment_id = a.to_shipment_id
where a.seller_id = $1 and a.act_id = $2 and a.item_id = $3;

-- name: AddAct
-- An item that an operator has changed or confirmed.
insert into operator_acts (seller_id, act_id, item_id, order_id, operator, reason, from_status, to_status, from_shipment_id,
  to_shipment_id, acted_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: OrdersOfMember
-- The orders of a member that may have personal data. Primary key.
select m.order_no from member_orders m where m.member_id = $1 order by m.order_no;

-- name: ForgetContacts
-- $1 the sellers, $2 the order, locked: deletes the personal data in the parts that still have any. Primary key.
update orders o
set /* contact forgotten */
where o.seller_id = any ($1) and o.order_id = $2
  and num_nonnulls(/* contact of o */) > 0;

-- name: ForgetMember
-- The order no longer has personal data of the member. Primary key.
delete from member_orders where member_id = $1 and order_no = $2;

-- name: TouchOrder
-- $1 the order. The arrays have its sellers and their new times; an unpaid order stays without a time. Primary key. The sellers are
-- named twice, as in StampPaidOrder.
update seller_orders so
set updated_at = t.updated_at
from unnest($2::uuid[], $3::timestamptz[]) as t (seller_id, updated_at)
where so.seller_id = t.seller_id and so.seller_id = any ($2) and so.order_id = $1 and so.updated_at is not null;
