-- name: LockAudit
-- Held until the commit: the trail is one chain over all sellers, so its entries are written one after the other.
select pg_advisory_xact_lock(hashtextextended('gateway.key_audit', 0));

-- name: ReadAuditHead
-- The input of the next entry: number and digest of the last one (by primary key), the time, and the detail in PostgreSQL's own
-- formatting.
select coalesce(last.seq, 0), coalesce(last.digest, decode(repeat('00', 32), 'hex')), clock_timestamp(), $1::jsonb::text
from (values (0)) as always
left join (select seq, digest from key_audit order by seq desc limit 1) as last on true;

-- name: AppendAudit
-- In the transaction of the action that it records.
insert into key_audit (seq, at, caller, actor, action, seller_id, key_id, detail, digest)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: ReadAudit
-- The entries of the trail after a given one, by primary key.
select seq, at, caller, actor, action, seller_id, key_id, detail::text, digest
from key_audit
where seq > $1
order by seq
limit $2;
