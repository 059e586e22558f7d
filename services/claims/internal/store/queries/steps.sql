-- name: PlanSteps
-- In the transaction of a change, whose claim is locked. A step that is planned already stays as it is. The call that plans
-- has the step to itself for $5. steps_once.
insert into steps (claim_no, seller_id, name, ref, next_at, traceparent)
select $1, $2, s.name, s.ref, clock_timestamp() + $5::interval, nullif($6, '')
from unnest($3::text[], $4::text[]) with ordinality as s (name, ref, n)
order by s.n
on conflict on constraint steps_once do nothing;

-- name: PlanOpening
-- A repetition returns the request that was there first. steps_once.
insert into steps (claim_no, seller_id, name, ref, request, next_at, traceparent)
values ($1, $2, 'open-lines', '', $3, clock_timestamp() + $4::interval, nullif($5, ''))
on conflict on constraint steps_once do update set planned_at = steps.planned_at
returning id, planned_at, request;

-- name: PendingSteps
-- The steps of one claim in the order in which they were planned. steps_once.
select s.id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request, coalesce(s.traceparent, '')
from steps s
where s.seller_id = $1 and s.claim_no = $2
order by s.id;

-- name: DueSteps
-- Steps that are to be tried, the longest due first. steps_due.
select s.id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request, coalesce(s.traceparent, '')
from steps s
where s.next_at <= statement_timestamp()
order by s.next_at
limit $1;

-- name: TakeStep
-- Takes a step that is due for one try: until the next one, nobody else does. The pause between two tries is a quarter of the
-- step's age, between one second and ten. Primary key.
update steps s
set next_at = clock_timestamp() + least(interval '10 seconds', greatest(interval '1 second', (clock_timestamp() - s.planned_at) / 4))
where s.id = $1 and s.next_at <= statement_timestamp();

-- name: FinishStep
-- Primary key.
delete from steps where id = $1;
