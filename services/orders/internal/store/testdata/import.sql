-- Changes a schema filled by fill.sql: all orders whose last change was earlier than three months before its end were imported then, in
-- the order of their payment, so that their last change is the import. Of the others, every other one was changed once more 40
-- seconds after its last change, without a change of state.
update seller_orders
set updated_at = case
    when updated_at < '2026-03-01Z' then '2026-03-01Z'::timestamptz + (paid_at - '2024-01-01Z'::timestamptz) / 10000
    else updated_at + interval '40 seconds'
  end
where updated_at < '2026-03-01Z' or hashtext(order_id::text) % 2 = 0;
