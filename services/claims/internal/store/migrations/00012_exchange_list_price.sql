-- What the option that a customer wants is listed at.

-- +goose Up

-- Null: as the claimed line.
alter table claim_items add column if not exists exchange_list_price bigint check (exchange_list_price > 0);
