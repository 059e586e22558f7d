-- Sellers, their API keys, webhooks and requests, and the audit trail of what was done with them.
--
-- seller_id is the first column of every key, reference and index of sellers, api_keys, webhooks and requests, so that all rows of a
-- seller can live on one node. The exceptions are key_hashes, which is asked for the seller; key_audit, which is one chain over all
-- sellers; and the indexes of revocations, due webhooks and old deliveries that every gateway looks through. No table has a
-- sequence, because nodes do not share one. There is no row-level security here: a caller's seller is what these tables say it is,
-- and api_keys is guarded by the seals of its rows.

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

-- What became of each call with a known key. One partition a day, in UTC, named requests_YYYYMMDD. Written by COPY, never changed.
-- Without foreign keys, which would be checked for each row: the key of a call exists, and no key or seller is deleted.
create table requests (
    seller_id       uuid        not null,
    -- When the head of the call arrived, by the clock of its gateway. The id begins with it.
    at              timestamptz not null,
    id              uuid        not null,
    key_id          uuid        not null,
    micros          integer     not null,
    status          smallint    not null,
    -- Rows of a list in the answer.
    row_count       smallint    not null,
    operation       text        not null,
    -- X-Request-Id.
    request_id      text        not null,
    -- The trace that the gateway began for the call, 16 bytes, recorded or not.
    trace_id        bytea,
    -- The order, claim or inquiry that the path names.
    record          text,
    -- The query without values that are not among the documented ones.
    query           text,
    -- Of a refusal; error_data without texts.
    error_code      text,
    error_data      jsonb,
    -- Of a call with an idempotency key, whose digest key_digest is.
    idempotency     text,
    key_digest      bytea,
    client          inet        not null,
    user_agent      text,
    primary key (seller_id, at, id)
) partition by range (at);

-- The call of a request id, by its hash, because the index is written for each call.
create index requests_request_id on requests (seller_id, hashtextextended(request_id, 0));
-- The calls about a record, and refusals, latest first.
create index requests_record on requests (seller_id, record, at, id) where record is not null;
create index requests_error_code on requests (seller_id, error_code, at, id) where error_code is not null;

-- The gateway may not create or drop tables, except the days of requests, with the rights of the owner. Neither waits long for
-- readers and writers of other days; the caller tries again.
-- +goose StatementBegin
create function add_request_day(day date) returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' set client_min_messages = 'warning' as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('gateway.requests', 0));
    execute format('create table if not exists %I.%I partition of %I.requests for values from (%L) to (%L)',
        current_schema(), 'requests_' || to_char(day, 'YYYYMMDD'), current_schema(),
        day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create function drop_request_day(day date) returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' set client_min_messages = 'warning' as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('gateway.requests', 0));
    execute format('drop table if exists %I.%I', current_schema(), 'requests_' || to_char(day, 'YYYYMMDD'));
end
$$;
-- +goose StatementEnd

-- The days of requests, oldest first, with their bytes. Those of a distributed table are on the nodes.
-- +goose StatementBegin
create function request_days() returns table (day date, bytes bigint)
language plpgsql stable set search_path from current as $$
declare
    measure text := 'pg_total_relation_size';
    spread boolean := false;
begin
    if to_regclass('pg_catalog.pg_dist_partition') is not null then
        execute 'select exists (select from pg_dist_partition where logicalrelid = $1)' into spread using 'requests'::regclass;
    end if;
    if spread then
        measure := 'citus_total_relation_size';
    end if;
    return query execute format($sizes$
        select to_date(right(c.relname, 8), 'YYYYMMDD'), %s(c.oid::regclass)
        from pg_inherits i
        join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'requests'::regclass
        order by 1
    $sizes$, measure);
end
$$;
-- +goose StatementEnd

-- Who did what to which key or webhook, and when. One chain over all sellers, written under one lock, so that it stays on one node. It
-- refers to sellers and keys without a foreign key, because a look at a seller that does not exist is recorded as well.
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
        'webhook_remove', 'webhook_remove_refused', 'webhook_deliveries', 'webhook_deliveries_refused',
        'request_list', 'request_list_refused', 'request_get', 'request_get_refused', 'request_count', 'request_count_refused',
        'key_uses', 'key_uses_refused', 'limit_uses', 'limit_uses_refused'
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
