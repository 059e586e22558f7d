-- Sellers, their API keys, and the audit trail that nobody can rewrite.
-- +goose Up
create table sellers (
    seller_id     uuid        not null primary key,
    name          text        not null,
    registered_at timestamptz not null default now(),
    updated_at    timestamptz not null default now()
);

comment on table sellers is 'Who may hold keys. Issuing a key holds the row, so that the limit on active keys is exact.';

create table api_keys (
    key_id        uuid        not null primary key,
    seller_id     uuid        not null references sellers,
    request_id    uuid        not null,
    prefix        text        not null check (char_length(prefix) = 12),
    hash          bytea       not null check (octet_length(hash) = 32),
    sealed_text   bytea       not null,
    scopes        text[]      not null check (cardinality(scopes) > 0),
    purpose       text        not null,
    issued_at     timestamptz not null default clock_timestamp(),
    expires_at    timestamptz,
    revoked_at    timestamptz,
    revoke_reason text,
    constraint api_keys_hash unique (hash),
    constraint api_keys_request unique (seller_id, request_id),
    constraint api_keys_prefix unique (seller_id, prefix)
);

comment on table api_keys is 'Keys are revoked, never deleted. The text is stored as a keyed hash and encrypted, never as it is.';
comment on column api_keys.sealed_text is 'AEAD over the key text with the key id as associated data.';

-- Lists are newest first; with the two unique constraints above every other statement has its index.
create index api_keys_newest on api_keys (seller_id, issued_at desc, key_id desc);

create table key_audit (
    audit_id  bigint      not null generated always as identity primary key,
    at        timestamptz not null default clock_timestamp(),
    actor     text        not null check (actor <> ''),
    action    text        not null check (action in ('register', 'issue', 'issue_again', 'list', 'reveal', 'revoke', 'revoke_again')),
    seller_id uuid        not null,
    key_id    uuid,
    detail    jsonb       not null default '{}'
);

comment on table key_audit is 'Who did what to which key, and when. Append-only. It refers to sellers and keys without a foreign key, because a look at a seller that does not exist is recorded as well.';

create index key_audit_seller on key_audit (seller_id, audit_id desc);

-- +goose StatementBegin
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
    raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;
-- +goose StatementEnd

create trigger key_audit_is_append_only
    before update or delete or truncate on key_audit
    for each statement execute function refuse_audit_change();
