-- name: Tables
-- $1 the schema. Its tables, each with the first column of its primary key, the tables that it references, what prevents it from being
-- distributed by that column, whether it has row-level security, and its bytes. Tables that are declared to be on one node are left
-- out, and so is the table of migrations. Columns that a unique index only includes are not part of its key.
select c.relname,
  coalesce(a.attname, ''),
  array(
    select distinct f.confrelid::regclass::text from pg_constraint f
    where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid),
  array(
    select 'no primary key' where a.attname is null
    union all
    select 'unique index ' || u.indexrelid::regclass || ' lacks ' || a.attname from pg_index u
    where u.indrelid = c.oid and u.indisunique and not a.attnum = any ((u.indkey::int2[])[0:u.indnkeyatts - 1])
    union all
    select 'reference ' || f.conname || ' lacks ' || a.attname from pg_constraint f
    where f.conrelid = c.oid and f.contype = 'f' and not a.attnum = any (f.conkey)
    union all
    select 'reference ' || f.conname || ' is to ' || f.confrelid::regclass || ', which is on one node' from pg_constraint f
    where f.conrelid = c.oid and f.contype = 'f' and obj_description(f.confrelid, 'pg_class') ~ 'on one node'
    union all
    select 'trigger ' || t.tgname from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal),
  c.relrowsecurity,
  pg_total_relation_size(c.oid)
from pg_class c
left join pg_index p on p.indrelid = c.oid and p.indisprimary
left join pg_attribute a on a.attrelid = c.oid and a.attnum = p.indkey[0]
where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname <> 'goose_db_version'
  and coalesce(obj_description(c.oid, 'pg_class'), '') !~ 'on one node'
order by c.relname;

-- name: Installed
select exists (select from pg_extension where extname = 'citus');

-- name: Distributed
-- $1 the schema. Its tables that are distributed already.
select c.relname
from pg_dist_partition p
join pg_class c on c.oid = p.logicalrelid
where c.relnamespace = $1::regnamespace;

-- name: Left
-- $1 the schema. Its distributed tables whose original rows are still on the coordinator, where they are no longer read.
select c.relname
from pg_dist_partition p
join pg_class c on c.oid = p.logicalrelid
where c.relnamespace = $1::regnamespace and pg_relation_size(c.oid) > 0
order by c.relname;

-- name: TruncateLeft
-- $1 a table of Left.
select truncate_local_data_after_distributing_table($1::regclass);

-- name: Nodes
-- The number of nodes that store shards.
select count(*) from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary';

-- name: Functions
-- $1 the schema. The functions that statements on the nodes call.
select p.oid::regprocedure::text from pg_proc p where p.pronamespace = $1::regnamespace and p.prokind = 'f' order by 1;

-- name: ShareFunction
select create_distributed_function($1::regprocedure);

-- name: Policies
select polname from pg_policy where polrelid = $1::regclass;

-- name: Distribute
-- $1 the table, $2 the column, $3 the table whose rows with the same value are on the same node, or none; $4 the number of shards,
-- which a co-located table takes from that table.
select create_distributed_table($1::regclass, $2, colocate_with => $3, shard_count => $4::int);
