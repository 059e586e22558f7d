-- name: ListUnpublishedRevocations
-- By the partial index api_keys_unpublished, over all sellers: any gateway publishes what another one did not.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp()
from api_keys
where revoked_at is not null and published_at is null
order by revoked_at
limit 100;

-- name: ListPublishedRevocations
-- By the partial index api_keys_published, over all sellers: every gateway repeats them for a while.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp()
from api_keys
where published_at > now() - $1::interval
order by published_at desc
limit 1000;

-- name: MarkRevocationPublished
-- By primary key. now(), because Citus takes no volatile function here; the statement is its whole transaction.
update api_keys
set published_at = now()
where seller_id = $1
  and key_id = $2
  and revoked_at is not null
  and published_at is null;
