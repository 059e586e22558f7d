-- name: FindPolicy
-- Primary key.
select p.fee_one_way from seller_policies p where p.seller_id = $1 and p.currency = $2;

-- name: IsWayOutCharged
-- Whether a return of the seller's part of an order has charged the outbound shipping and has not ended without effect. Such an end
-- counts from its registration: its lines may be released already, and nothing can prevent it any more. claims_by_order, primary key of
-- evidence.
select exists (
  select from claims c
  where c.seller_id = $1 and c.order_no = $2 and c.type = 'return' and c.way_out_fee > 0
    and c.status not in ('rejected', 'withdrawn', 'expired')
    and not exists (
      select from evidence e
      where e.seller_id = $1 and e.claim_id = c.claim_id and e.pending
        and (e.action in ('reject', 'withdraw', 'expire-payment') or e.action = 'inspect' and e.result = 'fail')
    )
);

-- name: PutPolicy
insert into seller_policies (seller_id, currency, fee_one_way, updated_at)
values ($1, $2, $3, seller_now($1))
on conflict (seller_id, currency) do update set fee_one_way = excluded.fee_one_way, updated_at = excluded.updated_at;
