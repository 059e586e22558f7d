-- name: FindState
-- What decisions look at, without a lock: a decision that turns out to be a refusal waits for nobody.
-- Served by inquiries_qna_id and the primary key of answers.
select i.id, i.status, i.updated_at, i.cancellations, a.content, a.answered_at
from inquiries i
left join answers a on a.id = i.answer_id
where i.seller_id = $1 and i.qna_id = $2;

-- name: LockInquiry
-- Holds the inquiry until the commit; anyone who is just changing it is waited for. It returns nothing of the inquiry,
-- because the answer beside it would be read as of before the wait: read it again afterwards. Primary key.
select
from inquiries i
where i.seller_id = $1 and i.id = $2
for no key update;

-- name: RegisterAnswer
-- The answer, the new state and its place in the history, in one statement because the seller's clock is held.
-- Primary key; the inquiry is locked.
with answer as (
  insert into answers (inquiry_id, content, answered_at)
  values ($2, $3, $4)
  returning id
), change as (
  insert into status_changes (inquiry_id, changed_at, from_status, to_status, trigger, actor, actor_name, answer_id)
  select $2, $4, $5, $6, $7, $8, $9, answer.id
  from answer
)
update inquiries i
set status = $6, answer_id = answer.id, updated_at = $4
from answer
where i.seller_id = $1 and i.id = $2;
