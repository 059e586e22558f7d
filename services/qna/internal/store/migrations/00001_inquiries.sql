-- Inquiries, every answer that was ever given to them, and who changed their state.

-- +goose Up

-- Everything down to created_at was told by the marketplace and never changes.
create table inquiries (
    id                  bigint      generated always as identity primary key,
    qna_id              uuid        not null constraint inquiries_qna_id unique,
    seller_id           uuid        not null,
    product_id          uuid        not null,
    product_name        text        not null,
    category            text        not null,
    body                text        not null,
    is_secret           boolean     not null,
    member_display_name text        not null,
    image_urls          text[]      not null,
    created_at          timestamptz not null,
    -- Digest of the inquiry as it was told: tells a repetition from another inquiry with the same id.
    content             bytea       not null check (octet_length(content) = 32),
    status              text        not null check (status in ('waiting', 'answered')),
    -- From the seller's clock, so that it never runs against the order of commits.
    updated_at          timestamptz not null,
    -- The answer that is shown.
    answer_id           bigint,
    -- How many answers operators took back.
    cancellations       integer     not null default 0,
    constraint inquiries_answered check ((status = 'answered') = (answer_id is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- What the list walks, without and with a status. One index for each state instead of one with the state in it: the
-- planner would rather walk the first index and skip what is in the other state, and a seller's newest thousands may be.
create index inquiries_by_change on inquiries (seller_id, updated_at desc, id desc);
create index inquiries_waiting on inquiries (seller_id, updated_at desc, id desc) where status = 'waiting';
create index inquiries_answered on inquiries (seller_id, updated_at desc, id desc) where status = 'answered';

-- Append-only: a cancelled answer stays, no inquiry shows it any more.
create table answers (
    id          bigint      generated always as identity primary key,
    inquiry_id  bigint      not null references inquiries,
    content     text        not null,
    answered_at timestamptz not null
);
alter table inquiries add constraint inquiries_answer foreign key (answer_id) references answers;

-- Append-only: every change of state since the inquiry was posted, and the answer that it was about.
create table status_changes (
    inquiry_id  bigint      not null references inquiries,
    changed_at  timestamptz not null,
    from_status text        not null,
    to_status   text        not null,
    trigger     text        not null,
    -- Who: "api" with the id of the key, or "operator" with a name and the reason.
    actor       text        not null,
    actor_name  text        not null,
    reason      text,
    answer_id   bigint      not null references answers,
    primary key (inquiry_id, changed_at)
);

-- The last updated_at that a seller was given.
create table seller_clock (
    seller_id uuid        primary key,
    last      timestamptz not null
);
