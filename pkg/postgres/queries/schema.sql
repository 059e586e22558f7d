-- name: CurrentSchema
-- The first schema of the search path that exists; null when there is none.
select current_schema()

-- name: ProbeDatabase
-- The readiness probe: the schema as above, and whether statements may not write,
-- as on a standby and where default_transaction_read_only is on. It reads no
-- table but the catalogue. The clock is compared with that of the instance. The
-- last column is null when the schema has no table with row-level security.
select current_schema(), current_setting('transaction_read_only')::boolean, clock_timestamp(),
    current_user::text, coalesce(current_setting('app.seller', true), ''),
    (select bool_and(row_security_active(c.oid)) from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity)

-- name: SuitDistribution
-- Citus plans a statement for its current values, which determine the node of the
-- rows; each node makes its own plan. Without Citus nothing is set.
select set_config('plan_cache_mode', 'force_custom_plan', false)
from pg_extension
where extname = 'citus'
