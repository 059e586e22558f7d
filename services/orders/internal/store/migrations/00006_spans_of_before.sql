-- +goose NO TRANSACTION
-- Orders that were there before get their spans, and lists the indexes that hold them, while the version before serves. Nobody
-- waits for more than the few orders of a batch. May be broken off at any point and run again.

-- +goose Up

-- A batch takes what nobody else holds, so that it never waits with locks in its hands.
-- +goose StatementBegin
do $$
declare
    found record;
    after_seller uuid;
    after_order bigint;
    taken integer;
begin
    for pass in 1..1000 loop
        after_seller := '00000000-0000-0000-0000-000000000000';
        after_order := 0;
        loop
            taken := 0;
            for found in
                select so.seller_id, so.order_id
                from seller_orders so
                where (so.seller_id, so.order_id) > (after_seller, after_order) and so.paid_at is not null and so.first_paid is null
                order by so.seller_id, so.order_id
                limit 500
                for no key update skip locked
            loop
                perform note_spans(found.seller_id, found.order_id);
                after_seller := found.seller_id;
                after_order := found.order_id;
                taken := taken + 1;
            end loop;
            commit;
            exit when taken = 0;
        end loop;
        if not exists (select from seller_orders so where so.paid_at is not null and so.first_paid is null) then
            return;
        end if;
        perform pg_sleep(0.1); -- someone is changing the rest
    end loop;
    raise exception 'paid orders without a change to paid, or never free';
end
$$;
-- +goose StatementEnd

-- What a run that was broken off has left behind.
-- +goose StatementBegin
do $$
declare
    half name;
begin
    for half in
        select c.relname
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = 'seller_orders'::regclass and not i.indisvalid
    loop
        execute format('drop index %I', half);
    end loop;
end
$$;
-- +goose StatementEnd

-- These wait until those have ended who were there first, and keep nobody waiting meanwhile.
set lock_timeout = 0;
create index concurrently if not exists seller_orders_latest on seller_orders (seller_id, updated_at desc, order_id desc, paid_at,
        first_paid, last_paid, first_preparing, last_preparing, first_shipping, last_shipping, first_delivered, last_delivered)
    where paid_at is not null;
drop index concurrently if exists seller_orders_recent;
create index concurrently if not exists seller_orders_ended_confirmed on seller_orders
    (seller_id, updated_at desc, order_id desc, paid_at, first_ended, last_ended)
    where paid_at is not null and line_states @> '{confirmed}';
drop index concurrently if exists seller_orders_with_confirmed;
create index concurrently if not exists seller_orders_ended_canceled on seller_orders
    (seller_id, updated_at desc, order_id desc, paid_at, first_ended, last_ended)
    where paid_at is not null and line_states @> '{canceled}';
drop index concurrently if exists seller_orders_with_canceled;
create index concurrently if not exists seller_orders_ended_returned on seller_orders
    (seller_id, updated_at desc, order_id desc, paid_at, first_ended, last_ended)
    where paid_at is not null and line_states @> '{returned}';
drop index concurrently if exists seller_orders_with_returned;
create index concurrently if not exists seller_orders_ended_exchanged on seller_orders
    (seller_id, updated_at desc, order_id desc, paid_at, first_ended, last_ended)
    where paid_at is not null and line_states @> '{exchanged}';
drop index concurrently if exists seller_orders_with_exchanged;
reset lock_timeout;
