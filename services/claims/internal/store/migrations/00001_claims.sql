-- Claims, what was done to them, the money that moved, and the work that is still to be done.
--
-- Every table belongs to sellers: seller_id leads its key, its unique constraints, its references and its indexes, and every
-- statement names the seller. So all rows of a seller can live on one node of a distributed database, with seller_id as the
-- distribution column. What must be unique among all sellers, and what is asked for by callers that do not know the seller, is
-- in two small directories, claim_numbers and refund_ids, which would be distributed by their number. Ids are made by the
-- service; there are no sequences, and order does not come from an id alone.
--
-- The exceptions are the directories' own keys, and the indexes that sweeps and metrics walk over all sellers. Nothing refers to a
-- directory by a foreign key, as its rows live on other nodes.

-- +goose Up

-- The time of a seller's business, for every statement that stamps or judges something of the seller; null stands for the
-- marketplace. It is the wall clock for all; a test environment replaces it, see seller_offsets. What only bounds an index, such
-- as the search for rows that are due, takes statement_timestamp(), which a plan can compare an index with.
-- +goose StatementBegin
create function seller_now(seller_id uuid) returns timestamptz language sql volatile
return clock_timestamp();
-- +goose StatementEnd

-- The next time of a seller's clock: the given one, or a microsecond after the last. Adding a microsecond means the same in every time
-- zone, so it is immutable, which a distributed database asks of what a conflicting insert writes.
-- +goose StatementBegin
create function clock_after(last timestamptz, at timestamptz) returns timestamptz language sql immutable
return greatest(at, last + interval '1 microsecond');
-- +goose StatementEnd

-- Directories ---------------------------------------------------------------------------------------------------------

-- Whose number it is. A number is taken before anything else is written: when a request is noted, in the transaction that plans its
-- opening, and when a conversion inserts its return. A request that is refused gives it back. The insert waits for another
-- call that is taking the same number.
create table claim_numbers (
    claim_no  text  primary key,
    seller_id uuid  not null,
    -- Digest of the request: tells a repetition from another request with the same number. Null: the claim came from a
    -- conversion, nobody requested it.
    content   bytea check (octet_length(content) = 32)
);

-- Which claim a refund belongs to, for a payment provider that names the refund alone.
create table refund_ids (
    refund_id uuid primary key,
    seller_id uuid not null,
    claim_no  text not null
);
comment on table refund_ids is 'append-only: the claim of a refund never changes';

-- Claims and what belongs to them -------------------------------------------------------------------------------------

