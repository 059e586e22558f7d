-- name: FindPolicy
-- Primary key.
select p.fee_one_way from seller_policies p where p.seller_id = $1;

-- name: PutPolicy
insert into seller_policies (seller_id, fee_one_way, updated_at)
values ($1, $2, seller_now($1))
on conflict (seller_id) do update set fee_one_way = excluded.fee_one_way, updated_at = excluded.updated_at;
