-- name: TableSizes
-- Each table of the schema with its partitions, the largest first. The planner's estimate of the rows is the density at the last
-- vacuum or analyze times the current number of pages; null for a table that neither has processed. A partitioned table has no pages
-- of its own. Reads the catalogue and the lengths of files.
select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
    round(sum(case
        when c.reltuples < 0 and pg_relation_size(c.oid) > 0 then null
        when c.relpages > 0 then c.reltuples::float8 / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::float8)
        else greatest(c.reltuples, 0)
    end))::bigint as rows,
    sum(pg_table_size(c.oid))::bigint as heap_bytes,
    sum(pg_indexes_size(c.oid))::bigint as index_bytes,
    coalesce(sum(pg_relation_size(c.oid) / current_setting('block_size')::bigint) filter (where not c.relispartition), 0)::bigint as pages
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
group by 1
order by sum(pg_total_relation_size(c.oid)) desc, 1;

-- name: DatabaseSize
-- The size of all schemas in the database, and the time of the server.
select pg_database_size(current_database()), clock_timestamp();

-- name: IsDistributed
-- Whether tables of the database may be distributed over nodes.
select exists (select from pg_extension where extname = 'citus');

-- name: ShardSizes
-- Each distributed table of the schema with its shards, with the columns of TableSizes but without pages: the order of a shard says
-- nothing about that of the table. Every node is queried once, for all of its shards; one that does not respond is an error.
select e ->> 'name' as name,
    case when bool_and((e ->> 'rows') is not null) then round(sum((e ->> 'rows')::float8))::bigint end as rows,
    sum((e ->> 'heap')::bigint)::bigint as heap_bytes,
    sum((e ->> 'index')::bigint)::bigint as index_bytes,
    0::bigint as pages
from run_command_on_all_nodes(format($node$
    select coalesce(json_agg(json_build_object(
        'name', l.relname,
        'rows', case
            when c.reltuples < 0 and pg_relation_size(c.oid) > 0 then null
            when c.relpages > 0 then c.reltuples::float8 / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::float8)
            else greatest(c.reltuples, 0)
        end,
        'heap', pg_table_size(c.oid),
        'index', pg_indexes_size(c.oid))), '[]')
    from pg_dist_shard s
    join pg_class l on l.oid = s.logicalrelid
    join pg_class c on c.relnamespace = l.relnamespace and c.relname = l.relname || '_' || s.shardid
    where l.relnamespace = %L::regnamespace
$node$, quote_ident(current_schema()))) r, json_array_elements(r.result::json) e
group by 1;

-- name: SizeOnAllNodes
-- The size of all schemas in the databases of all nodes.
select sum(r.result::bigint)::bigint
from run_command_on_all_nodes('select pg_database_size(current_database())') r;

-- name: OldestOfPages
-- When the oldest record on some pages was written; null if there is none. Reads only these pages.
select min(/* time */)
from /* table */ t
where t.ctid >= format('(%s,0)', $1::bigint)::tid and t.ctid < format('(%s,0)', $2::bigint)::tid;

-- name: CountOnPages
-- The number of records on the pages from $1 up to $2 that were written since $3. Reads only these pages.
select count(*) filter (where /* time */ >= $3)
from /* table */ t
where t.ctid >= format('(%s,0)', $1::bigint)::tid and t.ctid < format('(%s,0)', $2::bigint)::tid;
