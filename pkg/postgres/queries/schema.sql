-- name: CurrentSchema
-- The first schema of the search path that exists; null when there is none.
select current_schema()

-- name: ProbeDatabase
-- What readiness asks: the schema as above, and whether statements may not write,
-- as on a standby and where default_transaction_read_only is on. No table is
-- touched. The clock is compared with that of the instance.
select current_schema(), current_setting('transaction_read_only')::boolean, clock_timestamp()

-- name: SuitDistribution
-- Citus plans a statement for the values at hand, which say on which node the rows
-- are; what every node does then is a plan of its own. Elsewhere nothing is set.
select set_config('plan_cache_mode', 'force_custom_plan', false)
from pg_extension
where extname = 'citus'
