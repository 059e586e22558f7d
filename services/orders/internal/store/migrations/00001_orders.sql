-- The schema of the orders service.
--
-- Nearly every table belongs to a seller: seller_id is the first column of its keys, references and indexes, and every statement
-- names it, so that all rows of a seller can live on one node of a distributed database, and no statement walks other sellers' rows.
-- Exceptions are the directories, which say whose something is and are distributed by what they are asked for, and the indexes of
-- what is due, which each node walks for itself.
--
-- Ids are UUIDs that the service makes in the order of time (version 7), so that new rows lie beside each other.

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

-- Directories: what is unique over all sellers.

-- The orders that were placed.
create table order_numbers (
    order_no text   primary key,
    order_id uuid   not null,
    -- All that have a part in the order. The first is its home: a change of the order locks the home's part before anything else.
    sellers  uuid[] not null check (cardinality(sellers) > 0),
    -- Digest of the order as it was placed: tells a repetition from another order with the same number.
    content  bytea  not null
);

-- The items of all orders, those included that were split off or sent in exchange.
create table item_ids (
    item_id uuid primary key
);

-- Orders of a member whose personal data was not forgotten yet.
create table member_orders (
    member_id text not null,
    order_no  text not null,
    primary key (member_id, order_no)
);

-- The withdrawals of the members who ever placed an order with personal data, and for each of these members a row without a withdrawal,
-- whose time is -infinity. A placement shares the latest row of each of its members until its end, so that a withdrawal, which adds a row
-- and then takes the earlier ones alone, waits for those placements that could not know of it, and for no other.
create table withdrawals (
    -- Keyed digest of the member's id.
    member       bytea       not null,
    withdrawn_at timestamptz not null,
    primary key (member, withdrawn_at)
);
comment on table withdrawals is 'on one node: a placement locks the rows of many members in one statement';

-- The key of the digests, made here and never changed: with another one no withdrawal is recognised. It is kept beside the rows that need
-- it, so that it can neither be lost nor be restored without them. A digest alone says nothing about a member; a copy of the whole
-- database, which has the ids of members in their orders, does.
create table member_key (
    key bytea primary key
);
comment on table member_key is 'append-only, on one node: with another key no withdrawal is recognised';
insert into member_key (key) values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Claims that hold items or held some. Without a seller and an order: the claim was released before it was opened, and never gets
-- a hold.
create table hold_numbers (
    claim_no  text primary key,
    seller_id uuid,
    order_no  text,
    check (num_nulls(seller_id, order_no) in (0, 2))
);

-- Acts of operators: the order that each was about, and the state that it led to.
create table act_ids (
    act_id    text primary key,
    order_id  uuid not null,
    to_status text not null
);

-- Tables of a seller.

-- What all sellers of an order share, once for each of them, and the amounts of the seller's part. Invisible to a seller until it is
-- paid.
create table orders (
    seller_id         uuid        not null,
    order_id          uuid        not null,
    order_no          text        not null,
    -- As in order_numbers.
    sellers           uuid[]      not null check (seller_id = any (sellers)),
    member_id         text        not null,
    currency          text        not null,
    payment           text        not null check (payment in ('pending', 'paid', 'failed', 'expired')),
    paid_at           timestamptz,
    -- Of the seller's part.
    point_used_amount bigint      not null,
    shipping_fee_base bigint      not null,
    shipping_fee_paid bigint      not null,
    -- Personal data. Null: none was given, or the member withdrew.
    orderer_name      text,
    orderer_phone     text,
    recipient_name    text,
    recipient_phone   text,
    zipcode           text,
    address1          text,
    address2          text,
    ship_memo         text,
    placed_at         timestamptz not null default clock_timestamp(),
    primary key (seller_id, order_id),
    constraint orders_paid check ((payment = 'paid') = (paid_at is not null))
);
-- Its condition holds for every row, and follows from those of statements that look for a number. Those that look for an id, for which
-- it is as good as the primary key while the table is empty, cannot use it.
create unique index orders_order_no on orders (seller_id, order_no) where order_no is not null;

