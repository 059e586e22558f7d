-- The holds of claims. A hold changes only while its order is locked.

-- name: FindHold
-- The seller and the order of the items that a claim holds; nulls for a claim that was released before it held any. Primary key.
select n.seller_id, n.order_no from hold_numbers n where n.claim_no = $1;

-- name: ReadHold
-- $1 the seller, $2 the claim. Served by the primary keys.
select h.claim_type, h.hold_state, coalesce(h.return_claim_no, ''), h.sealed, nullif(h.canceled_reshipments, '{}'),
  coalesce(h.shipped_reshipment, ''), h.frozen, h.freeze_changed_at, h.facts, i.item_id, i.quantity, i.settled_item_id, i.exchange_item_id
from claim_holds h
join claim_hold_items i on i.seller_id = h.seller_id and i.claim_no = h.claim_no
where h.seller_id = $1 and h.claim_no = $2
order by i.position;

-- name: TakeHoldNumber
-- Reserves the number of claim $1, which is about to hold items of order $3. Returns no row if the number exists; waits for a
-- transaction that is just inserting it. Primary key.
insert into hold_numbers (claim_no, seller_id, order_no) values ($1, $2, $3)
on conflict (claim_no) do nothing;

-- name: AddHold
insert into claim_holds (seller_id, claim_no, order_id, claim_type, hold_state, facts, sealed, opened_at)
values ($1, $2, $3, $4, 'active', $5, $6, $7);

-- name: AddHoldItems
-- $1 the seller, $2 the claim. Each array has an element for each of its items, in the order of the claim.
insert into claim_hold_items (seller_id, claim_no, position, item_id, quantity)
select $1, $2, i.position, i.item_id, i.quantity
from unnest($3::uuid[], $4::bigint[]) with ordinality as i (item_id, quantity, position);

-- name: MarkReleased
-- A claim that ended before it held anything.
insert into hold_numbers (claim_no) values ($1)
on conflict (claim_no) do nothing;

-- name: SaveHold
-- $1 the seller, $2 the claim, $10 when this happens. Served by the primary key.
update claim_holds
set hold_state = $3, return_claim_no = nullif($4, ''), ended_at = case when $3 = 'active' then null else $10::timestamptz end,
  sealed = $5, canceled_reshipments = $6, shipped_reshipment = nullif($7, ''), frozen = $8, freeze_changed_at = $9
where seller_id = $1 and claim_no = $2;

-- name: SaveHoldItems
-- $1 the seller, $2 the claim. Each array has an element for each of its items, in the order of the claim: the resulting items.
update claim_hold_items h
set settled_item_id = i.settled_item_id, exchange_item_id = i.exchange_item_id
from unnest($3::uuid[], $4::uuid[]) with ordinality as i (settled_item_id, exchange_item_id, position)
where h.seller_id = $1 and h.claim_no = $2 and h.position = i.position;

-- name: AddTouch
-- A step of the claim, which changes the order's time once.
insert into claim_touches (seller_id, claim_no, step) values ($1, $2, $3) on conflict (seller_id, claim_no, step) do nothing;
