-- name: CountWebhooks
-- By primary key, while HoldSeller's lock is held.
select count(*)
from webhooks
where seller_id = $1;

-- name: FindRequestedWebhook
-- By the unique constraint webhooks_request: the address that the same call added before.
select webhook_id, seller_id, url, created_at, paused_at, failed, failing_since, previous_until, now(), sealed_secret,
  sealed_previous
from webhooks
where seller_id = $1
  and request_id = $2;

-- name: InsertWebhook
-- While HoldSeller's lock is held. The unique constraint webhooks_url refuses an address that the seller has.
insert into webhooks (
    seller_id, webhook_id, request_id, rotation_id, url, sealed_secret, orders_delivered, claims_delivered, qna_delivered
)
values ($1, $2, $3, $3, $4, $5, $6, $7, $8);

-- name: ListWebhooks
-- By primary key. The ids grow with time.
select webhook_id, seller_id, url, created_at, paused_at, failed, failing_since, previous_until, now(), sealed_secret,
  sealed_previous
from webhooks
where seller_id = $1
order by webhook_id;

-- name: HoldWebhook
-- By primary key; another seller's is not found. Changes of one webhook are made one after the other.
select webhook_id, seller_id, url, created_at, paused_at, failed, failing_since, previous_until, now(), sealed_secret,
  sealed_previous,
    rotation_id
from webhooks
where seller_id = $1
  and webhook_id = $2
for no key update;

-- name: RotateWebhook
-- By primary key, while HoldWebhook's lock is held.
update webhooks
set sealed_previous = sealed_secret, previous_until = now() + $5::interval, sealed_secret = $4, rotation_id = $3
where seller_id = $1
  and webhook_id = $2;

-- name: PauseWebhook
-- By primary key. A webhook that is paused keeps the time: least passes over nulls.
update webhooks
set paused_at = least(paused_at, now()), failed = false
where seller_id = $1
  and webhook_id = $2;

-- name: ResumeWebhook
-- By primary key. The failures before do not count any more.
update webhooks
set paused_at = null, failed = false, failures = 0, failing_since = null, due_at = now()
where seller_id = $1
  and webhook_id = $2;

-- name: RemoveWebhook
-- By primary key.
delete from webhooks
where seller_id = $1
  and webhook_id = $2
returning url;

-- name: ListWebhookDeliveries
-- By primary key, read backwards: the ids grow with time.
select delivery_id, type, at, status, failure, milliseconds
from webhook_deliveries
where seller_id = $1
  and webhook_id = $2
  and delivery_id < $3
  and at > now() - interval '7 days'
order by delivery_id desc
limit $4;

-- name: ListDueWebhooks
-- By the partial index webhooks_due, over all sellers, in portions: every gateway, every second. It locks nothing.
select seller_id, webhook_id, orders_delivered, claims_delivered, qna_delivered, failures > 0
from webhooks
where paused_at is null
  and webhook_id > $1
  and due_at <= now()
  and (claimed_until is null or claimed_until <= now())
order by webhook_id
limit $2;

-- name: HoldDueWebhook
-- By primary key. It returns nothing if another gateway has claimed the webhook or is about to, or if it is not due any more.
select webhook_id, seller_id, url, created_at, paused_at, failed, failing_since, previous_until, now(), sealed_secret, sealed_previous,
    orders_delivered, claims_delivered, qna_delivered
from webhooks
where seller_id = $1
  and webhook_id = $2
  and paused_at is null
  and due_at <= now()
  and (claimed_until is null or claimed_until <= now())
for update skip locked;

-- name: HoldUnclaimedWebhook
-- As HoldDueWebhook, of a webhook that need not be due and may be paused.
select webhook_id, seller_id, url, created_at, paused_at, failed, failing_since, previous_until, now(), sealed_secret, sealed_previous,
    orders_delivered, claims_delivered, qna_delivered
from webhooks
where seller_id = $1
  and webhook_id = $2
  and (claimed_until is null or claimed_until <= now())
for update skip locked;

-- name: ClaimWebhook
-- By primary key, while one of the two locks is held. The claim ends by itself when its gateway dies.
update webhooks
set claim = $3, claimed_until = now() + $4::interval
where seller_id = $1
  and webhook_id = $2;

-- name: ReleaseWebhook
-- By primary key, with the claim: one that has ended changes nothing.
update webhooks
set claim = null, claimed_until = null
where seller_id = $1
  and webhook_id = $2
  and claim = $3;

-- name: SettleWebhook
-- As ReleaseWebhook, after a delivery that succeeded: these clocks are delivered.
update webhooks
set claim = null, claimed_until = null, failures = 0, failing_since = null, due_at = now() + $4::interval,
    orders_delivered = $5, claims_delivered = $6, qna_delivered = $7
where seller_id = $1
  and webhook_id = $2
  and claim = $3;

-- name: CountFailures
-- By primary key, with the claim: how many deliveries in a row have failed. It locks the webhook.
select failures
from webhooks
where seller_id = $1
  and webhook_id = $2
  and claim = $3
for no key update;

-- name: FailWebhook
-- While CountFailures' lock is held: pauses the webhook if the first failure in a row was as long ago as $3.
update webhooks
set paused_at = now(), failed = true
where seller_id = $1
  and webhook_id = $2
  and paused_at is null
  and failing_since <= now() - $3::interval;

-- name: PostponeWebhook
-- While CountFailures' lock is held; ends the claim. least passes over nulls.
update webhooks
set claim = null, claimed_until = null, failures = failures + 1, failing_since = least(failing_since, now()), due_at = now() + $3::interval
where seller_id = $1
  and webhook_id = $2;

-- name: InsertWebhookDelivery
insert into webhook_deliveries (seller_id, webhook_id, delivery_id, type, status, failure, milliseconds)
values ($1, $2, $3, $4, $5, $6, $7);

-- name: ListOldDeliveries
-- By the index webhook_deliveries_age, over all sellers.
select seller_id, webhook_id, count(*)
from (select seller_id, webhook_id from webhook_deliveries where at < now() - interval '7 days' order by at limit $1) as old
group by seller_id, webhook_id;

-- name: RemoveOldDeliveries
-- By primary key.
delete from webhook_deliveries
where seller_id = $1
  and webhook_id = $2
  and at < now() - interval '7 days';

-- name: CountPausedWebhooks
-- Over all sellers, for metrics.
select 'seller', (count(*) filter (where not failed))::float8
from webhooks
where paused_at is not null
union all
select 'failures', (count(*) filter (where failed))::float8
from webhooks
where paused_at is not null;
