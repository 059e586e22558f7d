-- Fills a schema with $1 orders of seller $2 and a tenth as many of a hundred others, one line each, spread evenly over the
-- two years before $3. An order is prepared, shipped, delivered and confirmed 1, 2, 4 and 12 days after its payment; one in
-- 20 was canceled after an hour instead, one in 1,000 returned after its delivery. What has not happened by $3 has not happened.
with placed as (
  insert into orders (order_no, member_id, currency, payment, paid_at, content, orderer_name, recipient_name, address1)
  select 'F-' || i, 'm-' || i % 1000, 'KRW', 'paid', $3::timestamptz - (i * (interval '730 days' / ($1::int * 1.1)))::interval, '', '김민준', '이서연', '서울'
  from generate_series(1, $1::int * 11 / 10) i
  returning id, paid_at
), owned as (
  select id, paid_at, md5(id::text)::uuid as item,
    case when id % 11 = 0 then md5((id % 100)::text)::uuid else $2::uuid end as seller,
    case when id % 20 = 7 then 'canceled' when id % 1000 = 3 then 'returned' else 'confirmed' end as fate
  from placed
), changes as (
  select o.*, way.step, o.paid_at + way.after as at
  from owned o
  join (values
    ('canceled', 'paid', interval '0'), ('canceled', 'canceled', '1 hour'),
    ('returned', 'paid', '0'), ('returned', 'shipping', '2 days'), ('returned', 'delivered', '4 days'), ('returned', 'returned', '9 days'),
    ('confirmed', 'paid', '0'), ('confirmed', 'preparing', '1 day'), ('confirmed', 'shipping', '2 days'),
    ('confirmed', 'delivered', '4 days'), ('confirmed', 'confirmed', '12 days')
  ) as way (fate, step, after) on way.fate = o.fate
  where o.paid_at + way.after <= $3
), noted as (
  insert into status_changes (seller_id, order_id, to_status, changed_at, item_ids)
  select seller, id, step, at, array[item] from changes
), latest as (
  select distinct on (id) id, seller, item, paid_at, step, at from changes order by id, at desc
), parcels as (
  insert into shipments (order_id, seller_id, carrier_name, tracking_no)
  select id, seller, 'CJ대한통운', '612345678901' from latest where step in ('shipping', 'delivered', 'confirmed', 'returned')
  returning id, order_id
), lined as (
  insert into lines (order_id, seq, item_id, seller_id, product_id, product_name, option_name, quantity, list_price, unit_price,
    line_amount, discount_amount, line_paid_amount, item_status, shipment_id, shipped_at, delivered_at, confirmed_at, auto_confirm_at)
  select l.id, 1, l.item, l.seller, 'p', '순면 티셔츠', '블랙 / M', 2, 100, 100, 200, 0, 200, l.step, p.id,
    case when p.id is not null then l.paid_at + interval '2 days' end,
    case when l.step in ('delivered', 'confirmed', 'returned') then l.paid_at + interval '4 days' end,
    case when l.step = 'confirmed' then l.paid_at + interval '12 days' end,
    case when l.step = 'delivered' then l.paid_at + interval '12 days' end
  from latest l left join parcels p on p.order_id = l.id
)
insert into seller_orders (seller_id, order_id, paid_at, updated_at, order_status, seller_order_status, line_states,
  point_used_amount, shipping_fee_base, shipping_fee_paid, first_paid, last_paid, first_preparing, last_preparing,
  first_shipping, last_shipping, first_delivered, last_delivered, first_ended, last_ended)
select seller, id, paid_at, at, status, status, array[step], 0, 3000, 3000, paid_at, paid_at, prepared, prepared,
  shipped, shipped, delivered, delivered, ended, ended
from latest cross join lateral (select case step when 'returned' then 'canceled' else step end as status) s
join (
  select id, min(at) filter (where step = 'preparing') as prepared, min(at) filter (where step = 'shipping') as shipped,
    min(at) filter (where step = 'delivered') as delivered,
    min(at) filter (where step in ('confirmed', 'canceled', 'returned')) as ended
  from changes group by id
) h using (id);
