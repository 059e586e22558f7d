-- name: InboxTake
-- Takes the key, or waits for the transaction that is taking it. One that was begun is taken by its content. Primary key.
insert into inbox as i (seller_id, digest, fingerprint)
values ($1, $2, $3)
on conflict (seller_id, digest) do update set decided = true, answered_at = default
where not i.decided and i.fingerprint = excluded.fingerprint;

-- name: InboxBegin
-- Takes the key before anything is decided. Primary key.
insert into inbox (seller_id, digest, fingerprint, decided)
values ($1, $2, $3, false)
on conflict do nothing;

-- name: InboxFree
-- Primary key.
delete from inbox
where seller_id = $1 and digest = $2 and fingerprint = $3 and not decided;

-- name: InboxRead
-- What is known of a key that is taken. Primary keys of both tables.
select i.fingerprint, i.decided, a.status, a.body,
	extract(epoch from a.answered_at + $3::interval - now())::float8
from inbox i
left join inbox_answers a
	on a.seller_id = i.seller_id and a.digest = i.digest and a.answered_at > now() - $3::interval
where i.seller_id = $1 and i.digest = $2;

-- name: InboxStore
-- The answer, in the transaction of the effect.
insert into inbox_answers (seller_id, digest, status, body)
values ($1, $2, $3, $4);

-- name: InboxForgetAnswers
-- Deletes a few answers that may no longer be replayed, oldest first; inbox_answers_by_age. Rows that another replica
-- is deleting are left to it.
delete from inbox_answers a
using (
	select seller_id, digest from inbox_answers
	where answered_at <= now() - $1::interval
	order by answered_at
	limit $2
	for update skip locked
) old
where a.seller_id = old.seller_id and a.digest = old.digest;

-- name: InboxForgetKeys
-- Deletes a few bare keys beyond their retention; inbox_by_age.
delete from inbox i
using (
	select seller_id, digest from inbox
	where answered_at <= now() - $1::interval
	limit $2
	for update skip locked
) old
where i.seller_id = old.seller_id and i.digest = old.digest;
