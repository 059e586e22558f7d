-- name: InboxCount
-- The planner's estimates of the numbers of rows; counting would read all of them. None on several
-- nodes, where the planner of the coordinator knows nothing of the shards; the metric db_table_rows counts those.
select case c.relname when 'inbox' then 'keys' else 'answers' end, greatest(c.reltuples, 0)::float8
from pg_class c
where c.oid in ('inbox'::regclass, 'inbox_answers'::regclass)
  and not exists (select from pg_extension where extname = 'citus');

-- name: InboxOverdue
-- How long the oldest response has been kept beyond its retention. inbox_answers_by_age.
select 'answer', coalesce(greatest(extract(epoch from now() - $1::interval - min(answered_at)), 0), 0)::float8
from inbox_answers;
