-- Inquiries, every answer that was ever given to them, who changed their state, and the record of first answers to requests.
--
-- A row belongs to one seller, and seller_id is the first column of every key, reference and index, so that all rows of a seller can
-- live on one node. The exceptions are inquiry_ids, which is asked without knowing the seller, and the indexes by age of the inbox.
-- No table has a sequence, because nodes do not share one.

-- +goose Up

-- Which inquiries there are, over all sellers: a qna_id is used once, and operators name an inquiry without its seller. The row is
-- written before the inquiry, in its transaction, and waits for another transaction that is just writing the same id.
create table inquiry_ids (
    qna_id    uuid  primary key,
    seller_id uuid  not null,
    -- SHA-256 of the inquiry as it was posted: tells a repetition from another inquiry with the same id.
    content   bytea not null check (octet_length(content) = 32)
);

-- What a customer asked, and what has become of it. Everything down to created_at comes from the marketplace and never changes.
create table inquiries (
    seller_id           uuid        not null,
    qna_id              uuid        not null,
    product_id          uuid        not null,
    product_name        text        not null,
    category            text        not null,
    body                text        not null,
    is_secret           boolean     not null,
    member_display_name text        not null,
    image_urls          text[]      not null,
    created_at          timestamptz not null,
    status              text        not null check (status in ('waiting', 'answered')),
    -- From the seller's clock, so that it never runs against the order of commits.
    updated_at          timestamptz not null,
    -- The answer that is shown, by its seq. No foreign key: answers refers to this table, and Citus cannot distribute two tables that
    -- refer to each other. The statement that sets it has just written the answer, and answers are never removed.
    answer_seq          integer,
    -- How many answers operators took back.
    cancellations       integer     not null default 0,
    primary key (seller_id, qna_id),
    constraint inquiries_answer_shown check ((status = 'answered') = (answer_seq is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- What the list walks, without and with a status. One index for each state instead of one with the state in it: the
-- planner would rather walk the first index and skip what is in the other state, and a seller's newest thousands may be.
create index inquiries_by_change on inquiries (seller_id, updated_at desc, qna_id desc);
create index inquiries_waiting on inquiries (seller_id, updated_at desc, qna_id desc) where status = 'waiting';
create index inquiries_answered on inquiries (seller_id, updated_at desc, qna_id desc) where status = 'answered';

-- Every answer to an inquiry, numbered from 1 while the inquiry is locked.
create table answers (
    seller_id   uuid        not null,
    qna_id      uuid        not null,
    seq         integer     not null check (seq > 0),
    content     text        not null,
    answered_at timestamptz not null,
    primary key (seller_id, qna_id, seq),
    foreign key (seller_id, qna_id) references inquiries
);
comment on table answers is 'append-only: a cancelled answer stays, and no inquiry shows it any more';

-- Every change of an inquiry's state since it was posted. A seller's times are unique, so that changed_at tells the changes apart.
create table status_changes (
    seller_id   uuid        not null,
    qna_id      uuid        not null,
    changed_at  timestamptz not null,
    from_status text        not null,
    to_status   text        not null,
    trigger     text        not null,
    -- Who: "api" with the id of the key, or "operator" with a name and the reason.
    actor       text        not null,
    actor_name  text        not null,
    -- Of a call through the public interface: the prefix of the key, and the request.
    key_prefix  text,
    request_id  text,
    reason      text,
    -- The answer that was given or taken back.
    answer_seq  integer     not null,
    primary key (seller_id, qna_id, changed_at),
    foreign key (seller_id, qna_id, answer_seq) references answers
);
comment on table status_changes is 'append-only: operators explain from it what was shown when';

-- The last updated_at that a seller was given.
create table seller_clock (
    seller_id uuid        primary key,
    last      timestamptz not null
);
-- Without the seller: which sellers have changed since a time is asked for all of them, on each node apart.
create index seller_clock_latest on seller_clock (last, seller_id);

-- How far ahead of the wall clock a seller's time is, in a test environment; see "Moved clocks" in package postgres. A live
-- environment has no row, and does not start with one.
create table seller_offsets (
    seller_id uuid     primary key,
    ahead     interval not null check (ahead between interval '0' and interval '10 years')
);

-- The time of a seller's business, for every statement that stamps or judges something of the seller; null stands for the
-- marketplace. It is the wall clock for all; a test environment replaces it, see seller_offsets. What only bounds an index, such
-- as the search for rows that are due, takes statement_timestamp(), which a plan can compare an index with.
-- +goose StatementBegin
create function seller_now(seller_id uuid) returns timestamptz language sql volatile
return clock_timestamp();
-- +goose StatementEnd

-- The next time of a seller's clock: the given one, or a microsecond after the last. Adding a microsecond means the same in every time
-- zone, so it is immutable, which a distributed database asks of what a conflicting insert writes.
-- +goose StatementBegin
create function clock_after(last timestamptz, at timestamptz) returns timestamptz language sql immutable
return greatest(at, last + interval '1 microsecond');
-- +goose StatementEnd

-- The record of first answers. The text of its two tables and their indexes is that of package inbox, which has the statements.

-- The key of every request that was answered, or taken before anything was decided: a key whose request runs in steps belongs to
-- that content from the first of them. Of the digest of the key 8 bytes are kept: a seller with 100 million keys meets one of its
-- own by chance with one new key in 200 billion, and is refused that key; no other seller ever meets it. Of the digest of the
-- content there are 5: a key that is used for other content, which is a mistake already, is taken for a repetition once in a
-- trillion times. The columns leave no gap between them, so that a row and its entries in both indexes take 125 bytes at most.
--
-- Not partitioned by time: a key has to be the only one of its seller over all months, and a unique index of a partitioned table
-- reaches over one partition. On a distributed database each partition would be cut into shards besides.
create table inbox (
	seller_id uuid not null,
	digest bigint not null,
	-- Days of UTC since the first of the year 2020, which is day 18262 since 1970; enough until 2109.
	answered_day smallint not null default floor(extract(epoch from now()) / 86400) - 18262,
	fingerprint bytea not null check (octet_length(fingerprint) = 5),
	-- Null, which takes no room, once the request is decided.
	begun boolean check (begun),
	primary key (seller_id, digest)
);

-- Its answer, for as long as it may be replayed.
create table inbox_answers (
	seller_id uuid not null,
	digest bigint not null,
	answered_at timestamptz not null default now(),
	status smallint not null,
	body bytea not null,
	primary key (seller_id, digest)
);

-- Without the seller: what is past its time is looked for among all of them, on each node apart. The many keys of a day share
-- entries of the index, so that it takes 7 bytes for each.
create index inbox_answers_by_age on inbox_answers (answered_at);
create index inbox_by_age on inbox (answered_day);

-- The wall between sellers: a statement that forgets its seller finds nothing instead of everybody's rows. A transaction says in the
-- setting app.seller whose rows it may see; one that says nothing, as a migration or an operator, sees all. See "The wall between
-- sellers" in package postgres. Forced, so that it also holds where a service owns its tables. The setting is read once for
-- a statement and not for each row, and what compares it is opaque to the planner, so that the lists keep their indexes.
-- +goose StatementBegin
do $$
declare
    walled text;
begin
    foreach walled in array array[
        'inquiry_ids', 'inquiries', 'answers', 'status_changes', 'seller_clock', 'seller_offsets', 'inbox',
        'inbox_answers'
    ] loop
        execute format($policy$
            create policy seller_wall on %I
                using (coalesce(seller_id = (select nullif(current_setting('app.seller', true), '')::uuid), true))
        $policy$, walled);
        execute format('alter table %I enable row level security, force row level security', walled);
    end loop;
end
$$;
-- +goose StatementEnd

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
