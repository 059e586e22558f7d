-- Withdrawals of members are remembered, so that personal data from before one that arrives after it is not stored.

-- +goose Up

-- The withdrawals of the members who ever placed an order with personal data, and for each of these members a row without a withdrawal,
-- whose time is -infinity. A placement shares the latest row of each of its members until its end, so that a withdrawal, which adds a row
-- and then takes the earlier ones alone, waits for those placements that could not know of it, and for no other.
create table withdrawals (
    -- Keyed digest of the member's id.
    member       bytea       not null,
    withdrawn_at timestamptz not null,
    primary key (member, withdrawn_at)
);
comment on table withdrawals is 'on one node: a placement locks the rows of many members in one statement';

-- The key of the digests, made here and never changed: with another one no withdrawal is recognised. It is kept beside the rows that need
-- it, so that it can neither be lost nor be restored without them. A digest alone says nothing about a member; a copy of the whole
-- database, which has the ids of members in their orders, does.
create table member_key (
    key bytea primary key
);
comment on table member_key is 'append-only, on one node: with another key no withdrawal is recognised';
insert into member_key (key) values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- As in the first migration.
-- +goose StatementBegin
do $$
declare
    grantee text;
begin
    for grantee in
        select distinct coalesce(nullif(a.grantee, 0)::regrole::text, 'public')
        from pg_class c, aclexplode(c.relacl) a
        where c.oid = 'member_key'::regclass and a.grantee <> c.relowner
    loop
        execute format('revoke update, delete, truncate on member_key from %s', grantee);
    end loop;
end
$$;
-- +goose StatementEnd
