-- name: CountJobs
-- Jobs that somebody should know of, by state; done ones are deleted after a day. Served by River's index of its queue.
select queue, state::text, count(*)
from river_job
where state in ('available', 'running', 'retryable', 'scheduled', 'discarded')
group by queue, state;
