-- name: DueInspections
-- Returns that nobody inspected in time, the longest waiting first; a frozen one waits for its operator.
-- claims_inspection_due.
select c.seller_id, c.claim_no
from claims c
where c.inspection_due_at <= clock_timestamp() - $1::interval and c.frozen_at is null
order by c.inspection_due_at
limit $2;

-- name: DuePayments
-- Shortfalls that were not paid in time, the longest waiting first. claims_payment_due.
select c.seller_id, c.claim_no
from claims c
where c.payment_due_at <= clock_timestamp() - $1::interval
order by c.payment_due_at
limit $2;

-- name: DueRefunds
-- Refunds to be asked for, the longest waiting first. refunds_due.
select c.seller_id, c.claim_no, r.id
from refunds r
join claims c on c.id = r.claim_id
where r.next_at <= clock_timestamp() - $1::interval
order by r.next_at
limit $2;

-- name: OldestRefund
-- How long the refund that waits longest is overdue; null when none is. refunds_due.
select extract(epoch from clock_timestamp() - min(r.next_at))::float8
from refunds r
where r.next_at <= clock_timestamp();
