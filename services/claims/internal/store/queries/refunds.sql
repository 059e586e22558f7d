-- name: FindRefunds
-- The refunds of a claim, locked or not. Primary key, after claims_claim_no.
select r.refund_id, c.claim_no, r.kind, r.amount, r.points, r.status, r.failures, r.next_at, r.unanswered_since,
  coalesce(r.provider_reference, ''), r.created_at, r.succeeded_at
from claims c
join refunds r on r.seller_id = c.seller_id and r.claim_id = c.claim_id
where c.seller_id = $1 and c.claim_no = $2
order by r.kind;

-- name: UpdateRefund
-- Primary key; the claim is locked.
update refunds
set status = $4, failures = $5, next_at = $6, provider_reference = nullif($7, ''), succeeded_at = $8, unanswered_since = $9
where seller_id = $1 and claim_id = $2 and kind = $3;
