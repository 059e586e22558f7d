-- Generated from proto/openapi/seller-open-api.yaml by go generate; do not edit.
-- The same in every language. Columns are named like the members of an order; times are texts that sort by time.
create table if not exists orders (
  order_no text primary key,
  order_status text not null,
  paid_at text not null,
  updated_at text not null,
  currency text not null,
  seller_items_amount integer not null,
  seller_discount_amount integer not null,
  seller_point_used_amount integer not null,
  seller_paid_amount integer not null,
  seller_shipping_fee_base integer not null,
  seller_shipping_fee_paid integer not null,
  orderer_name text,
  orderer_phone text,
  recipient_name text,
  recipient_phone text,
  zipcode text,
  address1 text,
  address2 text,
  ship_memo text,
  seller_order_status text not null
) strict;

create table if not exists order_items (
  item_id text primary key,
  order_no text not null references orders,
  item_code text not null,
  product_name text not null,
  option_name text not null,
  quantity integer not null,
  list_price integer not null,
  unit_price integer not null,
  line_amount integer not null,
  discount_amount integer not null,
  line_paid_amount integer not null,
  item_status text not null,
  is_exchange integer not null,
  has_active_claim integer not null,
  carrier_name text,
  tracking_no text,
  logistics_company text,
  shipped_at text,
  delivered_at text,
  confirmed_at text,
  auto_confirm_at text,
  origin_item_id text,
  split_from_claim_no text,
  exchange_claim_no text,
  ship_by text
) strict;

create index if not exists order_items_of_an_order on order_items (order_no);

-- How far collecting has come, as JSON.
create table if not exists sync_state (list text primary key, state text not null) strict;

-- Batches that were or are being sent and have no answer yet: the key under which the request goes out again.
create table if not exists outbox (idempotency_key text primary key, request text not null) strict;
