-- name: RegisterSeller
-- By primary key. The name is updated only when it differs, so that updated_at is the time of its last change. excluded has the
-- defaults of a new row.
insert into sellers (seller_id, name)
values ($1, $2)
on conflict (seller_id) do update
set name = excluded.name, updated_at = excluded.updated_at
where sellers.name <> excluded.name;

-- name: HoldSeller
-- By primary key. The lock is held until the commit, so that keys of a seller are issued one at a time and the active ones can be
-- counted. `for no key update` suffices, because the row's own key does not change. The clock is read after the lock was acquired: a
-- request that waited must not decide by the time before its wait.
with held as materialized (
    select seller_id
    from sellers
    where seller_id = $1
    for no key update
)
select clock_timestamp()
from held;
