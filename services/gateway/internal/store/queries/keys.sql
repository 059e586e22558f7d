-- name: FindHolder
-- The first half of every request's look-up, by primary key. It finds the owner of a key, so it is not restricted to a seller.
select seller_id, key_id
from key_hashes
where hash = $1;

-- name: FindKey
-- The second half, by primary key. It is not joined to the first one because the two rows may be on different nodes.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), seal, hash
from api_keys
where seller_id = $1
  and key_id = $2;

-- name: ListActiveKeys
-- Once when a gateway starts, over all sellers. Without an order, so that it ends as soon as it has found enough of them.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp(), seal, hash
from api_keys
where revoked_at is null
  and (expires_at is null or expires_at > now())
limit $1;

-- name: ListKeys
-- By the index api_keys_newest.
select key_id, seller_id, prefix, scopes, purpose, issued_at, expires_at, revoked_at, version, clock_timestamp()
from api_keys
where seller_id = $1
order by issued_at desc, key_id desc;

-- name: ListHeldKeys
-- By the index api_keys_newest, while HoldSeller's lock is held: the keys that determine whether another one may be issued.
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
-- Before its key, in one transaction: only this table guarantees that no two keys have the same hash.
insert into key_hashes (hash, seller_id, key_id)
values ($1, $2, $3);

-- name: InsertKey
-- While HoldSeller's lock is held. The unique constraints enforce what the lock guarantees, in case a writer does not take it.
insert into api_keys (key_id, seller_id, request_id, prefix, hash, sealed_text, scopes, purpose, expires_at, seal)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: HoldKey
-- By primary key; another seller's key is not found. The clock is read twice: once for the state, once for the revocation.
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
