-- name: FindPosted
-- The inquiries among these ids that exist, of any seller, and the digests of their content. Primary key of inquiry_ids.
select d.qna_id, d.content
from inquiry_ids d
where d.qna_id = any($1::uuid[]);

-- name: ClaimIDs
-- Reserves the ids of new inquiries and returns those that were free. Waits for an id that another call is just reserving. All calls
-- reserve in the same order, so that they cannot deadlock.
insert into inquiry_ids (qna_id, seller_id, content)
select p.qna_id, p.seller_id, p.content
from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as p (qna_id, seller_id, content)
order by p.qna_id
on conflict (qna_id) do nothing
returning qna_id;

-- name: InsertInquiries
-- Inserts all inquiries whose ids were reserved, each at the new time of its seller. image_urls are joined by line feeds, which no
-- URL contains, because unnest cannot nest.
insert into inquiries (qna_id, seller_id, product_id, product_name, category, body, is_secret, member_display_name,
  image_urls, created_at, status, updated_at)
select p.qna_id, p.seller_id, p.product_id, p.product_name, p.category, p.body, p.is_secret, p.member_display_name,
  string_to_array(p.image_urls, e'\n'), p.created_at, $12, p.updated_at
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[],
  $9::text[], $10::timestamptz[], $11::timestamptz[])
  as p (qna_id, seller_id, product_id, product_name, category, body, is_secret, member_display_name, image_urls,
    created_at, updated_at);
