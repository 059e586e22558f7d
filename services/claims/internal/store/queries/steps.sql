-- name: PlanSteps
-- In the transaction of a change, whose claim is locked. A step that is planned already stays as old as it is; its id comes
-- back, so that it gets a job again. steps_once.
insert into steps (claim_no, seller_id, name, ref)
select $1, $2, s.name, s.ref
from unnest($3::text[], $4::text[]) with ordinality as s (name, ref, n)
order by s.n
on conflict on constraint steps_once do update set planned_at = steps.planned_at
returning id, name, ref, planned_at;

-- name: PlanOpening
-- A repetition returns the request that was there first. steps_once.
insert into steps (claim_no, seller_id, name, ref, request)
values ($1, $2, 'open-lines', '', $3)
on conflict on constraint steps_once do update set planned_at = steps.planned_at
returning id, planned_at, request;

-- name: FindStep
-- Jobs name a step alone. Primary key.
select s.id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request
from steps s
where s.id = $1;

-- name: PendingSteps
-- The steps of one claim in the order in which they were planned. steps_once.
select s.id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request
from steps s
where s.seller_id = $1 and s.claim_no = $2
order by s.id;

-- name: OverdueSteps
-- Steps that their jobs should have done, the longest waiting first. steps_by_age.
select s.id, s.claim_no, s.seller_id, s.name, s.ref, s.planned_at, s.request
from steps s
where s.planned_at <= clock_timestamp() - $1::interval
order by s.planned_at
limit $2;

-- name: FinishStep
-- Primary key.
delete from steps where id = $1;

-- name: OldestSteps
-- Few rows are there at any time; the whole table is read.
select s.name, extract(epoch from clock_timestamp() - min(s.planned_at))::float8
from steps s
group by s.name;
