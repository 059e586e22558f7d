-- name: AddRequestDay
-- Makes the partition of a day, if there is none.
select add_request_day($1);

-- name: DropRequestDay
-- Drops the partition of a day with all its rows.
select drop_request_day($1);

-- name: ListRequestDays
-- Reads the catalogue and the lengths of files.
select day, bytes from request_days();

-- name: ListRequests
-- $1 the seller, $2 rows wanted, $3 the most entries that are read. The last of them is returned even if it is not wanted, because
-- the next page begins after it. By the primary key of each day, latest day first, until there are enough rows; by the index of the
-- request id, the record or the error code where the filters have one.
select r.at, r.id, r.key_id,
    (select k.prefix from api_keys k where k.seller_id = $1 and k.key_id = r.key_id),
    r.micros, r.status, r.row_count, r.operation, r.request_id, r.trace_id, r.record, r.query, r.error_code, r.error_data, r.idempotency,
    r.key_digest, r.client, r.user_agent, r.wanted, r.nth = $3
from (
  select r.*, true /* others */ as wanted, row_number() over (order by r.at desc, r.id desc) as nth
  from requests r
  where r.seller_id = $1
    /* indexed */
  order by r.at desc, r.id desc
  limit $3
) r
where r.wanted or r.nth = $3
order by r.at desc, r.id desc
limit $2;

-- name: LocateRequest
-- $1 the request id. The latest call with it of any seller: one look per seller and day into the index of the request id, which
-- begins with the seller.
select s.seller_id, r.id
from sellers s
cross join lateral (
  select r.at, r.id
  from requests r
  where r.seller_id = s.seller_id
    and hashtextextended(r.request_id, 0) = hashtextextended($1, 0)
    and r.request_id = $1
  order by r.at desc, r.id desc
  limit 1
) r
order by r.at desc, r.id desc
limit 1;

-- name: CountRequests
-- $1 the seller, $2 and $3 the time, the latter excluded. By the primary key of each day in the range.
select date_trunc('hour', r.at, 'UTC'), r.key_id, r.operation, r.status, coalesce(r.error_code, ''), count(*), sum(r.row_count),
    percentile_disc(0.5) within group (order by r.micros), percentile_disc(0.95) within group (order by r.micros)
from requests r
where r.seller_id = $1
  and r.at >= $2
  and r.at < $3
group by 1, 2, 3, 4, 5
order by 1, 2, 3, 4, 5;

-- name: LastRequests
-- $1 the seller. The last call of each of its keys that the log has. It reads the seller's calls once, by the primary key of each day,
-- however many of the keys have none.
with used as (select r.key_id, max(r.at) as at from requests r where r.seller_id = $1 group by r.key_id)
select k.key_id, k.prefix, u.at
from api_keys k
left join used u on u.key_id = k.key_id
where k.seller_id = $1
order by k.issued_at desc, k.key_id desc;
