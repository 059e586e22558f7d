-- name: FindRefunds
-- The refunds of a claim, locked or not. Primary key, after claims_claim_no.
select r.refund_id, c.claim_no, r.kind, r.amount, r.points, r.status, r.failures, r.next_at, r.unanswered_since,
  coalesce(r.provider_reference, ''), r.created_at, r.succeeded_at
from claims c
join refunds r on r.seller_id = c.seller_id and r.claim_id = c.claim_id
where c.seller_id = $1 and c.claim_no = $2
order by r.kind;

-- name: UpdateRefund
-- Primary key; the claim is locked. A status that the refund enters is a step of it, at the time $10 of what it is part of.
with step as (
  insert into refund_steps (seller_id, claim_id, kind, happened_at, status)
  select $1, $2, $3, $10, $4
  from refunds r
  where r.seller_id = $1 and r.claim_id = $2 and r.kind = $3 and r.status <> $4
)
update refunds
set status = $4, failures = $5, next_at = $6, provider_reference = nullif($7, ''), succeeded_at = $8, unanswered_since = $9
where seller_id = $1 and claim_id = $2 and kind = $3;

-- name: RefundsOfClaims
-- $1 seller, $2 the numbers of claims. Primary key, after claims_claim_no.
select r.refund_id, c.claim_no, r.kind, r.amount, r.points, r.status, r.failures, r.next_at, r.unanswered_since,
  coalesce(r.provider_reference, ''), r.created_at, r.succeeded_at
from unnest($2::text[]) as page (claim_no)
cross join lateral (select c.* from claims c where c.seller_id = $1 and c.claim_no = page.claim_no offset 0) c
cross join lateral (select r.* from refunds r where r.seller_id = $1 and r.claim_id = c.claim_id offset 0) r
order by c.claim_no, r.kind;
