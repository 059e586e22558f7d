-- Where the line of an exchange comes from: the line that it stands in for, and the claim.

-- +goose Up
alter table lines add column if not exists exchange_claim_no text;

update lines l
set origin_item_id = coalesce(h.settled_item_id, h.item_id), exchange_claim_no = h.claim_no
from claim_hold_items h
where h.exchange_item_id = l.item_id and l.is_exchange and l.split_from_claim_no is null;
-- What was split off from such a line comes from the same exchange.
update lines part
set exchange_claim_no = l.exchange_claim_no
from lines l
where l.item_id = part.origin_item_id and part.split_from_claim_no is not null and part.is_exchange and part.exchange_claim_no is null;

alter table lines
    drop constraint if exists lines_split,
    add constraint lines_split check (
        (split_from_claim_no is null and exchange_claim_no is null) = (origin_item_id is null)
        and (exchange_claim_no is null or is_exchange));
