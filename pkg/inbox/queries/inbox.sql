-- name: InboxTake
-- Acquires the key, or waits for the transaction that is acquiring it. A key that was begun is acquired for the same content. Primary key.
insert into inbox as i (seller_id, digest, fingerprint)
values ($1, $2, $3)
on conflict (seller_id, digest) do update set begun = null, answered_day = excluded.answered_day
where i.begun and i.fingerprint = excluded.fingerprint;

-- name: InboxBegin
-- Acquires the key before anything is decided. Primary key.
insert into inbox (seller_id, digest, fingerprint, begun)
values ($1, $2, $3, true)
on conflict do nothing;

-- name: InboxFree
-- Primary key.
delete from inbox
where seller_id = $1 and digest = $2 and fingerprint = $3 and begun;

-- name: InboxRead
-- The state of an existing key. Primary keys of both tables.
select i.fingerprint, i.begun is not null, a.status, a.body,
	extract(epoch from a.answered_at + $3::interval - now())::float8
from inbox i
left join inbox_answers a
	on a.seller_id = i.seller_id and a.digest = i.digest and a.answered_at > now() - $3::interval
where i.seller_id = $1 and i.digest = $2;

-- name: InboxStore
-- Stores the response, in the transaction of the effect.
insert into inbox_answers (seller_id, digest, status, body)
values ($1, $2, $3, $4);

-- name: InboxOldAnswers
-- Some responses past their retention, oldest first, of all sellers; inbox_answers_by_age. Takes no locks: if two replicas find the
-- same rows, the second deletes none.
select a.seller_id, a.digest
from inbox_answers a
where a.answered_at <= now() - $1::interval
order by a.answered_at
limit $2;

-- name: InboxOldKeys
-- Some keys that were kept for $1 and the rest of their day, oldest first, of all sellers; inbox_by_age. Takes no locks either.
select i.seller_id, i.digest
from inbox i
where i.answered_day < (floor(extract(epoch from now() - $1::interval) / 86400) - 18262)::smallint
order by i.answered_day
limit $2;

-- name: InboxForgetAnswers
-- Of one seller. A response that has replaced an old one is not older than $3. Primary key.
delete from inbox_answers
where seller_id = $1 and digest = any ($2) and answered_at <= now() - $3::interval;

-- name: InboxForgetKeys
-- Of one seller. A response that was not deleted yet goes with its key: it would make it impossible to store the one of a new request with
-- that key. Primary keys of both tables.
with answers as (
	delete from inbox_answers
	where seller_id = $1 and digest = any ($2) and answered_at <= now() - $3::interval
)
delete from inbox
where seller_id = $1 and digest = any ($2) and answered_day < (floor(extract(epoch from now() - $3::interval) / 86400) - 18262)::smallint;

-- name: InboxAgeAnswers
-- Of the seller $1, whose clock has moved forward by $2 seconds. The beginning of the primary key. A distributed database takes only
-- immutable functions of a column here; to take an interval from a time is none.
update inbox_answers
set answered_at = to_timestamp(extract(epoch from answered_at - timestamptz 'epoch')::float8 - $2::float8)
where seller_id = $1;

-- name: InboxAgeKeys
-- Of the seller $1, whose clock has moved forward by $2 days. The beginning of the primary key.
update inbox set answered_day = answered_day - $2::smallint where seller_id = $1;
