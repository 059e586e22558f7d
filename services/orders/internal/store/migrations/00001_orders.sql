-- Orders as they were taken in, what each seller has of them, their parcels, and when their items changed state.

-- +goose Up

-- What all sellers of an order share. Invisible to every seller until it is paid.
create table orders (
    id              bigint generated always as identity primary key,
    order_no        text        not null constraint orders_order_no unique,
    member_id       text        not null,
    currency        text        not null,
    payment         text        not null check (payment in ('pending', 'paid', 'failed', 'expired')),
    paid_at         timestamptz,
    -- Digest of the order as it was placed: tells a repetition from another order with the same number.
    content         bytea       not null,
    -- Personal data. Null: none was given, or the member withdrew.
    orderer_name    text,
    orderer_phone   text,
    recipient_name  text,
    recipient_phone text,
    zipcode         text,
    address1        text,
    address2        text,
    ship_memo       text,
    placed_at       timestamptz not null default clock_timestamp(),
    constraint orders_paid check ((payment = 'paid') = (paid_at is not null))
);

-- One row for each seller of an order: what the lists walk. The four nullable columns are null until the order is paid,
-- and every index that a list uses leaves such rows out.
create table seller_orders (
    seller_id           uuid        not null,
    order_id            bigint      not null references orders,
    paid_at             timestamptz,
    -- The week of the payment, counted in weeks of UTC days since 1970.
    paid_week           integer generated always as (((paid_at at time zone 'UTC')::date - date '1970-01-01') / 7) stored,
    -- From the seller's clock, so that it never runs against the order of commits.
    updated_at          timestamptz,
    -- Over the items of all sellers, and over this seller's.
    order_status        text,
    seller_order_status text,
    -- The states that this seller's items are in, each once.
    line_states         text[]      not null default '{}',
    point_used_amount   bigint      not null,
    shipping_fee_base   bigint      not null,
    shipping_fee_paid   bigint      not null,
    primary key (seller_id, order_id),
    constraint seller_orders_visible check (num_nulls(paid_at, updated_at, order_status, seller_order_status) in (0, 4)),
    -- Lists conclude from a bound on paid_at that updated_at has it too, but for a minute that the clock of the payment
    -- system may be ahead of ours.
    constraint seller_orders_updated check (updated_at >= paid_at - interval '1 minute')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Parcels. Never changed: a corrected shipment is another parcel.
create table shipments (
    id                bigint generated always as identity primary key,
    order_id          bigint not null references orders,
    seller_id         uuid   not null,
    carrier_name      text   not null,
    tracking_no       text   not null,
    logistics_company text
);

create table lines (
    order_id             bigint  not null references orders,
    -- NN of the item code.
    seq                  integer not null check (seq > 0),
    item_id              uuid    not null constraint lines_item_id unique,
    seller_id            uuid    not null,
    product_id           text    not null,
    product_name         text    not null,
    option_name          text    not null,
    quantity             bigint  not null check (quantity > 0),
    list_price           bigint  not null,
    unit_price           bigint  not null,
    line_amount          bigint  not null,
    discount_amount      bigint  not null,
    line_paid_amount     bigint  not null,
    item_status          text    not null check (item_status in ('pending', 'paid', 'preparing', 'shipping', 'delivered',
                                 'confirmed', 'canceled', 'returned', 'exchanged', 'failed', 'expired')),
    is_exchange          boolean not null default false,
    has_active_claim     boolean not null default false,
    shipment_id          bigint  references shipments,
    shipped_at           timestamptz,
    delivered_at         timestamptz,
    confirmed_at         timestamptz,
    -- Set on the line that a partial claim split off.
    origin_item_id       uuid,
    split_from_claim_no  text,
    primary key (order_id, seq)
);

-- Which items of a paid order entered a state, and when. Append-only; items that enter a state at one instant share a row.
-- The primary key answers whether an order has such a change in a range of time, the other index finds the orders that do. Its
-- condition holds for every row; only statements that repeat it can use the index, and those that ask about one order must not:
-- while the table is small both indexes look the same, and the plan that is made then is kept.
create table status_changes (
    seller_id  uuid        not null,
    order_id   bigint      not null,
    to_status  text        not null,
    changed_at timestamptz not null,
    item_ids   uuid[]      not null check (cardinality(item_ids) > 0),
    primary key (seller_id, order_id, to_status, changed_at)
);
create index status_changes_by_time on status_changes (seller_id, to_status, changed_at, order_id) where cardinality(item_ids) > 0;

-- The last updated_at that a seller was given.
create table seller_clock (
    seller_id uuid        primary key,
    last      timestamptz not null
);
