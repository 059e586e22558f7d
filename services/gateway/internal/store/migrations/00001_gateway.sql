-- Sellers, their API keys and webhooks, and the audit trail of what was done with them.
--
-- seller_id is the first column of every key, reference and index of sellers, api_keys and webhooks, so that all rows of a seller can
-- live on one node. The exceptions are key_hashes, which is asked for the seller; key_audit, which is one chain over all sellers; and
-- the indexes of revocations, due webhooks and old deliveries that every gateway looks through. No table has a sequence, because nodes do not share one. There is no
-- row-level security here: a caller's seller is what these tables say it is, and api_keys is guarded by the seals of its rows.

-- +goose Up

-- Who may hold keys. Issuing a key locks the row, so that the limit on active keys is exact.
create table sellers (
    seller_id     uuid        primary key,
    name          text        not null,
    registered_at timestamptz not null default now(),
    -- When the name was last changed.
    updated_at    timestamptz not null default now()
);

-- A key of a seller. Keys are revoked, never deleted. The text of a key stands here as a keyed hash and encrypted, never as it is.
create table api_keys (
    seller_id     uuid        not null references sellers,
    key_id        uuid        not null,
    -- The call that issued the key: sent again, it finds it.
    request_id    uuid        not null,
    -- The first characters of the text, by which people tell the keys of a seller apart.
    prefix        text        not null check (char_length(prefix) = 12),
    -- What the key is looked up by, as in key_hashes: a MAC of the text under the pepper.
    hash          bytea       not null check (octet_length(hash) = 32),
    -- AEAD over the text, with the key id as associated data.
    sealed_text   bytea       not null,
    -- MAC over key, seller, hash, expiry, revocation and scopes under the pepper: a row that anyone else has changed is no key.
    seal          bytea       not null,
    scopes        text[]      not null check (cardinality(scopes) > 0),
    purpose       text        not null,
    issued_at     timestamptz not null default clock_timestamp(),
    expires_at    timestamptz,
    revoked_at    timestamptz,
    revoke_reason text,
    -- When the revocation was made certain in Redis. Null while it is not: any gateway may do it.
    published_at  timestamptz,
    -- Grows with every change of the key, so that what was read before a change is told from what was read after it.
    version       integer     not null default 1 check (version > 0),
    primary key (seller_id, key_id),
    constraint api_keys_request unique (seller_id, request_id),
    constraint api_keys_prefix unique (seller_id, prefix)
);

-- Lists are newest first.
create index api_keys_newest on api_keys (seller_id, issued_at desc, key_id desc);

-- Revocations that are still to be published; almost always empty. Without the seller: every gateway looks for those of all sellers
-- every second, on each node apart.
create index api_keys_unpublished on api_keys (revoked_at) where revoked_at is not null and published_at is null;
-- Revocations by when they became certain; every gateway repeats the latest ones. Without the seller, for the same reason.
create index api_keys_published on api_keys (published_at) where published_at is not null;

-- Which key has a hash, over all sellers: the look-up of a request begins here. Written with the key, and never changed. It gives no
-- right: the key that it leads to has to have the hash, and a seal over it.
create table key_hashes (
    hash      bytea primary key check (octet_length(hash) = 32),
    seller_id uuid  not null,
    key_id    uuid  not null
);

-- An address that is told when a list of its seller has changed. It is behind while the clock of a list is later than what was
-- delivered.
create table webhooks (
    seller_id        uuid        not null references sellers,
    webhook_id       uuid        not null,
    -- The calls that added the address and made its secret: sent again, they find it.
    request_id       uuid        not null,
    rotation_id      uuid        not null,
    url              text        not null check (url <> ''),
    -- AEAD over a secret, with the webhook id as associated data. The previous secret is valid until previous_until.
    sealed_secret    bytea       not null,
    sealed_previous  bytea,
    previous_until   timestamptz,
    created_at       timestamptz not null default clock_timestamp(),
    -- The clocks of the lists that were last delivered, in microseconds since 1970.
    orders_delivered bigint      not null,
    claims_delivered bigint      not null,
    qna_delivered    bigint      not null,
    -- No delivery before this time, and none while another one is under way, which owns the claim until claimed_until.
    due_at           timestamptz not null default clock_timestamp(),
    claim            uuid,
    claimed_until    timestamptz,
    -- Of deliveries that failed since the last success.
    failures         integer     not null default 0 check (failures >= 0),
    failing_since    timestamptz,
    paused_at        timestamptz,
    -- Whether it was paused because its deliveries failed.
    failed           boolean     not null default false,
    primary key (seller_id, webhook_id),
    constraint webhooks_request unique (seller_id, request_id),
    constraint webhooks_url unique (seller_id, url)
);

