package failover

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres/distributed/nodes"
)

const workers = 2

func startCluster(ctx context.Context, _ Options, dir string) (*ground, error) {
	g, _, err := startNodes(ctx, dir)
	return g, err
}

// startMixed starts the same for orders of two sellers, one of which is on the worker that is killed. Every process call needs
// both nodes, reads need the node of their seller.
func startMixed(ctx context.Context, _ Options, dir string) (*ground, error) {
	g, nodes, err := startNodes(ctx, dir)
	if err != nil {
		return g, err
	}
	killed, coordinator := nodes.Workers[0], nodes.Coordinator.URL
	g.group = func(ctx context.Context, sellers []seller) ([][]seller, error) {
		return pairs(ctx, coordinator, killed.Port, sellers)
	}
	prepare := g.prepare
	g.prepare = func(ctx context.Context, s *system) error {
		err := prepare(ctx, s)
		here := g.affects
		g.affects = func(c call) bool { return c.class == process || here(c) }
		return err
	}
	var left *leftovers
	g.kill = func() error { return errors.Join(awaitPrepared(ctx, killed.URL), killed.Kill()) }
	g.recover = func(ctx context.Context) (err error) {
		if err := killed.Restart(ctx); err != nil {
			return err
		}
		left, err = leftPrepared(ctx, killed.URL)
		return err
	}
	g.resolved = func() (int, time.Duration, error) { return left.outcome() }
	return g, nil
}

// startNodes starts a coordinator, workers and a Redis. Its first worker is the one that is killed.
func startNodes(ctx context.Context, dir string) (g *ground, cluster *nodes.Cluster, err error) {
	g = &ground{distributed: true}
	defer func() { err = g.unless(err) }()
	redis, err := g.own(launch.Redis(ctx, filepath.Join(dir, "redis"), durable))
	if err != nil {
		return g, nil, err
	}
	if cluster, err = nodes.Start(ctx, filepath.Join(dir, "cluster"), workers, durable); err != nil {
		return g, nil, err
	}
	g.servers = append(g.servers, cluster.Nodes()...)
	coordinator, killed := cluster.Coordinator.URL, cluster.Workers[0]
	g.database, g.redis = coordinator, redis.URL
	g.kill, g.recover, g.truth = killed.Kill, killed.Restart, func() string { return coordinator }
	g.prepare = func(ctx context.Context, s *system) error { return g.place(ctx, s, coordinator, killed.Port) }
	return g, cluster, nil
}

// errElsewhere is returned when the worker holds no seller's rows, so that its failure would affect no seller.
var errElsewhere = errors.New("no seller is on the worker that is to be killed")

// place finds out which sellers' rows are on the worker, and creates the table in which a plain client writes for one of
// these sellers.
func (g *ground) place(ctx context.Context, s *system, coordinator string, port int) error {
	for _, statement := range []string{
		"create table public.failover_probe (seller_id uuid, at timestamptz)",
		"select create_distributed_table('public.failover_probe', 'seller_id', colocate_with => 'orders.seller_clock')",
	} {
		if err := execute(ctx, coordinator, statement); err != nil {
			return err
		}
	}
	on, _, err := divide(ctx, coordinator, port, s.sellers)
	if err != nil {
		return err
	}
	here := map[string]bool{}
	for _, seller := range on {
		here[seller.id] = true
	}
	seller := uuid.MustParse(on[0].id)
	g.affects = func(c call) bool { return here[c.order.seller.id] }
	g.write = func(ctx context.Context) error {
		return execute(ctx, coordinator, "insert into public.failover_probe values ($1, now())", seller)
	}
	return nil
}

// divide divides the sellers into those whose rows are on the node with the port, at least one, and the others.
func divide(ctx context.Context, coordinator string, port int, sellers []seller) (on, off []seller, err error) {
	conn, err := pgx.Connect(ctx, coordinator)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, seller := range sellers {
		const where = `select nodeport from pg_dist_shard_placement
			where shardid = get_shard_id_for_distribution_column('orders.seller_clock', $1::uuid)`
		var at int
		if err := conn.QueryRow(ctx, where, seller.id).Scan(&at); err != nil {
			return nil, nil, fmt.Errorf("find the node of a seller's rows: %w", err)
		}
		if at == port {
			on = append(on, seller)
		} else {
			off = append(off, seller)
		}
	}
	if len(on) == 0 {
		return nil, nil, errElsewhere
	}
	return on, off, nil
}

// pairs returns pairs of a seller whose rows are on the node with the port and one on another node. The home is on either in
// turns.
func pairs(ctx context.Context, coordinator string, port int, sellers []seller) ([][]seller, error) {
	on, off, err := divide(ctx, coordinator, port, sellers)
	if err != nil {
		return nil, err
	}
	var paired [][]seller
	for n := range min(len(on), len(off)) {
		pair := []seller{on[n], off[n]}
		if n%2 == 1 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		paired = append(paired, pair)
	}
	return paired, nil
}

// preparedTimeout is how long a prepared transaction is waited for, and how long one that was left may stay.
const preparedTimeout = 2 * time.Minute

// awaitPrepared returns as soon as the node has prepared a transaction, which usually is not committed yet when it returns. The
// loop is on the server, because a transaction is prepared for a few milliseconds only.
func awaitPrepared(ctx context.Context, node string) error {
	ctx, cancel := context.WithTimeout(ctx, preparedTimeout)
	defer cancel()
	return execute(ctx, node, "do 'begin loop exit when exists (select from pg_prepared_xacts); end loop; end'")
}

// leftovers are transactions that were prepared when a node was started again, and their end.
type leftovers struct {
	count int
	since time.Time
	ended chan struct{}
	took  time.Duration
	err   error
}

// leftPrepared reads which transactions are prepared on a node, and watches until they are resolved.
func leftPrepared(ctx context.Context, node string) (*leftovers, error) {
	conn, err := pgx.Connect(ctx, node)
	if err != nil {
		return nil, err
	}
	rows, _ := conn.Query(ctx, "select gid from pg_prepared_xacts")
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	left := &leftovers{count: len(names), since: time.Now(), ended: make(chan struct{})}
	go func() {
		defer close(left.ended)
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		left.err = left.watch(ctx, conn, names)
	}()
	return left, nil
}

var errPrepared = errors.New("transactions stay prepared")

func (l *leftovers) watch(ctx context.Context, conn *pgx.Conn, names []string) error {
	for time.Since(l.since) < preparedTimeout {
		var some bool
		err := conn.QueryRow(ctx, "select exists (select from pg_prepared_xacts where gid = any ($1))", names).Scan(&some)
		if err != nil {
			return err
		}
		l.took = time.Since(l.since)
		if !some {
			return nil
		}
		if !pause(ctx, probePause) {
			return ctx.Err()
		}
	}
	return errPrepared
}

// outcome waits until all are resolved, and returns how many there were and how long it took.
func (l *leftovers) outcome() (int, time.Duration, error) {
	<-l.ended
	return l.count, l.took, l.err
}
