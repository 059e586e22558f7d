-- A record as the server told it, by its identifier; columns repeat what is often asked for. Times are texts that sort by time.
create table if not exists records (
  list text not null,
  id text not null,
  status text not null,
  updated_at text not null,
  record text not null,
  primary key (list, id)
) strict;

-- How far collecting has come, as JSON.
create table if not exists sync_state (list text primary key, state text not null) strict;

drop view if exists orders;
create view orders as
select id as order_no, status as seller_order_status, updated_at, record ->> 'paid_at' as paid_at,
  record ->> 'recipient_name' as recipient_name, record ->> 'seller_paid_amount' as seller_paid_amount, record
from records where list = 'orders';

drop view if exists order_items;
create view order_items as
select item.value ->> 'item_id' as item_id, records.id as order_no, item.value ->> 'item_status' as item_status,
  item.value ->> 'product_name' as product_name, item.value ->> 'option_name' as option_name, item.value ->> 'quantity' as quantity,
  item.value ->> 'line_paid_amount' as line_paid_amount, item.value ->> 'carrier_name' as carrier_name,
  item.value ->> 'tracking_no' as tracking_no, item.value ->> 'is_exchange' as is_exchange,
  item.value ->> 'has_active_claim' as has_active_claim, item.value ->> 'ship_by' as ship_by, item.value as record
from records, json_each(record, '$.items') as item where list = 'orders';

drop view if exists claims;
create view claims as
select id as claim_no, record ->> 'order_no' as order_no, record ->> 'type' as type, status, updated_at,
  record ->> 'refund_amount' as refund_amount, record
from records where list = 'claims';

drop view if exists inquiries;
create view inquiries as
select id as qna_id, status, updated_at, record ->> 'product_name' as product_name, record ->> 'body' as body, record
from records where list = 'inquiries';
