-- name: NoteNumber
-- Reserves a number for a request, or waits for another transaction that has it, and returns the digest of the request that it
-- belongs to. The number is locked until the transaction ends. Primary key.
insert into claim_numbers (claim_no, seller_id, content) values ($1, $2, $3)
on conflict (claim_no) do update set content = claim_numbers.content
returning content;

-- name: TakeNumber
-- Reserves a number for a claim that was not requested, unless it is taken. Primary key.
insert into claim_numbers (claim_no, seller_id) values ($1, $2) on conflict (claim_no) do nothing;

-- name: LockNumber
-- Primary key.
select n.seller_id, n.content from claim_numbers n where n.claim_no = $1 for no key update;

-- name: FreeNumber
-- Primary key; the number is locked.
delete from claim_numbers where claim_no = $1 and seller_id = $2;

-- name: FindContent
-- Distinguishes a repeated request from another one with the same number. Primary key.
select n.seller_id, n.content from claim_numbers n where n.claim_no = $1;

-- name: FindSeller
-- Operators, customers and timers name only the claim; all further statements also need the seller. Primary key.
select n.seller_id from claim_numbers n where n.claim_no = $1;

-- name: FindRefundClaim
-- A provider names only the refund. Primary key.
select r.seller_id, r.claim_no from refund_ids r where r.refund_id = $1;

-- name: IsOpened
-- claims_claim_no.
select exists (select from claims c where c.seller_id = $1 and c.claim_no = $2);
