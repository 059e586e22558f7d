-- Claims, what was done to them, and the money that moved.

-- +goose Up

-- One row for each claim: what the lists walk. Amounts are in the order's currency.
create table claims (
    id                  bigint      generated always as identity primary key,
    claim_no            text        not null constraint claims_claim_no unique,
    seller_id           uuid        not null,
    order_no            text        not null,
    type                text        not null check (type in ('cancel', 'return', 'exchange')),
    status              text        not null check (status in ('payment_pending', 'requested', 'approved', 'collecting',
                                    'collected', 'inspecting', 'reshipping', 'refund_processing', 'completed', 'rejected',
                                    'withdrawn', 'expired', 'converted_to_return')),
    reason_code         text        not null check (reason_code in ('change_of_mind', 'defective', 'wrong_delivery',
                                    'out_of_stock', 'delayed_by_seller', 'etc')),
    -- Digest of the request: tells a repetition from another request with the same number. Null: the claim came from a
    -- conversion, nobody requested it.
    content             bytea       check (octet_length(content) = 32),
    -- Quoted with the request.
    goods_amount        bigint      not null check (goods_amount >= 0),
    shipping_fee        bigint      not null check (shipping_fee >= 0),
    price_difference    bigint      not null,
    order_shipping_paid bigint      not null check (order_shipping_paid >= 0),
    seller_quantity     bigint      not null check (seller_quantity >= 0),
    already_refunded    bigint      not null default 0 check (already_refunded >= 0),
    shortfall_amount    bigint      not null default 0 check (shortfall_amount >= 0),
    -- What the customer paid of the shortfall, and the payment system's id of it.
    shortfall_paid      bigint      not null default 0,
    shortfall_payment   text,
    -- Fixed once: the whole refund, and the part of it that is the order's shipping.
    refund_amount       bigint      check (refund_amount >= 0),
    shipping_refund     bigint      not null default 0 check (shipping_refund between 0 and order_shipping_paid),
    requested_at        timestamptz not null,
    completed_at        timestamptz,
    -- From the seller's clock, so that it never runs against the order of commits.
    updated_at          timestamptz not null,
    payment_due_at      timestamptz,
    inspection_due_at   timestamptz,
    -- An operator's stop sign.
    frozen_by           text,
    frozen_reason       text,
    frozen_at           timestamptz,
    -- The exchange that a return took the place of, and the other way round.
    replaces            text        constraint claims_replaces unique,
    replaced_by         text,
    constraint claims_goods check (refund_amount - shipping_refund <= goods_amount),
    constraint claims_shortfall check (shortfall_paid in (0, shortfall_amount)
        and (shortfall_paid > 0) = (shortfall_payment is not null)),
    constraint claims_completed check ((completed_at is not null) = (status in ('completed', 'rejected', 'withdrawn',
        'expired', 'converted_to_return'))),
    constraint claims_frozen check (num_nulls(frozen_by, frozen_reason, frozen_at) in (0, 3)),
    constraint claims_payment_due check ((payment_due_at is not null) = (status = 'payment_pending')),
    constraint claims_inspection_due check ((inspection_due_at is not null) = (status = 'collected' and type = 'return')),
    -- Lists conclude from a bound on requested_at that updated_at has it too.
    constraint claims_updated check (updated_at >= requested_at)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- What the list walks, for each combination of type and status that can be asked for.
create index claims_by_change on claims (seller_id, updated_at desc, id desc);
create index claims_by_type on claims (seller_id, type, updated_at desc, id desc);
create index claims_by_status on claims (seller_id, status, updated_at desc, id desc);
create index claims_by_type_status on claims (seller_id, type, status, updated_at desc, id desc);
-- For narrow ranges of requested_at.
create index claims_by_request on claims (seller_id, requested_at);
-- The other claims of one seller's part of an order: a refund depends on what they have undone.
create index claims_by_order on claims (seller_id, order_no);
-- What the sweeps of deadlines walk.
create index claims_payment_due on claims (payment_due_at) where payment_due_at is not null;
create index claims_inspection_due on claims (inspection_due_at) where inspection_due_at is not null;

-- The claimed quantities of lines, in the order of the request.
create table claim_items (
    claim_id             bigint  not null references claims,
    seq                  integer not null,
    item_id              uuid    not null,
    -- The line that carries the claimed quantity since the claim finished.
    settled_item_id      uuid,
    item_code            text    not null,
    quantity             bigint  not null check (quantity > 0),
    product_name         text    not null,
    option_name          text    not null,
    exchange_option_name text,
    goods_amount         bigint  not null check (goods_amount >= 0),
    price_difference     bigint  not null,
    primary key (claim_id, seq)
);

-- What was done: at most one row for each action of a claim. A pending one is registered and waits for the order's side.
create table evidence (
    claim_id     bigint      not null references claims,
    action       text        not null check (action in ('approve', 'reject', 'pickup', 'collect-done', 'inspect', 'reship')),
    carrier_name text,
    tracking_no  text,
    result       text        check (result in ('pass', 'fail')),
    memo         text,
    actor        text        not null,
    actor_name   text        not null,
    done_at      timestamptz not null,
    pending      boolean     not null,
    primary key (claim_id, action)
);
create unique index evidence_pending on evidence (claim_id) where pending;

-- Every change, in order; one row for each state that it entered. Append-only.
create table history (
    id          bigint      generated always as identity primary key,
    claim_id    bigint      not null references claims,
    happened_at timestamptz not null,
    trigger     text        not null,
    -- Null: the claim began. The same as to_status: the state stayed.
    from_status text,
    to_status   text        not null,
    actor       text        not null,
    actor_name  text        not null,
    memo        text
);
create index history_by_claim on history (claim_id, id);

-- Payments back to the customer. The id is the provider's idempotency key.
create table refunds (
    id                 uuid        primary key,
    claim_id           bigint      not null references claims,
    kind               text        not null check (kind in ('refund', 'shortfall_return')),
    amount             bigint      not null check (amount > 0),
    status             text        not null check (status in ('queued', 'sent', 'awaiting_account', 'retrying', 'manual', 'succeeded')),
    attempts           integer     not null,
    -- When to ask the provider (again); null: nobody is to ask.
    next_at            timestamptz,
    provider_reference text,
    created_at         timestamptz not null,
    succeeded_at       timestamptz,
    constraint refunds_one_of_a_kind unique (claim_id, kind),
    constraint refunds_succeeded check ((status = 'succeeded') = (succeeded_at is not null))
);
create index refunds_due on refunds (next_at) where next_at is not null;

-- Every movement of money. Append-only; a movement is written once, whatever is repeated.
create table ledger (
    id        bigint      generated always as identity primary key,
    claim_id  bigint      not null references claims,
    kind      text        not null check (kind in ('shortfall_payment', 'refund_payout')),
    amount    bigint      not null check (amount > 0),
    -- The payment's or the refund's id.
    reference text        not null,
    moved_at  timestamptz not null,
    constraint ledger_once unique (kind, reference)
);
create index ledger_by_claim on ledger (claim_id);

-- +goose StatementBegin
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
-- +goose StatementEnd
create trigger ledger_append_only before update or delete or truncate on ledger execute function refuse_change();
create trigger history_append_only before update or delete or truncate on history execute function refuse_change();

-- What sellers charge. A seller without a row charges the default.
create table seller_policies (
    seller_id    uuid        primary key,
    fee_one_way  bigint      not null check (fee_one_way >= 0),
    updated_at   timestamptz not null
);

-- The last updated_at that a seller was given.
create table seller_clock (
    seller_id uuid        primary key,
    last      timestamptz not null
);