-- What the lists filter and sort by: what changes with the items of an order. paid_at, updated_at and order_status are null
-- until the order is paid, and every index of lists leaves such rows out. Statuses and states are small numbers, because each stands in
-- the row and in the entries of indexes; codes.go has what they mean.
create table seller_orders (
    seller_id    uuid        not null,
    order_id     uuid        not null,
    paid_at      timestamptz,
    -- From the seller's clock, so that it never runs against the order of commits.
    updated_at   timestamptz,
    -- Over the items of all sellers.
    order_status smallint,
    -- The states that this seller's items are in, a bit for each; 0 until the order is paid.
    line_states  smallint    not null default 0,
    -- By when the first of this seller's items that are still to be shipped should be; null: none has such a time, or the order is
    -- not paid.
    ship_by      timestamptz,
    foreign key (seller_id, order_id) references orders,
    constraint seller_orders_ship_by check (ship_by is null or line_states & 3 <> 0),
    constraint seller_orders_visible check (num_nulls(paid_at, updated_at, order_status) in (0, 3)),
    -- Lists conclude from a bound on paid_at that updated_at has it too, but for a minute that the clock of the payment
    -- system may be ahead of ours.
    constraint seller_orders_updated check (updated_at >= paid_at - interval '1 minute')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on column seller_orders.order_status is
    '1 paid, 2 preparing, 3 shipping, 4 delivered, 5 confirmed, 6 partially_claimed, 7 canceled';
comment on column seller_orders.line_states is
    '1 paid, 2 preparing, 4 shipping, 8 delivered, 16 confirmed, 32 canceled, 64 returned, 128 exchanged';

-- The list, read from its end, which is the newest change. New entries come at the end, where PostgreSQL fills pages; in an index that
-- begins with the newest it leaves them half empty. The indexes of lists have every column of a filter, which is so evaluated within
-- them; only those that have every order lack ship_by, which few orders have.
create index seller_orders_latest on seller_orders (seller_id, updated_at, order_id) include (paid_at, order_status, line_states)
    where paid_at is not null;
-- The same, of the few orders that someone still works on.
create index seller_orders_open on seller_orders (seller_id, updated_at, order_id)
    include (paid_at, order_status, line_states, ship_by)
    where order_status < 5 or line_states & 15 <> 0;
-- Payments.
create index seller_orders_paid on seller_orders (seller_id, paid_at, order_id) include (updated_at, order_status, line_states)
    where paid_at is not null;

-- What is to be shipped by a time.
create index seller_orders_ship_by on seller_orders (seller_id, ship_by, order_id)
    include (updated_at, paid_at, order_status, line_states) where ship_by is not null;

-- The youngest, so that it is what looks one order up: order_id stands in the others too, and while the table is empty they are as good.
alter table seller_orders add primary key (seller_id, order_id);

-- Parcels, each with the items that were put into it. A corrected shipment is another parcel.
create table shipments (
    seller_id         uuid        not null,
    order_id          uuid        not null,
    shipment_id       uuid        not null,
    carrier_name      text        not null,
    tracking_no       text        not null,
    logistics_company text,
    item_ids          uuid[]      not null default '{}',
    put_at            timestamptz not null default clock_timestamp(),
    -- Who did it: the kind of the actor, the key of a seller, the public request.
    changed_by        text        not null default 'system' check (changed_by in ('seller', 'customer', 'operator', 'system', 'claim')),
    key_id            text,
    key_prefix        text,
    request_id        text,
    primary key (seller_id, order_id, shipment_id),
    foreign key (seller_id, order_id) references orders
);
comment on table shipments is 'append-only: a corrected shipment is another parcel';

-- The items of an order. The constraints are what the public interface says of the fields in each state.
create table lines (
    seller_id           uuid    not null,
    order_id            uuid    not null,
    -- NN of the item code, which counts over all sellers of the order.
    seq                 integer not null check (seq > 0),
    item_id             uuid    not null,
    product_id          text    not null,
    product_name        text    not null,
    option_name         text    not null,
    quantity            bigint  not null check (quantity > 0),
    list_price          bigint  not null,
    unit_price          bigint  not null,
    line_amount         bigint  not null,
    discount_amount     bigint  not null,
    line_paid_amount    bigint  not null,
    -- The part of it that was paid with points. Never shown to sellers.
    points_amount       bigint  not null default 0,
    item_status         text    not null check (item_status in ('pending', 'paid', 'preparing', 'shipping', 'delivered',
                                'confirmed', 'canceled', 'returned', 'exchanged', 'failed', 'expired')),
    is_exchange         boolean not null default false,
    has_active_claim    boolean not null default false,
    -- The claim that holds the line.
    claim_no            text,
    -- How far the exchange has come that created the line. It is open when the line is there; "waiting" bars it.
    exchange_gate       text    check (exchange_gate in ('waiting', 'open', 'frozen', 'ended')),
    shipment_id         uuid,
    shipped_at          timestamptz,
    delivered_at        timestamptz,
    confirmed_at        timestamptz,
    -- When the purchase is confirmed by itself.
    auto_confirm_at     timestamptz,
    -- By when the line should be shipped, as the marketplace says. Kept when it is shipped.
    ship_by             timestamptz,
    -- The line that a partial claim split this one off from, or that this one stands in for after an exchange; and the claim.
    origin_item_id      uuid,
    split_from_claim_no text,
    exchange_claim_no   text,
    primary key (seller_id, order_id, seq),
    foreign key (seller_id, order_id) references orders,
    foreign key (seller_id, order_id, shipment_id) references shipments,
    constraint lines_points check (points_amount between 0 and line_paid_amount),
    constraint lines_claim check (has_active_claim = (claim_no is not null) and not (has_active_claim and item_status = 'confirmed')),
    constraint lines_gate check (is_exchange = (exchange_gate is not null)),
    constraint lines_parcel check (
        (item_status in ('shipping', 'delivered', 'confirmed', 'returned', 'exchanged')) = (shipment_id is not null)
        and (shipment_id is not null) = (shipped_at is not null)),
    constraint lines_delivered check (
        (item_status in ('delivered', 'confirmed', 'returned', 'exchanged')) = (delivered_at is not null)),
    constraint lines_confirmed check ((item_status = 'confirmed') = (confirmed_at is not null)),
    constraint lines_deadline check (
        (item_status = 'delivered' and not has_active_claim) = (auto_confirm_at is not null)),
    constraint lines_split check (
        (split_from_claim_no is null and exchange_claim_no is null) = (origin_item_id is null)
        and (exchange_claim_no is null or is_exchange))
) with (fillfactor = 80); -- a line changes its state a few times; with room on its page that needs no new index entries

-- What the sweep of purchases to be confirmed walks, on each node.
create index lines_due on lines (auto_confirm_at) where auto_confirm_at is not null;

-- Which items of a paid order entered a state, and when; items that enter a state at one instant share a row. The primary key finds the
-- changes to a state in a range of time, the other index those of an order.
create table status_changes (
    seller_id  uuid        not null,
    order_id   uuid        not null,
    changed_at timestamptz not null,
    to_status  text        not null,
    item_ids   uuid[]      not null check (cardinality(item_ids) > 0),
    -- Who did it: the kind of the actor, the key of a seller, the public request.
    changed_by text        not null default 'system' check (changed_by in ('seller', 'customer', 'operator', 'system', 'claim')),
    key_id     text,
    key_prefix text,
    request_id text,
    primary key (seller_id, to_status, changed_at, order_id)
);
create index status_changes_of_order on status_changes (seller_id, order_id);
comment on table status_changes is 'append-only: what happened stays';

-- What sellers may do beyond what every seller may. Without a row: nothing of it.
create table seller_policies (
    seller_id           uuid        primary key,
    -- Whether parcels on their way may be corrected.
    shipment_correction boolean     not null,
    updated_at          timestamptz not null
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

-- What a claim holds or held of an order.
create table claim_holds (
    seller_id            uuid        not null,
    claim_no             text        not null,
    order_id             uuid        not null,
    claim_type           text        not null check (claim_type in ('cancel', 'return', 'exchange')),
    hold_state           text        not null check (hold_state in ('active', 'released', 'settled', 'converted')),
    -- The return that the lines were handed over to.
    return_claim_no      text,
    -- The claim's refund or exchange is decided: its lines are not corrected any more.
    sealed               boolean     not null default false,
    -- Reshipments that were taken back before they shipped, and the one that shipped.
    canceled_reshipments text[]      not null default '{}',
    shipped_reshipment   text,
    frozen               boolean     not null default false,
    -- When the claim was frozen, or thawed, last; null: never.
    freeze_changed_at    timestamptz,
    -- What the claim was answered when it was opened.
    facts                bytea,
    opened_at            timestamptz not null default clock_timestamp(),
    ended_at             timestamptz,
    primary key (seller_id, claim_no),
    foreign key (seller_id, order_id) references orders,
    constraint claim_holds_ended check ((hold_state = 'active') = (ended_at is null)),
    constraint claim_holds_converted check ((hold_state = 'converted') = (return_claim_no is not null))
);
-- Partial, so that no statement about one claim is planned with it.
create index claim_holds_of_order on claim_holds (seller_id, order_id) where order_id is not null;

create table claim_hold_items (
    seller_id        uuid     not null,
    claim_no         text     not null,
    position         smallint not null,
    item_id          uuid     not null,
    quantity         bigint   not null check (quantity > 0),
    -- The line that carries the quantity since the claim completed.
    settled_item_id  uuid,
    -- The line that replaces it.
    exchange_item_id uuid,
    primary key (seller_id, claim_no, position),
    foreign key (seller_id, claim_no) references claim_holds
);

-- Changes of a claim that moved the order and none of its lines.
create table claim_touches (
    seller_id  uuid        not null,
    claim_no   text        not null,
    step       text        not null,
    touched_at timestamptz not null default clock_timestamp(),
    primary key (seller_id, claim_no, step),
    foreign key (seller_id, claim_no) references claim_holds
);
comment on table claim_touches is 'append-only: what happened stays';

-- What operators did to lines, and why.
create table operator_acts (
    seller_id        uuid        not null,
    act_id           text        not null,
    item_id          uuid        not null,
    order_id         uuid        not null,
    operator         text        not null,
    reason           text        not null,
    from_status      text        not null,
    to_status        text        not null,
    -- The parcels before and after.
    from_shipment_id uuid,
    to_shipment_id   uuid,
    acted_at         timestamptz not null,
    primary key (seller_id, act_id, item_id),
    foreign key (seller_id, order_id, from_shipment_id) references shipments,
    foreign key (seller_id, order_id, to_shipment_id) references shipments
);
comment on table operator_acts is 'append-only: what was done stays';

-- The record of first answers; the text is that of package inbox.

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

-- The wall between sellers: a statement that forgets its seller finds nothing instead of the rows of all. Which rows a transaction
-- may see it says itself, see "The wall between sellers" in package postgres; a session that says nothing, such as that of an
-- operator, sees all. Forced, so that it also holds where a service owns its tables. The setting is read once for a statement and
-- not for each row, and what compares it is opaque to the planner, so that the lists keep their indexes.
-- +goose StatementBegin
do $$
declare
    walled text;
begin
    foreach walled in array array['orders', 'seller_orders', 'shipments', 'lines', 'status_changes', 'seller_policies',
        'seller_clock', 'seller_offsets', 'claim_holds', 'claim_hold_items', 'claim_touches', 'operator_acts', 'inbox',
        'inbox_answers'] loop
        execute format('create policy seller_wall on %I using ('
            || 'coalesce(seller_id = (select nullif(current_setting(''app.seller'', true), '''')::uuid), true))', walled);
        execute format('alter table %I enable row level security, force row level security', walled);
    end loop;
end
$$;
-- +goose StatementEnd

-- A claim that never held anything has no seller, and is seen by those only who see all.
create policy seller_wall on hold_numbers using (coalesce(
    seller_id = (select nullif(current_setting('app.seller', true), '')::uuid),
    (select nullif(current_setting('app.seller', true), '') is null)));
alter table hold_numbers enable row level security, force row level security;

-- Nobody but the owner, who migrates, may change or remove rows of append-only tables, whatever rights tables get by default.
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
