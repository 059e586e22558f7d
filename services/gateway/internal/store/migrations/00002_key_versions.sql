-- Versions of keys, and which revocations every gateway is certain to know.
-- +goose Up
alter table api_keys
    add column version      integer not null default 1 check (version > 0),
    add column published_at timestamptz;

comment on column api_keys.version is 'Grows with every change of the key, so that what was read before a change is told from what was read after.';
comment on column api_keys.published_at is 'When the revocation was made certain in Redis. Null while it is not: any gateway may do it.';

update api_keys set version = 2, published_at = clock_timestamp() where revoked_at is not null;

-- Revocations that are still to be published; almost always empty.
create index api_keys_unpublished on api_keys (revoked_at) where revoked_at is not null and published_at is null;
