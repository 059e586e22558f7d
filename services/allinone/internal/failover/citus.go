package failover

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/allinone/launch"
)

// workers is how many worker nodes hold the rows of the distributed PostgreSQL.
const workers = 2

// startCluster starts a distributed PostgreSQL and a Redis.
func startCluster(ctx context.Context, _ Options, dir string) (g *ground, err error) {
	g = &ground{distributed: true}
	defer func() { err = g.unless(err) }()
	redis, err := g.own(launch.Redis(ctx, filepath.Join(dir, "redis"), durable))
	if err != nil {
		return g, err
	}
	nodes, err := launch.PooledCluster(ctx, workers)
	if err != nil {
		return g, err
	}
	g.servers = append(g.servers, nodes.Nodes()...)
	coordinator, killed := nodes.Coordinator.URL, nodes.Workers[0]
	g.database, g.redis = coordinator, redis.URL
	g.kill, g.recover, g.truth = killed.Kill, killed.Restart, func() string { return coordinator }
	g.prepare = func(ctx context.Context, s *system) error { return g.place(ctx, s, coordinator, killed.Port) }
	return g, nil
}

// errElsewhere is returned when the worker holds no seller's rows, so that its failure would affect no seller.
var errElsewhere = errors.New("no seller is on the worker that is to be killed")

// place finds out which sellers' rows are on the worker, and creates the table in which a plain client writes for one of
// these sellers.
func (g *ground) place(ctx context.Context, s *system, coordinator string, port int) error {
	conn, err := pgx.Connect(ctx, coordinator)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, statement := range []string{
		"create table public.failover_probe (seller_id uuid, at timestamptz)",
		"select create_distributed_table('public.failover_probe', 'seller_id', colocate_with => 'orders.seller_clock')",
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	here, one := map[string]bool{}, ""
	for _, seller := range s.sellers {
		const where = `select nodeport from pg_dist_shard_placement
			where shardid = get_shard_id_for_distribution_column('orders.seller_clock', $1::uuid)`
		var at int
		if err := conn.QueryRow(ctx, where, seller.id).Scan(&at); err != nil {
			return fmt.Errorf("find the node of a seller's rows: %w", err)
		}
		if at == port {
			here[seller.id], one = true, seller.id
		}
	}
	if one == "" {
		return errElsewhere
	}
	seller := uuid.MustParse(one)
	g.affects = func(seller string) bool { return here[seller] }
	g.write = func(ctx context.Context) error {
		return execute(ctx, coordinator, "insert into public.failover_probe values ($1, now())", seller)
	}
	return nil
}
