-- The price of the option that an exchange is for, and a seller's charges in each currency. Both tables are locked for an instant.

-- +goose Up

-- Unit price of the replacement goods, which their line shows; null: that of the claimed line.
alter table claim_items add column exchange_unit_price bigint check (exchange_unit_price > 0);

-- What a seller charges for claims on orders in this currency. Without a row the fee is 3,000 in KRW and nothing in any other.
alter table seller_policies
    add column currency text not null default 'KRW' check (currency ~ '^[A-Z]{3}$'),
    drop constraint seller_policies_pkey,
    add primary key (seller_id, currency);
