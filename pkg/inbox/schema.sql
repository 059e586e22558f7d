-- The key of every decided request, forever.
create table inbox (
	seller_id uuid not null,
	digest bytea not null check (octet_length(digest) = 16),
	fingerprint bytea not null check (octet_length(fingerprint) = 16),
	answered_at timestamptz not null default now(),
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
create index inbox_answers_by_age on inbox_answers (answered_at);
create index inbox_by_age on inbox using brin (answered_at);
