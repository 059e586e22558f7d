-- name: CurrentSchema
-- The first schema of the search path that exists; null when there is none.
select current_schema()

-- name: ProbeDatabase
-- What readiness asks: the schema as above, and whether statements may not write,
-- as on a standby and where default_transaction_read_only is on. No table is
-- touched.
select current_schema(), current_setting('transaction_read_only')::boolean
