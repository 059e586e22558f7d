-- The minimal transaction with the guarantees of a shipment, on separate tables with the fewest indexes: primary keys, and one for
-- the list. A shipment guarantees: the order is locked during the decision, the line is updated, parcel and history are stored,
-- the idempotency key and its response exist if and only if the effect does, and the change gets a time of the seller's clock that no
-- other change of the seller has and by which the list is sorted.
--
-- It omits the rest of what the service does: reading the data for a decision, checking claims and exchanges, orders of several
-- sellers, row-level security, and an index for every filter of the list.

-- name: tables
create schema least;
create table least.orders (
    order_no bigint primary key, seller_id bigint not null, paid_at timestamptz not null, contact text not null
);
create table least.lines (
    order_no bigint, seq integer, product text not null, quantity bigint not null, amount bigint not null, item_status text not null,
    parcel_id bigint, shipped_at timestamptz, primary key (order_no, seq)
) with (fillfactor = 80);
create table least.parcels (order_no bigint, parcel_id bigint, carrier_name text, tracking_no text, primary key (order_no, parcel_id));
create table least.history (
    order_no bigint, to_status text, changed_at timestamptz, seq integer, primary key (order_no, to_status, changed_at)
);
create table least.answers (
    seller_id bigint, digest bigint, fingerprint bigint not null, answered_at timestamptz not null, status smallint not null,
    body bytea not null,
    primary key (seller_id, digest)
);
create table least.clock (seller_id bigint primary key, last timestamptz not null);
create table least.list (
    seller_id bigint, order_no bigint, updated_at timestamptz not null, order_status text not null, primary key (seller_id, order_no)
);
create index list_latest on least.list (seller_id, updated_at desc, order_no desc);

-- name: orders
-- $1 the first order, $2 the number of orders, $3 the number of consecutive orders of one seller, $4 the number of sellers.
with made as (
    select n as order_no, (n - $1) / $3 % $4 as seller_id, now() - (n - $1) * interval '1 second' as at
    from generate_series($1::bigint, $1::bigint + $2::bigint - 1) n
), placed as (
    insert into least.orders select order_no, seller_id, at, repeat('서울특별시 강남구 테헤란로 ', 5) from made
), lined as (
    insert into least.lines select order_no, 1, '순면 티셔츠 블랙 / M', 2, 12900, 'paid' from made
), kept as (
    insert into least.history select order_no, 'paid', at, 1 from made
)
insert into least.list select seller_id, order_no, at, 'paid' from made;

-- name: shipment
\startpipeline
begin;
select o.seller_id, l.item_status from least.orders o join least.lines l using (order_no) where o.order_no = :no for no key update of o;
\endpipeline
\startpipeline
update least.lines set item_status = 'shipping', parcel_id = 1, shipped_at = clock_timestamp() where order_no = :no and seq = 1;
insert into least.parcels values (:no, 1, 'CJ대한통운', '690000000011');
insert into least.history values (:no, 'shipping', clock_timestamp(), 1);
insert into least.answers values (:seller, :no, :no, now(), 200, :answer);
with tick as (
    insert into least.clock as c (seller_id, last) values (:seller, clock_timestamp())
    on conflict (seller_id) do update set last = greatest(excluded.last, c.last + interval '1 microsecond') returning last
)
update least.list l set updated_at = tick.last, order_status = 'shipping' from tick where l.seller_id = :seller and l.order_no = :no;
commit;
\endpipeline