-- Every gateway looks through the active webhooks of all sellers every second, on each node apart; therefore without the seller.
create index webhooks_due on webhooks (webhook_id) where paused_at is null;

-- What became of a delivery; kept for seven days. The ids grow with time. Without a foreign key: those of a removed webhook go by
-- age, like all others.
create table webhook_deliveries (
    seller_id    uuid        not null,
    webhook_id   uuid        not null,
    delivery_id  uuid        not null,
    type         text        not null,
    at           timestamptz not null default clock_timestamp(),
    -- Of the answer; 0 if there was none, and then failure says why.
    status       integer     not null,
    failure      text        not null,
    milliseconds bigint      not null,
    primary key (seller_id, webhook_id, delivery_id)
);

-- Old deliveries. Without the seller: the sweep looks for those of all sellers.
create index webhook_deliveries_age on webhook_deliveries (at);

-- Who did what to which key or webhook, and when. One chain over all sellers, written under one lock, so that it stays on one node. It refers to
-- sellers and keys without a foreign key, because a look at a seller that does not exist is recorded as well.
create table key_audit (
    -- Counted from 1 under the lock, without gaps.
    seq       bigint      primary key check (seq > 0),
    at        timestamptz not null,
    -- The system whose token was checked, or "command".
    caller    text        not null check (caller <> ''),
    -- The person whom the caller names.
    actor     text        not null,
    action    text        not null check (action in (
        'register', 'register_refused', 'issue', 'issue_again', 'issue_refused', 'list', 'list_refused',
        'reveal', 'reveal_refused', 'revoke', 'revoke_again', 'revoke_refused',
        'webhook_add', 'webhook_add_again', 'webhook_add_refused', 'webhook_list', 'webhook_list_refused',
        'webhook_rotate', 'webhook_rotate_again', 'webhook_rotate_refused', 'webhook_pause', 'webhook_pause_refused',
        'webhook_resume', 'webhook_resume_refused', 'webhook_test', 'webhook_test_refused',
        'webhook_remove', 'webhook_remove_refused', 'webhook_deliveries', 'webhook_deliveries_refused'
    )),
    seller_id uuid,
    key_id    uuid,
    -- Of a refusal: its cause. Of a webhook: its id and URL.
    detail    jsonb       not null,
    -- SHA-256 over the digest of the entry before and the fields of this one, computed by package audit.
    digest    bytea       not null check (octet_length(digest) = 32),
    -- A call that was refused may have named nobody.
    constraint key_audit_named check ((actor <> '' and seller_id is not null) or action like '%\_refused')
);
comment on table key_audit is 'append-only, on one node: what was done cannot be undone by those who did it';

-- Append-only is a right that nobody but the owner has: it is taken from the roles to which default privileges gave it with the
-- table. Roles that get their rights later get them from RowRights in package postgres, which leaves it out.
-- +goose StatementBegin
do $$
declare
    kept regclass;
    grantee text;
begin
    for kept, grantee in
        select distinct c.oid::regclass, coalesce(nullif(a.grantee, 0)::regrole::text, 'public')
        from pg_class c, aclexplode(c.relacl) a
        where c.relnamespace = current_schema()::regnamespace
            and obj_description(c.oid, 'pg_class') like 'append-only%'
            and a.grantee <> c.relowner
    loop
        execute format('revoke update, delete, truncate on %s from %s', kept, grantee);
    end loop;
end
$$;
-- +goose StatementEnd
