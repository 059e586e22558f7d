-- What sellers may do beyond what every seller may.

-- name: MayCorrect
-- Whether the seller may correct parcels. Primary key.
select p.shipment_correction from seller_policies p where p.seller_id = $1;

-- name: PutPolicy
insert into seller_policies (seller_id, shipment_correction, updated_at)
values ($1, $2, seller_now($1))
on conflict (seller_id) do update set shipment_correction = excluded.shipment_correction, updated_at = excluded.updated_at;
