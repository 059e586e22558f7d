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
