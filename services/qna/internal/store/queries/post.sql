-- name: Now
-- The clock that stamps everything, for a call that brings inquiries of many sellers.
select seller_now(null);

-- name: FindPosted
-- Which of these inquiries are there, no matter whose they are, and what they say. Served by inquiries_qna_id.
select i.qna_id, i.content
from inquiries i
where i.qna_id = any($1::uuid[]);

-- name: InsertInquiries
-- All new inquiries at once, in the order of the request, each at the new time of its seller. image_urls come joined by
-- line feeds, which no URL has, because unnest cannot nest. One that another call inserts at this moment is waited for
-- and left out of the result.
insert into inquiries (qna_id, seller_id, product_id, product_name, category, body, is_secret, member_display_name,
  image_urls, created_at, content, status, updated_at)
select p.qna_id, p.seller_id, p.product_id, p.product_name, p.category, p.body, p.is_secret, p.member_display_name,
  string_to_array(p.image_urls, e'\n'), p.created_at, p.content, $13, p.updated_at
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[],
  $9::text[], $10::timestamptz[], $11::bytea[], $12::timestamptz[])
  with ordinality as p (qna_id, seller_id, product_id, product_name, category, body, is_secret, member_display_name,
    image_urls, created_at, content, updated_at, place)
order by p.place
on conflict (qna_id) do nothing
returning qna_id;
