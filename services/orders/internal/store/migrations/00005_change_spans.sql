-- Between which times the items of a seller's part of an order entered each state, on the row that lists walk: a list of what
-- changed in a range of time passes over nearly everything else within its index. This takes a moment; what takes long, and
-- locks nobody out, is the next migration.

-- +goose Up

alter table seller_orders
    add column first_paid      timestamptz,
    add column last_paid       timestamptz,
    add column first_preparing timestamptz,
    add column last_preparing  timestamptz,
    add column first_shipping  timestamptz,
    add column last_shipping   timestamptz,
    add column first_delivered timestamptz,
    add column last_delivered  timestamptz,
    -- Of all the states that are never left.
    add column first_ended     timestamptz,
    add column last_ended      timestamptz;

-- +goose StatementBegin
create function note_spans(of_seller uuid, of_order bigint) returns void language plpgsql as $$
begin
    update seller_orders so
    set first_paid = s.first_paid, last_paid = s.last_paid, first_preparing = s.first_preparing, last_preparing = s.last_preparing,
        first_shipping = s.first_shipping, last_shipping = s.last_shipping, first_delivered = s.first_delivered,
        last_delivered = s.last_delivered, first_ended = s.first_ended, last_ended = s.last_ended
    from (
        select min(c.changed_at) filter (where c.to_status = 'paid') as first_paid, max(c.changed_at) filter (where c.to_status = 'paid') as last_paid,
            min(c.changed_at) filter (where c.to_status = 'preparing') as first_preparing, max(c.changed_at) filter (where c.to_status = 'preparing') as last_preparing,
            min(c.changed_at) filter (where c.to_status = 'shipping') as first_shipping, max(c.changed_at) filter (where c.to_status = 'shipping') as last_shipping,
            min(c.changed_at) filter (where c.to_status = 'delivered') as first_delivered, max(c.changed_at) filter (where c.to_status = 'delivered') as last_delivered,
            min(c.changed_at) filter (where c.to_status in ('confirmed', 'canceled', 'returned', 'exchanged')) as first_ended,
            max(c.changed_at) filter (where c.to_status in ('confirmed', 'canceled', 'returned', 'exchanged')) as last_ended
        from status_changes c
        where c.seller_id = of_seller and c.order_id = of_order
    ) s
    where so.seller_id = of_seller and so.order_id = of_order and (
            so.first_paid, so.last_paid, so.first_preparing, so.last_preparing,
            so.first_shipping, so.last_shipping, so.first_delivered, so.last_delivered,
            so.first_ended, so.last_ended
        ) is distinct from (
            s.first_paid, s.last_paid, s.first_preparing, s.last_preparing,
            s.first_shipping, s.last_shipping, s.first_delivered, s.last_delivered,
            s.first_ended, s.last_ended
        );
end
$$;
-- +goose StatementEnd

-- The version before knows nothing of these columns, and writes while this one is rolled out or after it was rolled back. Its
-- history is written before the row, so what it leaves out is made up for here. The writer of the spans pays for a comparison.
-- +goose StatementBegin
create function note_spans_of_row() returns trigger language plpgsql as $$
begin
    perform note_spans(new.seller_id, new.order_id);
    return null;
end
$$;
-- +goose StatementEnd
create trigger seller_orders_placed after insert on seller_orders
    for each row when (new.paid_at is not null and new.first_paid is null)
    execute function note_spans_of_row();
create trigger seller_orders_changed after update on seller_orders
    for each row when (new.updated_at is distinct from old.updated_at and (
        new.first_paid, new.last_paid, new.first_preparing, new.last_preparing,
        new.first_shipping, new.last_shipping, new.first_delivered, new.last_delivered,
        new.first_ended, new.last_ended
    ) is not distinct from (
        old.first_paid, old.last_paid, old.first_preparing, old.last_preparing,
        old.first_shipping, old.last_shipping, old.first_delivered, old.last_delivered,
        old.first_ended, old.last_ended
    ))
    execute function note_spans_of_row();

-- An empty table gets its indexes at once. The general one stands in for seller_orders_recent, and those of the states that are
-- never left are named for it and hold when they were entered. All others are made anew: of two indexes that serve a list equally
-- well while the tables are small, PostgreSQL takes the younger one, and that must never be the general one.
-- +goose StatementBegin
do $$
declare
    old record;
    state text;
begin
    if exists (select from seller_orders) then
        return;
    end if;
    drop index seller_orders_recent;
    create index seller_orders_latest on seller_orders (seller_id, updated_at desc, order_id desc, paid_at,
            first_paid, last_paid, first_preparing, last_preparing, first_shipping, last_shipping, first_delivered, last_delivered)
        where paid_at is not null;
    for old in
        select c.relname as name, pg_get_indexdef(c.oid) as text
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = 'seller_orders'::regclass and not i.indisprimary and c.relname <> 'seller_orders_latest'
        order by c.oid
    loop
        execute format('drop index %I', old.name);
        foreach state in array array['confirmed', 'canceled', 'returned', 'exchanged'] loop
            if old.name = 'seller_orders_with_' || state then
                old.text := replace(replace(old.text, old.name, 'seller_orders_ended_' || state),
                    ', paid_at)', ', paid_at, first_ended, last_ended)');
            end if;
        end loop;
        execute old.text;
    end loop;
end
$$;
-- +goose StatementEnd
