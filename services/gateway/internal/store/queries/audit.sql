-- name: LockAudit
-- Held to the commit: the trail is one chain over all sellers, so that its entries are written one after the other.
select pg_advisory_xact_lock(hashtextextended('gateway.key_audit', 0));

-- name: ReadAuditHead
-- What the next entry needs: the digest of the last one (by primary key), the time, and the detail in PostgreSQL's own spelling.
select coalesce((select digest from key_audit order by audit_id desc limit 1), decode(repeat('00', 32), 'hex')),
    clock_timestamp(), $1::jsonb::text;

-- name: AppendAudit
-- In the transaction of what it records.
insert into key_audit (at, caller, actor, action, seller_id, key_id, detail, digest)
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: ReadAudit
-- The trail from behind an entry, by primary key.
select audit_id, at, caller, actor, action, seller_id, key_id, detail::text, digest
from key_audit
where audit_id > $1
order by audit_id
limit $2;
