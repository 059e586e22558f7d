-- The archive. An inquiry moves to it when it was answered long ago, and comes back when it is to change. Functions of the schema
-- move the rows: they have the right, which the service does not have, to delete rows of append-only tables.

-- name: EndedInquiries
-- $2 how long ago the last change was. Some of the inquiries that are answered. Served by inquiries_ended.
select i.seller_id, i.qna_id
from inquiries i
where i.status = 'answered' and i.answer_seq > 0 and i.updated_at <= statement_timestamp() - $2::interval
order by i.updated_at
limit $1;

-- name: HasEnded
-- $1 the seller, $2 the inquiry, locked; $3 how long ago the last change was. Primary key.
select from inquiries i
where i.seller_id = $1 and i.qna_id = $2 and i.status = 'answered' and i.updated_at <= seller_now(i.seller_id) - $3::interval;

-- name: ArchiveInquiry
-- $1 the seller, $2 the inquiry, locked.
select from seller_clock c cross join lateral archive_inquiry(c.seller_id, $2) moved where c.seller_id = $1 and moved;

-- name: IsKept
-- $1 the seller, $2 the inquiry: a row if it exists, archived or not; in one snapshot it is in one of the two places. Primary keys.
select from archived_inquiries a where a.seller_id = $1 and a.qna_id = $2
union all
select from inquiries i where i.seller_id = $1 and i.qna_id = $2;

-- name: BringBack
-- $1 the seller, $2 the inquiry.
select from seller_clock c cross join lateral bring_back_inquiry(c.seller_id, $2) moved where c.seller_id = $1 and moved;

-- name: TouchInquiry
-- $1 the seller, $2 the inquiry, $3 its new time. Primary key.
update inquiries i set updated_at = $3 where i.seller_id = $1 and i.qna_id = $2;
