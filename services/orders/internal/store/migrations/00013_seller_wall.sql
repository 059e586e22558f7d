-- +goose NO TRANSACTION
-- The wall between sellers: a statement that forgets its seller finds nothing instead of everybody's rows. Who may see what is said
-- for each transaction, see "The wall between sellers" in package postgres. May be broken off and run again.

-- +goose Up

-- The version before cannot place orders from here on, because it copies rows in, which does not go together with policies: its
-- PlaceOrders fails until this version has taken its place, and the marketplace repeats it.
--
-- Forced, so that it also holds where a service owns its tables. A session that says nothing sees all: that of a migration, of an
-- operator, and of the version before, which writes while this one is rolled out. The setting is read once for a statement and not
-- for each row, and what compares it is opaque to the planner, so that the lists keep their indexes. One table at a time, so that
-- nobody waits for more than a moment.
-- +goose StatementBegin
do $$
declare
    walled text;
begin
    foreach walled in array array['seller_orders', 'shipments', 'lines', 'status_changes', 'seller_clock', 'operator_acts',
        'inbox', 'inbox_answers'] loop
        if not exists (select from pg_policy p where p.polrelid = walled::regclass and p.polname = 'seller_wall') then
            execute format('create policy seller_wall on %I using ('
                || 'coalesce(seller_id = (select nullif(current_setting(''app.seller'', true), '''')::uuid), true))', walled);
            execute format('alter table %I enable row level security, force row level security', walled);
        end if;
        commit;
    end loop;
end
$$;
-- +goose StatementEnd

-- A hold that holds nothing has no seller, and is seen by those only who see all.
-- +goose StatementBegin
do $$
begin
    if not exists (select from pg_policy p where p.polrelid = 'claim_holds'::regclass and p.polname = 'seller_wall') then
        create policy seller_wall on claim_holds using (coalesce(
            seller_id = (select nullif(current_setting('app.seller', true), '')::uuid),
            (select nullif(current_setting('app.seller', true), '') is null)));
        alter table claim_holds enable row level security, force row level security;
    end if;
end
$$;
-- +goose StatementEnd
