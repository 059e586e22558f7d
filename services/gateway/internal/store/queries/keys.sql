-- name: FindKeyByHash
-- The look-up of every request, by the unique index api_keys_hash. Its answer decides who the caller is, so it is the
-- one statement on keys that is not bound to a seller.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), seal
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
insert into api_keys (key_id, seller_id, request_id, prefix, hash, sealed_text, scopes, purpose, expires_at, seal)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: HoldKey
-- By primary key; another seller's key is not found. Twice the clock: once for the state, once for the revocation.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), hash, clock_timestamp()
from api_keys
where seller_id = $1
  and key_id = $2
for no key update;

-- name: RevokeKey
-- By primary key, while HoldKey's lock is held.
update api_keys
set revoked_at = $4, revoke_reason = $3, version = version + 1, seal = $5
where seller_id = $1
  and key_id = $2
  and revoked_at is null;
