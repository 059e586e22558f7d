-- name: FindHolder
-- The first half of the look-up of every request, by primary key: whose key it is, so it is the one statement that is not
-- bound to a seller.
select seller_id, key_id
from key_hashes
where hash = $1;

-- name: FindKey
-- The second half, by primary key. Not joined to the first one: on several nodes the two rows are on different ones.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), seal, hash
from api_keys
where seller_id = $1
  and key_id = $2;

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

-- name: FindEncryptedKey
-- By primary key; another seller's key is not found.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), sealed_text
from api_keys
where seller_id = $1
  and key_id = $2;

-- name: InsertKeyHash
-- Before its key, in one transaction: that no two keys have one hash is known here alone.
insert into key_hashes (hash, seller_id, key_id)
values ($1, $2, $3);

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
