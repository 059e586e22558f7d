-- The archive. The claims of a seller's part of an order move to it when all of them ended long ago, and come back when one of them
-- is to change or another one is requested. They move together, because the refund of one depends on the others. Functions of the
-- schema move them: they have the right, which the service does not have, to delete rows of append-only tables.

-- name: EndedClaims
-- $1 how many, $2 how long ago the last change was, $3 the last change of the claim that the search before ended with: what cannot be
-- archived yet, because another claim of the order has not ended, is passed over. Claims that ended, oldest change first; those that
-- changed together with the last one are included, so that none is left between two searches. Served by claims_ended.
select c.seller_id, c.claim_no, c.updated_at
from claims c
where c.completed_at is not null and c.updated_at <= statement_timestamp() - $2::interval and c.updated_at > $3
order by c.updated_at
fetch first ($1) rows with ties;

-- name: HasEnded
-- $1 the seller, $2 a claim, locked with the others of its part of the order; $3 how long ago the last change was. Returns the order
-- if nothing is in progress for any of them: a state, a refund, an action or a step. Served by claims_claim_no, claims_by_order and
-- primary keys.
select o.order_no
from claims o
where o.seller_id = $1 and o.claim_no = $2
  and not exists (
    select from claims c
    where c.seller_id = $1 and c.order_no = o.order_no and (
      c.completed_at is null or c.updated_at > seller_now(c.seller_id) - $3::interval
      or exists (select from refunds r where r.seller_id = $1 and r.claim_id = c.claim_id and r.status <> 'succeeded')
      or exists (select from evidence e where e.seller_id = $1 and e.claim_id = c.claim_id and e.pending)
      or exists (select from steps s where s.seller_id = $1 and s.claim_no = c.claim_no))
  );

-- name: ArchiveClaims
-- $1 the seller, $2 the order, whose claims are locked.
select from seller_clock c cross join lateral archive_claims(c.seller_id, $2) moved where c.seller_id = $1 and moved;

-- name: OrderOfKept
-- $1 the seller, $2 a claim: its order, archived or not; in one snapshot it is in one of the two places. Served by the primary key of
-- archived_claims and by claims_claim_no.
select a.order_no from archived_claims a where a.seller_id = $1 and a.claim_no = $2
union all
select c.order_no from claims c where c.seller_id = $1 and c.claim_no = $2;

-- name: BringBack
-- $1 the seller, $2 the order.
select from seller_clock c cross join lateral bring_back_claims(c.seller_id, $2) moved where c.seller_id = $1 and moved;

-- name: TouchClaim
-- $1 the seller, $2 the claim, $3 its new time. claims_claim_no.
update claims set updated_at = $3 where seller_id = $1 and claim_no = $2;

-- name: Archived
-- $1 the seller, $2 the claim: its archived rows under the names of their tables, so that the statement appended to it reads
-- them as if they were in the tables. Primary key.
with kept as (
  select a.content from archived_claims a where a.seller_id = $1 and a.claim_no = $2
), claims as (
  select r.* from kept, json_populate_recordset(null::claims, kept.content -> 'claims') r
), claim_items as (
  select r.* from kept, json_populate_recordset(null::claim_items, kept.content -> 'claim_items') r
), evidence as (
  select r.* from kept, json_populate_recordset(null::evidence, kept.content -> 'evidence') r
), refunds as (
  select r.* from kept, json_populate_recordset(null::refunds, kept.content -> 'refunds') r
)
