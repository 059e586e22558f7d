-- What the lists of orders walk: every filter has an index in the order of the page, newest change first.

-- +goose Up

-- All of these leave unpaid orders out, and end in paid_at, so that a walk that has to pass over orders paid outside of a
-- range does so within the index.
create index seller_orders_recent on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null;
create index seller_orders_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null;
-- A page of each week, merged, is a page of a range of payment times that lies in the past.
create index seller_orders_by_week on seller_orders (seller_id, paid_week, updated_at desc, order_id desc, paid_at, order_status)
    where paid_at is not null;

-- An index for each state that an item can be seen in, alone and together with order_status. An order stands only in those
-- of the states that its items are in, which is one as a rule.
create index seller_orders_with_paid on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{paid}';
create index seller_orders_with_paid_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{paid}';
create index seller_orders_with_preparing on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{preparing}';
create index seller_orders_with_preparing_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{preparing}';
create index seller_orders_with_shipping on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{shipping}';
create index seller_orders_with_shipping_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{shipping}';
create index seller_orders_with_delivered on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{delivered}';
create index seller_orders_with_delivered_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{delivered}';
create index seller_orders_with_confirmed on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{confirmed}';
create index seller_orders_with_confirmed_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{confirmed}';
create index seller_orders_with_canceled on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{canceled}';
create index seller_orders_with_canceled_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{canceled}';
create index seller_orders_with_returned on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{returned}';
create index seller_orders_with_returned_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{returned}';
create index seller_orders_with_exchanged on seller_orders (seller_id, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{exchanged}';
create index seller_orders_with_exchanged_by_status on seller_orders (seller_id, order_status, updated_at desc, order_id desc, paid_at)
    where paid_at is not null and line_states @> '{exchanged}';
