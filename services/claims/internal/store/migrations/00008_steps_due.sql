-- Steps say when they are to be tried (again), and which trace they belong to. Nothing beside them does.

-- +goose Up
alter table steps
    add column if not exists next_at timestamptz not null default clock_timestamp(),
    -- Of the request whose change called for the step. Null: it was not traced.
    add column if not exists traceparent text;
create index if not exists steps_due on steps (next_at);
drop index if exists steps_by_age;
