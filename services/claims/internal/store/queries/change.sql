-- name: LockClaims
-- Locks all claims of one seller's part of an order, because the refund of one depends on the others, and returns the business time
-- of the change, taken when the last of them was locked; null if there is no such claim. Locks in the order of claim_id, so that two
-- changes cannot deadlock. claims_by_order, after claims_claim_no for the order.
select max(seller_now(c.seller_id))
from (
  select c.claim_id, c.seller_id
  from claims c
  where c.seller_id = $1 and c.order_no = (select o.order_no from claims o where o.seller_id = $1 and o.claim_no = $2)
  order by c.claim_id
  for no key update
) c;

-- name: SumUndone
-- What other claims of the same part of the order have undone: the pieces of those whose refund is fixed. claims_by_order; the claims
-- are locked. $3 are the reasons that are the seller's fault.
select coalesce(sum(i.quantity) filter (where c.type = 'cancel'), 0)::bigint, coalesce(sum(i.quantity), 0)::bigint,
  coalesce(bool_or(c.reason_code = any ($3::text[])), false)
from claims c
join claim_items i on i.seller_id = c.seller_id and i.claim_id = c.claim_id
where c.seller_id = $1 and c.order_no = (select o.order_no from claims o where o.seller_id = $1 and o.claim_no = $2) and c.claim_no <> $2
  and c.type in ('cancel', 'return') and c.refund_amount is not null;

-- name: UpdateClaim
-- Primary key; the claim is locked. Without $15 it gets the time to which this transaction has just advanced the seller's clock: this is
-- the last statement.
update claims
set status = $3, refund_amount = $4, shipping_refund = $5, shortfall_paid = $6, shortfall_payment = nullif($7, ''),
  completed_at = $8, payment_due_at = $9, inspection_due_at = $10,
  frozen_by = $11, frozen_reason = $12, frozen_at = $13, replaced_by = nullif($14, ''),
  updated_at = coalesce($15, (select l.last from seller_clock l where l.seller_id = $1)),
  refund_points = $16, frozen_code = $17, changes = $18, freeze_pending = nullif($19, '')
where seller_id = $1 and claim_id = $2
returning updated_at;

-- name: TickSeller
-- As TickSellers of package postgres, for one seller and in the batch of a change. Primary key.
insert into seller_clock (seller_id, last)
values ($1, seller_now($1))
on conflict (seller_id) do update
set last = clock_after(seller_clock.last, excluded.last);

-- name: InsertClaim
-- Its number has been reserved in claim_numbers.
insert into claims (seller_id, claim_id, claim_no, order_no, type, status, reason_code, goods_amount, shipping_fee,
  price_difference, order_shipping_paid, seller_quantity, already_refunded, shortfall_amount, refund_amount, shipping_refund,
  requested_at, completed_at, updated_at, payment_due_at, inspection_due_at, frozen_by, frozen_reason, frozen_at, replaces,
  points_amount, way_out_fee, order_shipping_points, already_refunded_points, refund_points, frozen_code, changes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, nullif($25, ''),
  $26, $27, $28, $29, $30, $31, $32);

-- name: InsertItem
insert into claim_items (seller_id, claim_id, seq, item_id, settled_item_id, item_code, quantity, product_name, option_name,
  exchange_option_name, goods_amount, price_difference, points_amount, already_refunded, exchange_list_price,
  exchange_unit_price)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, nullif($10, ''), $11, $12, $13, $14, nullif($15::bigint, 0), nullif($16::bigint, 0));

-- name: SettleItem
-- Primary key; the claim is locked.
update claim_items set settled_item_id = $4 where seller_id = $1 and claim_id = $2 and seq = $3;

-- name: PutEvidence
-- An action that was pending and is now done replaces its own row.
insert into evidence (seller_id, claim_id, action, carrier_name, tracking_no, result, memo, actor, actor_name, done_at, pending, hidden,
  key_prefix, request_id)
values ($1, $2, $3, nullif($4, ''), nullif($5, ''), nullif($6, ''), nullif($7, ''), $8, $9, $10, $11, $12, nullif($13, ''), nullif($14, ''))
on conflict (seller_id, claim_id, action) do update
set carrier_name = excluded.carrier_name, tracking_no = excluded.tracking_no, result = excluded.result, memo = excluded.memo,
  actor = excluded.actor, actor_name = excluded.actor_name, done_at = excluded.done_at, pending = excluded.pending,
  hidden = excluded.hidden, key_prefix = excluded.key_prefix, request_id = excluded.request_id;

-- name: DropEvidence
-- Only an action that was never done can be withdrawn. Primary key.
delete from evidence where seller_id = $1 and claim_id = $2 and action = $3 and pending;

-- name: AddHistory
insert into history (seller_id, claim_id, seq, happened_at, trigger, from_status, to_status, actor, actor_name, memo,
  key_prefix, request_id)
values ($1, $2, $3, $4, $5, nullif($6, ''), $7, $8, $9, nullif($10, ''), nullif($11, ''), nullif($12, ''));

-- name: TakeRefundID
insert into refund_ids (refund_id, seller_id, claim_no) values ($1, $2, $3);

-- name: QueueRefund
insert into refunds (seller_id, claim_id, kind, refund_id, amount, points, status, failures, next_at, provider_reference, created_at,
  succeeded_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, nullif($10, ''), $11, $12);

-- name: AddRefundStep
-- The status in which a refund begins; UpdateRefund writes the later ones. It is a statement of its own, after QueueRefund: on several
-- nodes, the parts of one statement are executed one after another, and a step refers to its refund.
insert into refund_steps (seller_id, claim_id, kind, happened_at, status) values ($1, $2, $3, $4, $5);

-- name: AddLine
-- Records what was paid for a line when its first claim opens, for the whole line at that time. Primary key.
insert into line_refunds (seller_id, item_id, paid) values ($1, $2, $3) on conflict (seller_id, item_id) do nothing;

-- name: GiveBack
-- Adds what a fixed refund returns of a line. More than was paid is refused by line_refunds_paid. Primary key.
update line_refunds set refunded = refunded + $3 where seller_id = $1 and item_id = $2;

-- name: AddEntry
insert into ledger (seller_id, claim_id, kind, amount, reference, moved_at)
values ($1, $2, $3, $4, $5, $6);
