-- What processing needs: deadlines, the holds of claims, operators' acts. The columns that decisions look at are on the lines.

-- +goose Up

alter table lines
    -- The claim that holds the line.
    add column claim_no        text,
    -- How far the exchange has come that created the line.
    add column exchange_gate   text check (exchange_gate in ('waiting', 'open', 'ended')),
    -- When the purchase is confirmed by itself.
    add column auto_confirm_at timestamptz;

-- Lines that were delivered before there were deadlines get the one of the default settings.
update lines set auto_confirm_at = delivered_at + interval '8 days' where item_status = 'delivered';

-- +goose StatementBegin
do $$
begin
    if exists (select from lines where (item_status = 'delivered') <> (auto_confirm_at is not null)) then
        raise exception 'delivered lines without a deadline, or deadlines of other lines';
    end if;
end
$$;
-- +goose StatementEnd

-- What the public interface says of the fields of a line, no matter who writes it.
alter table lines
    add constraint lines_claim check (has_active_claim = (claim_no is not null) and not (has_active_claim and item_status = 'confirmed')),
    add constraint lines_gate check (is_exchange = (exchange_gate is not null)),
    add constraint lines_parcel check (
        (item_status in ('shipping', 'delivered', 'confirmed', 'returned', 'exchanged')) = (shipment_id is not null)
        and (shipment_id is not null) = (shipped_at is not null)),
    add constraint lines_delivered check (
        (item_status in ('delivered', 'confirmed', 'returned', 'exchanged')) = (delivered_at is not null)),
    add constraint lines_confirmed check ((item_status = 'confirmed') = (confirmed_at is not null)),
    add constraint lines_deadline check (
        (item_status = 'delivered' and not has_active_claim) = (auto_confirm_at is not null)),
    add constraint lines_split check (num_nulls(origin_item_id, split_from_claim_no) in (0, 2));

-- A line changes its state a few times; with room on its page that needs no new index entries.
alter table lines set (fillfactor = 80);

-- What the sweep of purchases to be confirmed walks.
create index lines_due on lines (auto_confirm_at) where auto_confirm_at is not null;

-- A member's orders, to forget the personal data in them.
create index orders_of_member on orders (member_id);

-- What a claim holds or held. A claim that ended before it was opened has a row without an order: it never gets a hold.
create table claim_holds (
    claim_no        text        primary key,
    order_id        bigint      references orders,
    seller_id       uuid,
    claim_type      text        check (claim_type in ('cancel', 'return', 'exchange')),
    hold_state      text        not null check (hold_state in ('active', 'released', 'settled', 'converted')),
    -- The return that the lines were handed over to.
    return_claim_no text,
    -- What the claim was answered when it was opened.
    facts           bytea,
    opened_at       timestamptz not null default clock_timestamp(),
    ended_at        timestamptz,
    constraint claim_holds_order check (num_nulls(order_id, seller_id, claim_type) in (0, 3)),
    constraint claim_holds_ended check ((hold_state = 'active') = (ended_at is null)),
    constraint claim_holds_converted check ((hold_state = 'converted') = (return_claim_no is not null)),
    constraint claim_holds_absent check (order_id is not null or hold_state = 'released')
);

create table claim_hold_items (
    claim_no         text     not null references claim_holds,
    position         smallint not null,
    item_id          uuid     not null,
    quantity         bigint   not null check (quantity > 0),
    -- The line that carries the quantity since the claim completed.
    settled_item_id  uuid,
    -- The line that replaces it.
    exchange_item_id uuid,
    primary key (claim_no, position)
);

-- Changes of a claim that moved the order and none of its lines. Append-only.
create table claim_touches (
    claim_no   text        not null references claim_holds,
    step       text        not null,
    touched_at timestamptz not null default clock_timestamp(),
    primary key (claim_no, step)
);

-- What operators did to lines, and why. Append-only.
create table operator_acts (
    act_id      text        not null,
    item_id     uuid        not null,
    order_id    bigint      not null references orders,
    seller_id   uuid        not null,
    operator    text        not null,
    reason      text        not null,
    from_status text        not null,
    to_status   text        not null,
    -- The parcels before and after.
    from_shipment_id bigint references shipments,
    to_shipment_id   bigint references shipments,
    acted_at    timestamptz not null,
    primary key (act_id, item_id)
);
