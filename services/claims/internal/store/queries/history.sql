-- name: ClaimHistory
-- $1 the seller, $2 the claim's number: the states that the claim entered, the parcels that are shown on it, and the steps of its
-- refunds. Of what happened at one instant the parcel comes first, as does the success of a refund, which completes its claim.
-- Served by claims_claim_no and the primary keys.
with c as materialized (
  select c.claim_id, c.order_no from claims c where c.seller_id = $1 and c.claim_no = $2
)
select c.order_no, e.at, e.kind, e.actor, coalesce(e.key_prefix, ''), coalesce(e.status, ''), coalesce(e.parcel, ''),
  coalesce(e.carrier_name, ''), coalesce(e.tracking_no, ''), coalesce(e.refund, ''), coalesce(e.refund_status, ''),
  coalesce(e.amount, 0)
from c
cross join lateral (
  select 1 as nth, h.seq, max(h.happened_at) over (order by h.seq) as sorted, h.happened_at as at, 'status' as kind, h.actor,
    h.key_prefix, h.to_status as status, null as parcel,
    null as carrier_name, null as tracking_no, null as refund, null as refund_status, null::bigint as amount
  from history h
  where h.seller_id = $1 and h.claim_id = c.claim_id and h.from_status is distinct from h.to_status
  union all
  select 0, 0, e.done_at, e.done_at, 'parcel', e.actor, e.key_prefix, null, e.action, e.carrier_name, e.tracking_no, null,
    null, null
  from evidence e
  where e.seller_id = $1 and e.claim_id = c.claim_id
    and (e.action = 'pickup' and not e.pending or e.action = 'reship' and not e.hidden)
  union all
  select case when s.status = 'succeeded' then 0 else 2 end, 0, s.happened_at, s.happened_at, 'refund', 'service', null, null,
    null, null, null, s.kind, s.status, r.amount + r.points
  from refund_steps s
  join refunds r on r.seller_id = $1 and r.claim_id = s.claim_id and r.kind = s.kind
  where s.seller_id = $1 and s.claim_id = c.claim_id
) e
order by e.sorted, e.nth, e.seq;
