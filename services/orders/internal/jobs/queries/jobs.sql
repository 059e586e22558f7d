-- name: CountJobs
-- Jobs that someone should know of, by state; done ones are deleted after a day. Served by River's index of its queue.
select counted.queue, counted.state, sum(counted.jobs)::float8
from (
  select j.queue, j.state::text, count(*) as jobs
  from river_job j
  where j.state in ('available', 'running', 'retryable', 'scheduled', 'discarded')
  group by j.queue, j.state
  union all
  select 'default', unnest(array['available', 'running', 'retryable', 'scheduled', 'discarded']), 0
) counted
group by counted.queue, counted.state;

-- name: CountOrders
-- Orders with items that sellers still work on, each from the index of its state and from nothing else. Orders whose items
-- have all ended are many, and in none of these indexes.
select 'paid', count(*)::float8 from seller_orders where paid_at is not null and line_states @> '{paid}'
union all
select 'preparing', count(*)::float8 from seller_orders where paid_at is not null and line_states @> '{preparing}'
union all
select 'shipping', count(*)::float8 from seller_orders where paid_at is not null and line_states @> '{shipping}'
union all
select 'delivered', count(*)::float8 from seller_orders where paid_at is not null and line_states @> '{delivered}';

-- name: AgeOfDeadlines
-- How long the oldest purchase has been due that is not confirmed. lines_due.
select 'purchase', coalesce(greatest(extract(epoch from clock_timestamp() - min(auto_confirm_at)), 0), 0)::float8
from lines
where auto_confirm_at is not null;
