-- Fills a schema with $1 orders of seller $2 and a tenth as many of a hundred others, one line each, spread evenly over the
-- $4 days before $3. An order is prepared a day after its payment, shipped on the next two days, delivered between days 3 and 7, and
-- confirmed 8 days later, one in four within two days; one in 20 was canceled after an hour instead, one in 1,000 returned 5 days after
-- its delivery. Nothing happens after $3. Every other order is to be shipped within two days.
create temporary table story as
select i as nth, ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid as id, md5(i::text)::uuid as item, case when i % 11 = 0 then md5((i % 100)::text)::uuid else $2::uuid end as seller, paid_at,
  case when canceled and paid_at + interval '1 hour' <= $3 then paid_at + interval '1 hour' end as canceled_at,
  case when not canceled and paid_at + interval '1 day' <= $3 then paid_at + interval '1 day' end as prepared_at,
  case when not canceled and shipping_at <= $3 then shipping_at end as shipped_at,
  case when not canceled and delivery_at <= $3 then delivery_at end as delivered_at,
  case when returned and delivery_at + interval '5 days' <= $3 then delivery_at + interval '5 days' end as returned_at,
  case when not canceled and not returned and delivery_at + patience <= $3 then delivery_at + patience end as confirmed_at,
  delivery_at + interval '8 days' as deadline, case when i % 2 = 0 then paid_at + interval '2 days' end as ship_by
from generate_series(1, $1::int * 11 / 10) i
cross join lateral (
  select $3::timestamptz - (i * ($4::int * interval '1 day' / ($1::int * 1.1)))::interval as paid_at,
    i % 20 = 7 as canceled, i % 20 <> 7 and i % 1000 = 3 as returned,
    case when i % 4 = 1 then i * 31::bigint % 48 * interval '1 hour' else interval '8 days' end as patience
) fate
cross join lateral (
  select paid_at + interval '1 day' + i * 17::bigint % 48 * interval '1 hour' as shipping_at,
    paid_at + interval '3 days' + i * 53::bigint % 97 * interval '1 hour' as delivery_at
) way;

create temporary view ending as
select s.*, coalesce(canceled_at, returned_at, confirmed_at, delivered_at, shipped_at, prepared_at, paid_at) as at,
  case when canceled_at is not null then 'canceled' when returned_at is not null then 'returned'
    when confirmed_at is not null then 'confirmed' when delivered_at is not null then 'delivered'
    when shipped_at is not null then 'shipping' when prepared_at is not null then 'preparing' else 'paid' end as step
from story s;

insert into order_numbers (order_no, order_id, sellers, content)
select 'F-' || nth, id, array[seller], '' from story order by id;

insert into item_ids (item_id) select item from story;

insert into member_orders (member_id, order_no) select 'm-' || nth % 1000, 'F-' || nth from story;

insert into orders (seller_id, order_id, order_no, sellers, member_id, currency, payment, paid_at, point_used_amount, shipping_fee_base,
  shipping_fee_paid, orderer_name, recipient_name, address1)
select seller, id, 'F-' || nth, array[seller], 'm-' || nth % 1000, 'KRW', 'paid', paid_at, 0, 3000, 3000, '김민준', '이서연', '서울' from story order by id;

insert into status_changes (seller_id, order_id, to_status, changed_at, item_ids)
select seller, id, change.step, change.at, array[item]
from story cross join lateral (values ('paid', paid_at), ('canceled', canceled_at), ('preparing', prepared_at),
  ('shipping', shipped_at), ('delivered', delivered_at), ('returned', returned_at), ('confirmed', confirmed_at)) as change (step, at)
where change.at is not null;

insert into shipments (seller_id, order_id, shipment_id, carrier_name, tracking_no)
select seller, id, id, 'CJ대한통운', '612345678901' from story where shipped_at is not null;

insert into lines (order_id, seq, item_id, seller_id, product_id, product_name, option_name, quantity, list_price, unit_price,
  line_amount, discount_amount, line_paid_amount, item_status, shipment_id, shipped_at, delivered_at, confirmed_at, auto_confirm_at,
  ship_by)
select id, 1, item, seller, 'p', '순면 티셔츠', '블랙 / M', 2, 100, 100, 200, 0, 200, step,
  case when shipped_at is not null then id end, shipped_at, delivered_at, confirmed_at,
  case when step = 'delivered' then deadline end, ship_by
from ending;

insert into seller_orders (seller_id, order_id, paid_at, updated_at, order_status, line_states, ship_by)
select seller, id, paid_at, at, status, bit, case when step in ('paid', 'preparing') then ship_by end
from ending
join (values ('paid', 1, 1), ('preparing', 2, 2), ('shipping', 3, 4), ('delivered', 4, 8), ('confirmed', 5, 16), ('canceled', 7, 32),
  ('returned', 7, 64)) as code (state, status, bit) on state = step;
