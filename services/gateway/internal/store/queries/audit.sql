-- name: AppendAudit
-- In the transaction of what it records.
insert into key_audit (actor, action, seller_id, key_id, detail)
values ($1, $2, $3, $4, $5);
