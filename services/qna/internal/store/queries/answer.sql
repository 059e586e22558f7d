-- name: FindState
-- The columns that decisions need, without a lock: a refusal never waits for a lock. Primary keys.
select i.status, i.updated_at, i.cancellations, a.content, a.answered_at
from inquiries i
left join answers a on a.seller_id = i.seller_id and a.qna_id = i.qna_id and a.seq = i.answer_seq
where i.seller_id = $1 and i.qna_id = $2;

-- name: LockInquiry
-- Locks the inquiry until the commit, after waiting for concurrent changes. It returns no columns of the inquiry, because the answer
-- beside it would be read as of before the wait: read it again afterwards. Primary key.
select
from inquiries i
where i.seller_id = $1 and i.qna_id = $2
for no key update;

-- name: RegisterAnswer
-- Inserts the answer under the next number, sets the new state and appends it to the history, in one statement because the seller's
-- clock is locked. Primary keys; the inquiry is locked, so that no other transaction takes the number.
with answer as (
  insert into answers (seller_id, qna_id, seq, content, answered_at)
  select $1, $2, coalesce(max(a.seq), 0) + 1, $3, $4
  from answers a
  where a.seller_id = $1 and a.qna_id = $2
  returning seq
), change as (
  insert into status_changes (seller_id, qna_id, changed_at, from_status, to_status, trigger, actor, actor_name, answer_seq,
    key_prefix, request_id)
  select $1, $2, $4, $5, $6, $7, $8, $9, answer.seq, nullif($10, ''), nullif($11, '')
  from answer
)
update inquiries i
set status = $6, answer_seq = answer.seq, updated_at = $4
from answer
where i.seller_id = $1 and i.qna_id = $2;
