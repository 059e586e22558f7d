//go:build citus

package store

import (
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
)

// BenchmarkNodes compares the statements of a page and of a detail on one PostgreSQL with the same on several nodes: by way of
// the coordinator, as services run them, by way of the worker that has the rows, and by way of another worker.
//
//	go test -tags citus ./internal/store -run '^$' -bench Nodes -benchtime 300x
func BenchmarkNodes(b *testing.B) {
	one, nodes := fill(b, fewOnNodes), fillNodes(b, fewOnNodes)
	holder, other := nodes.workers(b)
	for name, statement := range map[string]func(filled) (string, []any){
		"page": func(f filled) (string, []any) { return f.statement(b, order.Filter{}, nil) },
		"status": func(f filled) (string, []any) {
			return f.statement(b, order.Filter{Status: order.StatusConfirmed}, nil)
		},
		"detail": func(f filled) (string, []any) {
			return page(queries.SQL("FindOrder")), []any{f.seller, "F-1"}
		},
		"clock": func(f filled) (string, []any) {
			return "select last from seller_clock where seller_id = $1", []any{f.seller}
		},
	} {
		for _, way := range []struct {
			name string
			f    filled
			pool *postgres.Pool
		}{
			{"single", one, one.db.Pool},
			{"coordinator", nodes, nodes.secured},
			{"holder", nodes, holder},
			{"other worker", nodes, other},
		} {
			b.Run(name+"/"+way.name, func(b *testing.B) {
				sql, args := statement(way.f)
				for b.Loop() {
					rows, err := way.pool.Query(b.Context(), sql, args...)
					require.NoError(b, err)
					rows.Close()
					require.NoError(b, rows.Err())
				}
			})
		}
	}
}

// BenchmarkListNodes is BenchmarkList on several nodes, by every filter.
//
//	BENCH_ORDERS=1000,1000000 go test -tags citus ./internal/store -run '^$' -bench ListNodes -benchtime 20x
func BenchmarkListNodes(b *testing.B) { benchmarkSizes(b, fillNodes, singles) }

// workers returns pools on the worker that has the seller's rows, and on another one.
func (f filled) workers(tb testing.TB) (holder, other *postgres.Pool) {
	tb.Helper()
	var ports []int
	require.NoError(tb, f.db.Pool.QueryRow(tb.Context(), `select array_agg(n.nodeport order by n.nodeport <> p.nodeport)
		from pg_dist_node n, pg_dist_shard_placement p
		where n.shouldhaveshards and n.groupid <> 0 and p.shardid = get_shard_id_for_distribution_column('seller_orders', $1::uuid)`,
		f.seller).Scan(&ports))
	pools := make([]*postgres.Pool, 0, len(ports))
	for _, port := range ports {
		address, err := url.Parse(f.db.Config.URL.Reveal())
		require.NoError(tb, err)
		address.Host = address.Hostname() + ":" + strconv.Itoa(port)
		db := *f.db
		db.Config.URL = secret.New(address.String())
		pools = append(pools, db.Open(tb, telemetrytest.Discard(tb)))
	}
	return pools[0], pools[1]
}
