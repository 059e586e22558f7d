-- name: FindRefunds
-- The refunds of a claim that is locked or only looked at. refunds_one_of_a_kind.
select r.id, c.claim_no, r.kind, r.amount, r.points, r.status, r.failures, r.next_at, r.unanswered_since, coalesce(r.provider_reference, ''), r.created_at, r.succeeded_at
from claims c
join refunds r on r.claim_id = c.id
where c.seller_id = $1 and c.claim_no = $2
order by r.kind;

-- name: FindRefundClaim
-- A provider names the refund alone. Primary keys.
select c.seller_id, c.claim_no
from refunds r
join claims c on c.id = r.claim_id
where r.id = $1;

-- name: UpdateRefund
-- Primary key; the claim is locked.
update refunds
set status = $2, failures = $3, next_at = $4, provider_reference = nullif($5, ''), succeeded_at = $6, unanswered_since = $7
where id = $1;
