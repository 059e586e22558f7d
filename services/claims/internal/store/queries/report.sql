-- name: AgeOfSteps
-- How long the oldest step of each name has waited, and the oldest refund that is due. The whole table of steps is read, because it
-- has few rows at any time. refunds_due.
select names.name, coalesce(extract(epoch from clock_timestamp() - s.oldest), 0)::float8
from unnest($1::text[]) as names (name)
left join (select s.name, min(s.planned_at) as oldest from steps s group by s.name) s on s.name = names.name
union all
select 'ask-refund', coalesce(greatest(extract(epoch from clock_timestamp() - r.oldest), 0), 0)::float8
from (select min(r.next_at) as oldest from refunds r where r.next_at is not null) r;

-- name: CountClaims
-- claims_open.
select kinds.type, states.status, coalesce(c.claims, 0)::float8
from unnest(array['cancel', 'return', 'exchange']) as kinds(type)
cross join unnest(array['payment_pending', 'requested', 'approved', 'collecting', 'collected', 'inspecting', 'reshipping',
  'refund_processing']) as states(status)
left join (
  select c.type, c.status, count(*) as claims from claims c where c.completed_at is null group by c.type, c.status
) c on c.type = kinds.type and c.status = states.status;

-- name: CountRefunds
-- refunds_open.
select states.status, coalesce(r.refunds, 0)::float8
from unnest(array['queued', 'sent', 'awaiting_account', 'retrying', 'manual']) as states(status)
left join (
  select r.status, count(*) as refunds from refunds r where r.status <> 'succeeded' group by r.status
) r on r.status = states.status;

-- name: AgeOfUnanswered
-- How long the oldest response of the provider has been outstanding. refunds_open.
select coalesce(greatest(extract(epoch from clock_timestamp() - min(r.unanswered_since)), 0), 0)::float8
from refunds r
where r.status = 'sent';

-- name: AgeOfDeadlines
-- How long ago the oldest deadline passed, without frozen claims, which wait for their operator. claims_inspection_due,
-- claims_payment_due.
select due.deadline, coalesce(greatest(extract(epoch from clock_timestamp() - due.oldest), 0), 0)::float8
from (
  select 'inspection' as deadline, min(c.inspection_due_at) as oldest
  from claims c
  where c.inspection_due_at is not null and c.frozen_at is null
  union all
  select 'payment', min(c.payment_due_at)
  from claims c
  where c.payment_due_at is not null and c.frozen_at is null
) due;
