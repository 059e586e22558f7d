-- The price of the option that an exchange is for, and a seller's charges in each currency. Both tables are locked for an instant.
-- One command a statement, and names for the constraints: a distributed database takes no others.

-- +goose Up

-- Unit price of the replacement goods, which their line shows; null: that of the claimed line.
alter table claim_items add column exchange_unit_price bigint;
alter table claim_items add constraint claim_items_unit_price check (exchange_unit_price > 0);

-- What a seller charges for claims on orders in this currency. Without a row the fee is 3,000 in KRW and nothing in any other.
alter table seller_policies add column currency text not null default 'KRW';
alter table seller_policies add constraint seller_policies_currency check (currency ~ '^[A-Z]{3}$');
alter table seller_policies drop constraint seller_policies_pkey;
alter table seller_policies add constraint seller_policies_pkey primary key (seller_id, currency);
