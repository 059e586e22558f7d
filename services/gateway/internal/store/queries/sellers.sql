-- name: RegisterSeller
-- By primary key. The name is written again only when it differs, so that updated_at tells when it changed. excluded has the
-- defaults of a new row.
insert into sellers (seller_id, name)
values ($1, $2)
on conflict (seller_id) do update
set name = excluded.name, updated_at = excluded.updated_at
where sellers.name <> excluded.name;

-- name: HoldSeller
-- By primary key. The lock is held to the commit: while a key is issued nobody else issues one to the seller, so that
-- the active ones can be counted. `for no key update` suffices, because the row's own key does not change.
-- The clock is read after the lock was got: a request that waited must not decide on the time before its wait.
with held as materialized (
    select seller_id
    from sellers
    where seller_id = $1
    for no key update
)
select clock_timestamp()
from held;
