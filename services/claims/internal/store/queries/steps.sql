-- name: PlanStep
-- In the transaction of a change, whose claim is locked. A step that is already planned stays unchanged. The call that plans the step
-- has it to itself for $6. Primary key.
insert into steps (seller_id, claim_no, name, ref, step_id, next_at, traceparent)
values ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval, nullif($7, ''))
on conflict (seller_id, claim_no, name, ref) do nothing;

-- name: PlanOpening
-- The number is reserved. A repetition returns the existing step. Primary key.
insert into steps (seller_id, claim_no, name, ref, step_id, request, next_at, traceparent)
values ($1, $2, 'open-lines', '', $3, $4, clock_timestamp() + $5::interval, nullif($6, ''))
on conflict (seller_id, claim_no, name, ref) do update set planned_at = steps.planned_at
returning step_id, planned_at, request;

-- name: PendingSteps
-- The steps of one claim in the order in which they were planned. Primary key.
select s.step_id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request, coalesce(s.traceparent, '')
from steps s
where s.seller_id = $1 and s.claim_no = $2
order by s.planned_at, s.step_id;

-- name: DueSteps
-- Steps that are due, the longest due first. steps_due.
select s.step_id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request, coalesce(s.traceparent, '')
from steps s
where s.next_at <= statement_timestamp()
order by s.next_at
limit $1;

-- name: DueStepsOf
-- DueSteps of the seller $1. When a step is tried again is a matter of the wall clock. The beginning of the primary key: there
-- are few steps at any time.
select s.step_id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request, coalesce(s.traceparent, '')
from steps s
where s.seller_id = $1 and s.next_at <= statement_timestamp()
order by s.next_at
limit $2;

-- name: TakeStep
-- Leases a due step for one attempt: it is due again after $4. Primary key, of a claim's few steps.
update steps
set next_at = statement_timestamp() + $4::interval
where seller_id = $1 and claim_no = $2 and step_id = $3 and next_at <= statement_timestamp();

-- name: FinishStep
-- Primary key, of a claim's few steps.
delete from steps where seller_id = $1 and claim_no = $2 and step_id = $3;
