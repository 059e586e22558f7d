-- name: CurrentSchema
-- The first schema of the search path that exists; null when there is none.
select current_schema()
