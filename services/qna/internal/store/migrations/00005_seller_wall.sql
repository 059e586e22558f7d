-- +goose NO TRANSACTION
-- The wall between sellers: a statement that forgets its seller finds nothing instead of everybody's rows. Who may see what is said
-- for each transaction, see "The wall between sellers" in package postgres. May be broken off and run again.

-- +goose Up

-- Forced, so that it also holds where a service owns its tables. A session that says nothing sees all: that of a migration, of an
-- operator, and of the version before, which writes while this one is rolled out. The setting is read once for a statement and not
-- for each row, and what compares it is opaque to the planner, so that the lists keep their indexes. One table at a time, so that
-- nobody waits for more than a moment.
-- +goose StatementBegin
do $$
declare
    walled text;
begin
    foreach walled in array array['inquiries', 'seller_clock', 'inbox', 'inbox_answers'] loop
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
