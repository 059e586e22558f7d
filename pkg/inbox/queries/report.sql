-- name: InboxCount
-- How much is kept, as the planner estimates it: counting would read everything.
select case c.relname when 'inbox' then 'keys' else 'answers' end, greatest(c.reltuples, 0)::float8
from pg_class c
where c.oid in ('inbox'::regclass, 'inbox_answers'::regclass);

-- name: InboxOverdue
-- How long the oldest answer has been kept beyond its retention. inbox_answers_by_age.
select 'answer', coalesce(greatest(extract(epoch from now() - $1::interval - min(answered_at)), 0), 0)::float8
from inbox_answers;
