-- What claims hold. A hold changes only while its order is locked.

-- name: OrderOfHold
-- The order that a claim holds lines of; null for a claim that was released before it held any. Served by the primary keys.
select o.order_no from claim_holds h left join orders o on o.id = h.order_id where h.claim_no = $1;

-- name: ReadHold
-- $1 the claim. Served by the primary keys.
select h.claim_type, h.seller_id, h.hold_state, coalesce(h.return_claim_no, ''), h.sealed, nullif(h.canceled_reshipments, '{}'),
  coalesce(h.shipped_reshipment, ''), h.frozen, h.freeze_changed_at, h.facts, i.item_id, i.quantity, i.settled_item_id, i.exchange_item_id
from claim_holds h
join claim_hold_items i on i.claim_no = h.claim_no
where h.claim_no = $1
order by i.position;

-- name: AddHold
-- Left out when the claim has one, also one that is being added at this moment, which is waited for.
insert into claim_holds (claim_no, order_id, seller_id, claim_type, hold_state, facts, sealed)
values ($1, $2, $3, $4, 'active', $5, $6)
on conflict (claim_no) do nothing;

-- name: AddHoldItems
-- $1 the claim. Elements of the arrays are its items in the order of the claim.
insert into claim_hold_items (claim_no, position, item_id, quantity)
select $1, i.position, i.item_id, i.quantity
from unnest($2::uuid[], $3::bigint[]) with ordinality as i (item_id, quantity, position);

-- name: AddReleasedHold
-- A claim that ended before it held anything.
insert into claim_holds (claim_no, hold_state, ended_at) values ($1, 'released', seller_now(null))
on conflict (claim_no) do nothing;

-- name: SaveHold
-- $1 the claim. Served by the primary key.
update claim_holds
set hold_state = $2, return_claim_no = nullif($3, ''), ended_at = case when $2 = 'active' then null else seller_now(null) end,
  sealed = $4, canceled_reshipments = $5, shipped_reshipment = nullif($6, ''), frozen = $7, freeze_changed_at = $8
where claim_no = $1;

-- name: SaveHoldItems
-- $1 the claim. Elements of the arrays are what has become of its items, in the order of the claim.
update claim_hold_items h
set settled_item_id = i.settled_item_id, exchange_item_id = i.exchange_item_id
from unnest($2::uuid[], $3::uuid[]) with ordinality as i (settled_item_id, exchange_item_id, position)
where h.claim_no = $1 and h.position = i.position;

-- name: AddTouch
-- A change of the claim that moves the order once.
insert into claim_touches (claim_no, step) values ($1, $2) on conflict (claim_no, step) do nothing;
