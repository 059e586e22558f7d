-- name: CountJobs
-- Jobs that are still to do something; those that are done are many and left out. river_job_prioritized_fetching_index.
select j.queue, j.state::text, count(*)
from river_job j
where j.state in ('available', 'pending', 'retryable', 'running', 'scheduled')
group by j.queue, j.state;
