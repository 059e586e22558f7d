-- name: TableSizes
-- Each table of the schema with its partitions. The planner's estimate of the rows is the density at the last vacuum or analyze times
-- the current number of pages; null for a table that neither has processed. Reads the catalogue and the lengths of files.
select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
    round(sum(case
        when c.reltuples < 0 and pg_relation_size(c.oid) > 0 then null
        when c.relpages > 0 then c.reltuples::float8 / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::float8)
        else greatest(c.reltuples, 0)
    end))::bigint as rows,
    sum(pg_total_relation_size(c.oid))::bigint as bytes
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
group by 1;

-- name: IsDistributed
-- Whether tables of the database may be distributed over nodes.
select exists (select from pg_extension where extname = 'citus');

-- name: ShardSizes
-- Each distributed table of the schema with its shards, with the columns of TableSizes. Every node is queried once, for all of its
-- shards; one that does not respond is an error.
select e ->> 'name' as name,
    case when bool_and((e ->> 'rows') is not null) then round(sum((e ->> 'rows')::float8))::bigint end as rows,
    sum((e ->> 'bytes')::bigint)::bigint as bytes
from run_command_on_all_nodes(format($node$
    select coalesce(json_agg(json_build_object(
        'name', l.relname,
        'rows', case
            when c.reltuples < 0 and pg_relation_size(c.oid) > 0 then null
            when c.relpages > 0 then c.reltuples::float8 / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::float8)
            else greatest(c.reltuples, 0)
        end,
        'bytes', pg_total_relation_size(c.oid))), '[]')
    from pg_dist_shard s
    join pg_class l on l.oid = s.logicalrelid
    join pg_class c on c.relnamespace = l.relnamespace and c.relname = l.relname || '_' || s.shardid
    where l.relnamespace = %L::regnamespace
$node$, quote_ident(current_schema()))) r, json_array_elements(r.result::json) e
group by 1;
