-- name: FindKeyByHash
-- The look-up of every request, by the unique index api_keys_hash. Its answer decides who the caller is, so it is the
-- one statement on keys that is not bound to a seller.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp()
from api_keys
where hash = $1;

-- name: ListKeys
-- By the index api_keys_newest.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp()
from api_keys
where seller_id = $1
order by issued_at desc, key_id desc;

-- name: ListHeldKeys
-- By the index api_keys_newest, while HoldSeller's lock is held: what issuing another key depends on.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), request_id
from api_keys
where seller_id = $1
order by issued_at desc, key_id desc;

-- name: FindSealedKey
-- By primary key; another seller's key is not found.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), sealed_text
from api_keys
where seller_id = $1
  and key_id = $2;

-- name: InsertKey
-- While HoldSeller's lock is held. The unique constraints hold what the lock promises, should a writer forget it.
insert into api_keys (key_id, seller_id, request_id, prefix, hash, sealed_text, scopes, purpose, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: RevokeKey
-- By primary key. The first revocation stands: a repetition changes no row.
update api_keys
set revoked_at = clock_timestamp(), revoke_reason = $3, version = version + 1
where seller_id = $1
  and key_id = $2
  and revoked_at is null;
