-- The record of first answers; the text is that of package inbox.

-- +goose Up

-- The key of every request that was answered, or taken before anything was decided: a key whose request runs in steps belongs to
-- that content from the first of them.
create table inbox (
	seller_id uuid not null,
	digest bytea not null check (octet_length(digest) = 16),
	fingerprint bytea not null check (octet_length(fingerprint) = 16),
	answered_at timestamptz not null default now(),
	decided boolean not null default true,
	primary key (seller_id, digest)
);

-- Its answer, for as long as it may be replayed.
create table inbox_answers (
	seller_id uuid not null,
	digest bytea not null,
	answered_at timestamptz not null default now(),
	status smallint not null,
	body bytea not null,
	primary key (seller_id, digest)
);

-- Without the seller: what is past its time is looked for among all of them, on each node apart.
create index inbox_answers_by_age on inbox_answers (answered_at);
create index inbox_by_age on inbox using brin (answered_at);
