-- +goose NO TRANSACTION
-- A claim that is frozen keeps its exchange's line from being shipped. May be broken off and run again.

-- +goose Up
alter table claim_holds
    add column if not exists frozen            boolean not null default false,
    -- When the claim was frozen, or thawed, last; null: never.
    add column if not exists freeze_changed_at timestamptz;
alter table lines
    drop constraint if exists lines_exchange_gate_check,
    add constraint lines_exchange_gate_check check (exchange_gate in ('waiting', 'open', 'frozen', 'ended')) not valid;
alter table lines validate constraint lines_exchange_gate_check;
