-- name: TimeFunction
-- The body of the function that tells the time of a seller; empty where the schema has none, or it is not a single expression.
select coalesce(pg_get_function_sqlbody(to_regprocedure('seller_now(uuid)')), '')

-- name: MovedSellers
-- Some of the sellers whose clock was moved, at most $1. The table is empty but in a test environment.
select o.seller_id from seller_offsets o limit $1

-- name: SellerOffset
-- How far ahead the clock of the seller $1 is. Primary key.
select coalesce(max(o.ahead), interval '0') from seller_offsets o where o.seller_id = $1

-- name: MoveSellerClock
-- Primary key.
insert into seller_offsets as o (seller_id, ahead) values ($1, $2)
on conflict (seller_id) do update set ahead = greatest(o.ahead, excluded.ahead)

-- name: SellerNow
-- The time of the seller $1.
select seller_now($1)

-- name: SellerTimes
-- The earliest and the latest time of the sellers $1; the marketplace's if there are none.
select coalesce(min(s.at), seller_now(null)), coalesce(max(s.at), seller_now(null))
from (select seller_now(t.seller_id) as at from unnest($1::uuid[]) as t (seller_id)) s
