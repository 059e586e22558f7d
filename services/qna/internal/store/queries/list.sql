-- name: ListInquiries
-- $1 seller, $2 rows wanted, ($3, $4) updated_at and id of the inquiry after which the page begins. The first page begins after
-- infinity: because the position is always present, a plan that does not follow the order of the index never pays off. The order is
-- descending, or ascending for a list that is read forwards.
--
-- Reads inquiries_by_change, or the index of the requested state, and stops after the page. "limit 101" tells the planner how few
-- rows are needed, which it cannot see in $2. It is one more than the largest page, so it never cuts one. The answers are read by
-- primary key, one by one: without the limit in their subquery, all of answers would be read and hashed for a page while the table is
-- small.
select i.qna_id, i.seller_id, i.product_id, i.product_name, i.category, i.body, i.is_secret,
  i.member_display_name, i.image_urls, i.created_at, i.status, i.updated_at, i.cancellations,
  a.content, a.answered_at
from (
  select i.*
  from inquiries i
  where i.seller_id = $1
    /* filters */
  order by i.updated_at /* order */, i.qna_id /* order */
  limit 101
) i
left join lateral (
  select a.content, a.answered_at
  from answers a
  where a.seller_id = $1 and a.qna_id = i.qna_id and a.seq = i.answer_seq
  limit 1
) a on true
order by i.updated_at /* order */, i.qna_id /* order */
limit $2;

-- name: FindInquiry
-- $1 seller, $2 the inquiry, in the columns of the list. Primary keys.
select i.qna_id, i.seller_id, i.product_id, i.product_name, i.category, i.body, i.is_secret,
  i.member_display_name, i.image_urls, i.created_at, i.status, i.updated_at, i.cancellations,
  a.content, a.answered_at
from inquiries i
left join answers a on a.seller_id = i.seller_id and a.qna_id = i.qna_id and a.seq = i.answer_seq
where i.seller_id = $1 and i.qna_id = $2;
