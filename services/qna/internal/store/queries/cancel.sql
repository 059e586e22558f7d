-- name: FindOwner
-- The seller of an inquiry: operators name only the inquiry. Primary key of inquiry_ids.
select d.seller_id
from inquiry_ids d
where d.qna_id = $1;

-- name: CancelAnswer
-- Sets the inquiry back to waiting; its answer stays in answers and in the history. One statement because the seller's clock is
-- locked. Primary key; the inquiry is locked.
with change as (
  insert into status_changes (seller_id, qna_id, changed_at, from_status, to_status, trigger, actor, actor_name, reason, answer_seq)
  select i.seller_id, i.qna_id, $3, i.status, $4, $5, $6, $7, $8, i.answer_seq
  from inquiries i
  where i.seller_id = $1 and i.qna_id = $2
)
update inquiries i
set status = $4, answer_seq = null, cancellations = i.cancellations + 1, updated_at = $3
where i.seller_id = $1 and i.qna_id = $2;
