-- name: DueInspections
-- Some of the returns whose inspection is overdue, without frozen ones, which wait for their operator. One that cannot pass now stays
-- due, so the choice is random among many. claims_inspection_due.
select due.seller_id, due.claim_no
from (
  select c.seller_id, c.claim_no
  from claims c
  where c.inspection_due_at <= statement_timestamp() and c.frozen_at is null
  order by c.inspection_due_at
  limit 10 * $1
) due
order by random()
limit $1;

-- name: DueInspectionsOf
-- DueInspections of the seller $1, whose clock was moved, at the time $2. claims_inspection_due.
select due.seller_id, due.claim_no
from (
  select c.seller_id, c.claim_no
  from claims c
  where c.seller_id = $1 and c.inspection_due_at <= $2 and c.frozen_at is null
  order by c.inspection_due_at
  limit 10 * $3
) due
order by random()
limit $3;

-- name: DuePayments
-- Some of the shortfalls that were not paid in time, chosen at random as above. claims_payment_due.
select due.seller_id, due.claim_no
from (
  select c.seller_id, c.claim_no
  from claims c
  where c.payment_due_at <= statement_timestamp() and c.frozen_at is null
  order by c.payment_due_at
  limit 10 * $1
) due
order by random()
limit $1;

-- name: DuePaymentsOf
-- DuePayments of the seller $1, whose clock was moved, at the time $2. claims_payment_due.
select due.seller_id, due.claim_no
from (
  select c.seller_id, c.claim_no
  from claims c
  where c.seller_id = $1 and c.payment_due_at <= $2 and c.frozen_at is null
  order by c.payment_due_at
  limit 10 * $3
) due
order by random()
limit $3;

-- name: DueRefunds
-- Refunds that are to be requested from the provider, the longest waiting first. One that a call has queued or resumed is requested
-- by that call, which has it to itself for $2. A request moves next_at forward. refunds_due.
select c.seller_id, c.claim_no, r.refund_id
from refunds r
join claims c on c.seller_id = r.seller_id and c.claim_id = r.claim_id
where r.next_at <= statement_timestamp()
  and (r.status not in ('queued', 'manual') or r.next_at <= statement_timestamp() - $2::interval)
order by r.next_at
limit $1;

-- name: DueRefundsOf
-- DueRefunds of the seller $1, whose clock was moved, at the time $2. refunds_due.
select c.seller_id, c.claim_no, r.refund_id
from refunds r
join claims c on c.seller_id = r.seller_id and c.claim_id = r.claim_id
where r.seller_id = $1 and c.seller_id = $1 and r.next_at <= $2
  and (r.status not in ('queued', 'manual') or r.next_at <= $2 - $4::interval)
order by r.next_at
limit $3;
