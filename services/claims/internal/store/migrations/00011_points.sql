-- Points are not money: what was paid with points goes back as points. What is given back of a line is counted, the way out of a
-- free shipment is charged once for a seller's part, and one payment can cover several claims.

-- +goose Up

alter table claims
    -- The parts of goods_amount, order_shipping_paid, already_refunded and refund_amount that are points.
    add column if not exists points_amount           bigint not null default 0 check (points_amount between 0 and goods_amount),
    add column if not exists order_shipping_points   bigint not null default 0 check (order_shipping_points between 0 and order_shipping_paid),
    add column if not exists already_refunded_points bigint not null default 0 check (already_refunded_points between 0 and already_refunded),
    add column if not exists refund_points           bigint not null default 0
        check (refund_points = 0 or coalesce(refund_points between 0 and refund_amount, false)),
    -- The part of shipping_fee that is for the way out of a free shipment.
    add column if not exists way_out_fee             bigint not null default 0 check (way_out_fee between 0 and shipping_fee);
update claims set way_out_fee = shipping_fee / 2 where type = 'return' and order_shipping_paid = 0 and shipping_fee > 0;
-- +goose StatementBegin
do $$
begin
    if exists (select from claims where type = 'return' and order_shipping_paid = 0 and way_out_fee * 2 <> shipping_fee) then
        raise exception 'a return of a free shipment whose fee is not that of both ways';
    end if;
end
$$;
-- +goose StatementEnd

alter table claim_items
    add column if not exists points_amount    bigint not null default 0 check (points_amount between 0 and goods_amount),
    -- What the exchange that a return took the place of has given back of goods_amount, before its fee.
    add column if not exists already_refunded bigint not null default 0 check (already_refunded between 0 and goods_amount);

alter table refunds
    -- Beside the money of amount.
    add column if not exists points bigint not null default 0 check (points >= 0),
    drop constraint if exists refunds_amount_check,
    add constraint refunds_amount_check check (amount >= 0 and amount + points > 0);

-- A payment has an amount for each claim that it covers.
alter table ledger
    drop constraint if exists ledger_kind_check,
    add constraint ledger_kind_check check (kind in ('shortfall_payment', 'refund_payout', 'points_payout')),
    drop constraint if exists ledger_once,
    add constraint ledger_once unique (claim_id, kind, reference);
-- The constraint begins with the same column.
drop index if exists ledger_by_claim;

-- What claims give back of a line, before fees, and what was paid for the line when the first of them opened. Lines whose first
-- claim is older than this table have no row until the next one.
create table if not exists line_refunds (
    seller_id uuid   not null,
    item_id   uuid   not null,
    paid      bigint not null,
    refunded  bigint not null default 0,
    primary key (seller_id, item_id),
    constraint line_refunds_paid check (refunded between 0 and paid)
);