-- One row for each claim: what the lists walk. Amounts are in the order's currency; points are a part of the amount beside them.
create table claims (
    seller_id               uuid        not null,
    claim_id                uuid        not null,
    claim_no                text        not null,
    order_no                text        not null,
    type                    text        not null check (type in ('cancel', 'return', 'exchange')),
    status                  text        not null check (status in ('payment_pending', 'requested', 'approved', 'collecting',
                                        'collected', 'inspecting', 'reshipping', 'refund_processing', 'completed', 'rejected',
                                        'withdrawn', 'expired', 'converted_to_return')),
    reason_code             text        not null check (reason_code in ('change_of_mind', 'defective', 'wrong_delivery',
                                        'out_of_stock', 'delayed_by_seller', 'etc')),

    -- Quoted with the request. way_out_fee is the part of shipping_fee for the way out of a shipment that was free.
    goods_amount            bigint      not null check (goods_amount >= 0),
    points_amount           bigint      not null default 0 check (points_amount between 0 and goods_amount),
    shipping_fee            bigint      not null check (shipping_fee >= 0),
    way_out_fee             bigint      not null default 0 check (way_out_fee between 0 and shipping_fee),
    price_difference        bigint      not null,
    shortfall_amount        bigint      not null default 0 check (shortfall_amount >= 0),
    -- What the seller's part of the order was when the claim was requested: shipping that was paid, pieces of all lines.
    order_shipping_paid     bigint      not null check (order_shipping_paid >= 0),
    order_shipping_points   bigint      not null default 0 check (order_shipping_points between 0 and order_shipping_paid),
    seller_quantity         bigint      not null check (seller_quantity >= 0),
    -- What the exchange that a return took the place of has refunded.
    already_refunded        bigint      not null default 0 check (already_refunded >= 0),
    already_refunded_points bigint      not null default 0 check (already_refunded_points between 0 and already_refunded),

    -- What the customer paid of the shortfall, all or nothing, and the payment system's id of it.
    shortfall_paid          bigint      not null default 0,
    shortfall_payment       text,
    -- Fixed once: the whole refund, the part of it in points, and the part that is the order's shipping. Null: not fixed yet.
    refund_amount           bigint      check (refund_amount >= 0),
    refund_points           bigint      not null default 0
                                        check (refund_points = 0 or coalesce(refund_points between 0 and refund_amount, false)),
    shipping_refund         bigint      not null default 0 check (shipping_refund between 0 and order_shipping_paid),

    -- How many rows of history it has, which are counted here while the claim is locked.
    changes                 integer     not null default 0,
    requested_at            timestamptz not null,
    -- From the seller's clock, so that it never runs against the order of commits.
    updated_at              timestamptz not null,
    completed_at            timestamptz,
    payment_due_at          timestamptz,
    inspection_due_at       timestamptz,

    -- An operator's stop sign. The code is what a seller may read of it, the reason is the operator's own text.
    frozen_at               timestamptz,
    -- A freeze is registered until the orders service knows it, and so is its end; null: neither is.
    freeze_pending          text        check (freeze_pending in ('freeze', 'unfreeze')),
    frozen_by               text,
    frozen_code             text        check (frozen_code in ('dispute', 'fraud_check', 'payment_check', 'other')),
    frozen_reason           text,

    -- A return that took the place of an exchange names it, and the exchange names the return, already while its conversion is
    -- registered.
    replaces                text,
    replaced_by             text,

    primary key (seller_id, claim_id),
    constraint claims_claim_no unique (seller_id, claim_no),
    constraint claims_goods check (refund_amount - shipping_refund <= goods_amount),
    constraint claims_shortfall check (shortfall_paid in (0, shortfall_amount)
        and (shortfall_paid > 0) = (shortfall_payment is not null)),
    constraint claims_completed check ((completed_at is not null) = (status in ('completed', 'rejected', 'withdrawn',
        'expired', 'converted_to_return'))),
    constraint claims_frozen check (num_nulls(frozen_at, frozen_by, frozen_code, frozen_reason) in (0, 4)),
    constraint claims_freeze_pending check (freeze_pending is null or frozen_at is not null),
    constraint claims_payment_due check ((payment_due_at is not null) = (status = 'payment_pending')),
    constraint claims_inspection_due check ((inspection_due_at is not null) = (status = 'collected' and type = 'return')),
    -- Lists conclude from a bound on requested_at that updated_at has it too.
    constraint claims_updated check (updated_at >= requested_at)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- What the list walks, for each combination of type and status that can be asked for.
create index claims_by_change on claims (seller_id, updated_at desc, claim_id desc);
create index claims_by_type on claims (seller_id, type, updated_at desc, claim_id desc);
create index claims_by_status on claims (seller_id, status, updated_at desc, claim_id desc);
create index claims_by_type_status on claims (seller_id, type, status, updated_at desc, claim_id desc);
-- For narrow ranges of requested_at, which is not the order of the list.
create index claims_by_request on claims (seller_id, requested_at);
-- The other claims of one seller's part of an order: a refund depends on what they have undone.
create index claims_by_order on claims (seller_id, order_no);
-- One return at most takes the place of an exchange.
create unique index claims_replaces on claims (seller_id, replaces) where replaces is not null;
-- Without the seller: the sweeps of deadlines and the count of what is under way ask for the rows of all sellers. They are few, and
-- every node of a distributed database has its own short index of them.
create index claims_payment_due on claims (payment_due_at) where payment_due_at is not null;
create index claims_inspection_due on claims (inspection_due_at) where inspection_due_at is not null;
create index claims_open on claims (type, status) where completed_at is null;

-- The claimed quantities of lines, in the order of the request.
create table claim_items (
    seller_id            uuid    not null,
    claim_id             uuid    not null,
    seq                  integer not null,
    item_id              uuid    not null,
    -- The line that carries the claimed quantity since the claim finished.
    settled_item_id      uuid,
    item_code            text    not null,
    quantity             bigint  not null check (quantity > 0),
    product_name         text    not null,
    option_name          text    not null,
    -- What the customer wants instead, what it is listed at and costs. A price of null is that of the claimed line.
    exchange_option_name text,
    exchange_list_price  bigint  check (exchange_list_price > 0),
    exchange_unit_price  bigint  check (exchange_unit_price > 0),
    goods_amount         bigint  not null check (goods_amount >= 0),
    points_amount        bigint  not null default 0 check (points_amount between 0 and goods_amount),
    price_difference     bigint  not null,
    -- What the exchange that a return took the place of has given back of goods_amount, before its fee.
    already_refunded     bigint  not null default 0 check (already_refunded between 0 and goods_amount),
    primary key (seller_id, claim_id, seq),
    foreign key (seller_id, claim_id) references claims
);

-- What was done: at most one row for each action of a claim. A pending one is registered and waits for the order's side.
create table evidence (
    seller_id    uuid        not null,
    claim_id     uuid        not null,
    action       text        not null check (action in ('approve', 'reject', 'pickup', 'collect-done', 'inspect', 'reship',
                             'convert-to-return', 'withdraw', 'expire-payment', 'cancel-reshipment')),
    carrier_name text,
    tracking_no  text,
    result       text        check (result in ('pass', 'fail')),
    memo         text,
    actor        text        not null,
    actor_name   text        not null,
    -- Of an action through the public interface: the prefix of the key, and the request.
    key_prefix   text,
    request_id   text,
    done_at      timestamptz not null,
    pending      boolean     not null,
    -- Of a registration that nobody sees yet. Only that of a reshipment can be visible: when it has to wait.
    hidden       boolean     not null default false,
    primary key (seller_id, claim_id, action),
    foreign key (seller_id, claim_id) references claims
);
-- One thing at a time waits for the order's side.
create unique index evidence_pending on evidence (seller_id, claim_id) where pending;

-- Every change, in order; one row for each state that it entered.
create table history (
    seller_id   uuid        not null,
    claim_id    uuid        not null,
    -- Counted from 1, by claims.changes.
    seq         integer     not null,
    happened_at timestamptz not null,
    trigger     text        not null,
    -- Null: the claim began. The same as to_status: the state stayed.
    from_status text,
    to_status   text        not null,
    actor       text        not null,
    actor_name  text        not null,
    -- As in evidence.
    key_prefix  text,
    request_id  text,
    memo        text,
    primary key (seller_id, claim_id, seq),
    foreign key (seller_id, claim_id) references claims
);
comment on table history is 'append-only: what happened is not rewritten';

-- Money ---------------------------------------------------------------------------------------------------------------

-- Payments back to the customer, one of a kind for each claim.
create table refunds (
    seller_id          uuid        not null,
    claim_id           uuid        not null,
    kind               text        not null check (kind in ('refund', 'shortfall_return')),
    -- The provider's idempotency key, unique by refund_ids.
    refund_id          uuid        not null,
    -- In money, and beside it in points.
    amount             bigint      not null,
    points             bigint      not null default 0 check (points >= 0),
    status             text        not null check (status in ('queued', 'sent', 'awaiting_account', 'retrying', 'manual', 'succeeded')),
    -- How often the provider itself said no. A provider that cannot be reached has not failed.
    failures           integer     not null,
    -- When to ask the provider (again); null: nobody is to ask.
    next_at            timestamptz,
    -- Since when the provider owes an answer; null: none is awaited.
    unanswered_since   timestamptz,
    provider_reference text,
    created_at         timestamptz not null,
    succeeded_at       timestamptz,
    primary key (seller_id, claim_id, kind),
    foreign key (seller_id, claim_id) references claims,
    constraint refunds_amount check (amount >= 0 and amount + points > 0),
    constraint refunds_succeeded check ((status = 'succeeded') = (succeeded_at is not null))
);
-- Without the seller, as the sweeps and counts of claims.
create index refunds_due on refunds (next_at) where next_at is not null;
create index refunds_open on refunds (status) where status <> 'succeeded';

-- The statuses that a refund entered.
create table refund_steps (
    seller_id   uuid        not null,
    claim_id    uuid        not null,
    kind        text        not null,
    happened_at timestamptz not null,
    status      text        not null,
    primary key (seller_id, claim_id, kind, happened_at),
    foreign key (seller_id, claim_id, kind) references refunds
);
comment on table refund_steps is 'append-only: what happened is not rewritten';

-- Every movement of money or points. A movement is written once, whatever is repeated: that is its key. One payment can cover several
-- claims, each with an amount of its own.
create table ledger (
    seller_id uuid        not null,
    claim_id  uuid        not null,
    kind      text        not null check (kind in ('shortfall_payment', 'refund_payout', 'points_payout')),
    -- The payment's or the refund's id.
    reference text        not null,
    amount    bigint      not null check (amount > 0),
    moved_at  timestamptz not null,
    constraint ledger_once primary key (seller_id, claim_id, kind, reference),
    foreign key (seller_id, claim_id) references claims
);
comment on table ledger is 'append-only: a movement of money is corrected by another one';

-- What claims give back of a line, before fees, and what was paid for the line when the first of them opened.
create table line_refunds (
    seller_id uuid   not null,
    item_id   uuid   not null,
    paid      bigint not null,
    refunded  bigint not null default 0,
    primary key (seller_id, item_id),
    -- Whatever the rules say, of no line more goes back than was paid for it.
    constraint line_refunds_paid check (refunded between 0 and paid)
);

-- Work ----------------------------------------------------------------------------------------------------------------

-- Work outside of this schema that a change calls for, written in the change's transaction and deleted when it is done. A
-- sweep tries each row until it is gone.
create table steps (
    seller_id   uuid        not null,
    -- No reference: lines are held before their claim is there.
    claim_no    text        not null,
    name        text        not null check (name in ('open-lines', 'touch-order', 'touch-held', 'release-lines',
                            'seal-lines', 'add-exchange-line', 'ship-exchange-line', 'freeze-lines', 'finish-claim',
                            'pay-refunds', 'convert-lines')),
    -- Tells the changes of a claim apart that call for the same step; empty where there can be one only.
    ref         text        not null,
    -- Tells a step from one with the same key that was planned after it was done, and orders what was planned at once: ids are
    -- ordered by time.
    step_id     uuid        not null,
    -- What was asked for, where there is no claim yet.
    request     jsonb,
    -- Trace of the request whose change called for the step. Null: it was not traced.
    traceparent text,
    planned_at  timestamptz not null default clock_timestamp(),
    -- When it is to be tried (again).
    next_at     timestamptz not null default clock_timestamp(),
    primary key (seller_id, claim_no, name, ref),
    constraint steps_request check ((name = 'open-lines') = (request is not null))
) with (autovacuum_vacuum_scale_factor = 0.05);
-- Without the seller, as the sweeps of claims.
create index steps_due on steps (next_at);

-- Sellers -------------------------------------------------------------------------------------------------------------

-- What sellers charge for claims on orders in a currency. Without a row the fee is 3,000 in KRW and nothing in any other.
create table seller_policies (
    seller_id   uuid        not null,
    currency    text        not null check (currency ~ '^[A-Z]{3}$'),
    fee_one_way bigint      not null check (fee_one_way >= 0),
    updated_at  timestamptz not null,
    primary key (seller_id, currency)
);

-- The last updated_at that a seller was given.
create table seller_clock (
    seller_id uuid        primary key,
    last      timestamptz not null
);
-- Without the seller: which sellers have changed since a time is asked for all of them, on each node apart.
create index seller_clock_latest on seller_clock (last, seller_id);

-- How far ahead of the wall clock a seller's time is, in a test environment; see "Moved clocks" in package postgres. A live
-- environment has no row, and does not start with one.
create table seller_offsets (
    seller_id uuid     primary key,
    ahead     interval not null check (ahead between interval '0' and interval '10 years')
);

-- The record of first answers; the text is that of package inbox ------------------------------------------------------

-- The key of every request that was answered, or taken before anything was decided: a key whose request runs in steps belongs to
-- that content from the first of them. Of the digest of the key 8 bytes are kept: a seller with 100 million keys meets one of its
-- own by chance with one new key in 200 billion, and is refused that key; no other seller ever meets it. Of the digest of the
-- content there are 5: a key that is used for other content, which is a mistake already, is taken for a repetition once in a
-- trillion times. The columns leave no gap between them, so that a row and its entries in both indexes take 125 bytes at most.
--
-- Not partitioned by time: a key has to be the only one of its seller over all months, and a unique index of a partitioned table
-- reaches over one partition. On a distributed database each partition would be cut into shards besides.
create table inbox (
	seller_id uuid not null,
	digest bigint not null,
	-- Days of UTC since the first of the year 2020, which is day 18262 since 1970; enough until 2109.
	answered_day smallint not null default floor(extract(epoch from now()) / 86400) - 18262,
	fingerprint bytea not null check (octet_length(fingerprint) = 5),
	-- Null, which takes no room, once the request is decided.
	begun boolean check (begun),
	primary key (seller_id, digest)
);

-- Its answer, for as long as it may be replayed.
create table inbox_answers (
	seller_id uuid not null,
	digest bigint not null,
	answered_at timestamptz not null default now(),
	status smallint not null,
	body bytea not null,
	primary key (seller_id, digest)
);

-- Without the seller: what is past its time is looked for among all of them, on each node apart. The many keys of a day share
-- entries of the index, so that it takes 7 bytes for each.
create index inbox_answers_by_age on inbox_answers (answered_at);
create index inbox_by_age on inbox (answered_day);

-- Who may do what -----------------------------------------------------------------------------------------------------

-- The wall between sellers: a statement that forgets its seller finds nothing instead of everybody's rows. Who may see what is said
-- for each transaction, see "The wall between sellers" in package postgres; the directories are searched by those who see all
-- sellers. Forced, so that it also holds where a service owns its tables. A session that says nothing sees all: that of a
-- migration, of an operator. The setting is read once for a statement and not for each row, and what
-- compares it is opaque to the planner, so that the lists keep their indexes.
-- +goose StatementBegin
do $$
declare
    walled regclass;
begin
    for walled in
        select c.oid
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'seller_id'
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    loop
        execute format('create policy seller_wall on %s using '
            || '(coalesce(seller_id = (select nullif(current_setting(''app.seller'', true), '''')::uuid), true))', walled);
        execute format('alter table %s enable row level security, force row level security', walled);
    end loop;
end
$$;
-- +goose StatementEnd

-- Rows of a table whose comment begins with "append-only" are added and read. Default privileges may have given roles more than
-- that before this line; what is granted later is the business of postgres.RowRights.
-- +goose StatementBegin
do $$
declare
    kept regclass;
    grantee text;
begin
    for kept, grantee in
        select distinct c.oid::regclass, coalesce(nullif(a.grantee, 0)::regrole::text, 'public')
        from pg_class c, aclexplode(c.relacl) a
        where c.relnamespace = current_schema()::regnamespace
            and obj_description(c.oid, 'pg_class') like 'append-only%'
            and a.grantee <> c.relowner
    loop
        execute format('revoke update, delete, truncate on %s from %s', kept, grantee);
    end loop;
end
$$;
-- +goose StatementEnd
