// Package nodes starts a distributed PostgreSQL on this machine: private servers of package launch with the extension Citus.
package nodes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"sellerapi.dev/pkg/launch"
)

// ErrNoCitus is returned when the extension for a distributed PostgreSQL is not installed with the server.
var ErrNoCitus = errors.New("the PostgreSQL extension Citus is not installed on this machine")

// RecoveryInterval is how often the nodes of a distributed PostgreSQL look for transactions that were prepared when a node or its
// connection failed, and resolve them. The rows of such a transaction stay locked until then.
const RecoveryInterval = time.Second

// settings are settings of each node of a distributed PostgreSQL, in addition to those of every PostgreSQL.
var settings = map[string]string{
	"shared_preload_libraries": "citus", "citus.node_conninfo": "sslmode=disable",
	// For each of its own connections the coordinator keeps connections to the nodes.
	"max_connections": "400", "max_prepared_transactions": "400",
	// Each database has a process of the extension on each node, which detects deadlocks and resolves the transactions that
	// a lost coordinator left behind.
	"max_worker_processes": "64",
	"wal_level":            "logical", "max_wal_size": "256MB",
	// A deadlock over several nodes is found by the coordinator, which checks at multiples of deadlock_timeout.
	"deadlock_timeout": "100ms",
	// The default is a minute.
	"citus.recover_2pc_interval": RecoveryInterval.String(),
}

// Cluster is a distributed PostgreSQL: a coordinator, to which clients connect, and workers, which hold the rows.
type Cluster struct {
	Coordinator *launch.Server
	Workers     []*launch.Server

	making sync.Mutex // one database at a time: creating each takes several connections of the nodes
}

// Pooled starts a distributed PostgreSQL for the tests of this process, as [launch.PooledPostgres] does. It returns
// ErrNoCitus when the extension Citus is not installed with the server.
func Pooled(ctx context.Context, workers int) (*Cluster, error) {
	return newCluster(ctx, workers, func(int, string) (*launch.Server, error) {
		return launch.PooledPostgresAs(ctx, "citus", settings)
	})
}

// Start starts a distributed PostgreSQL on the data below dir, created on first use, as [launch.Postgres] does. The number
// of workers must be that of the first use. Settings of options are added to those that the layout needs.
func Start(ctx context.Context, dir string, workers int, options launch.Options) (*Cluster, error) {
	settings := maps.Clone(settings)
	maps.Copy(settings, options.Settings)
	options.Settings = settings
	return newCluster(ctx, workers, func(n int, password string) (*launch.Server, error) {
		options.Password = password
		return launch.Postgres(ctx, filepath.Join(dir, nodeName(n)), options)
	})
}

// Forget removes everything that Start has stored for dir. Its servers must have been stopped.
func Forget(dir string, workers int) error {
	problems := make([]error, 0, workers+1)
	for n := range workers + 1 {
		problems = append(problems, launch.Forget(filepath.Join(dir, nodeName(n))))
	}
	return errors.Join(problems...)
}

// nodeName returns the directory name of a node; node 0 is the coordinator.
func nodeName(n int) string {
	if n == 0 {
		return "coordinator"
	}
	return fmt.Sprintf("worker-%d", n)
}

// newCluster starts the workers behind a coordinator and joins their databases. start receives the coordinator's password,
// which is empty for the coordinator itself.
func newCluster(ctx context.Context, workers int, start func(n int, password string) (*launch.Server, error)) (*Cluster, error) {
	var nodes []*launch.Server
	var password string
	for n := range workers + 1 {
		node, err := start(n, password)
		if err != nil {
			return nil, errors.Join(explainCitus(err), launch.StopAll(nodes))
		}
		nodes = append(nodes, node)
		password = nodes[0].Password()
	}
	c := &Cluster{Coordinator: nodes[0], Workers: nodes[1:]}
	if err := c.share(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// explainCitus turns a server's error about the missing extension into ErrNoCitus.
func explainCitus(err error) error {
	if strings.Contains(err.Error(), `could not access file "citus"`) {
		return ErrNoCitus
	}
	return err
}

// share gives all nodes the coordinator's password, with which the coordinator connects to its workers, and joins the database.
func (c *Cluster) share(ctx context.Context) error {
	for _, worker := range c.Workers {
		if err := worker.SetPassword(ctx, c.Coordinator.Password()); err != nil {
			return err
		}
	}
	return c.join(ctx, launch.Database)
}

// Database creates one more distributed database on all nodes and returns the coordinator's connection string for it.
func (c *Cluster) Database(ctx context.Context, name string) (string, error) {
	c.making.Lock()
	defer c.making.Unlock()
	for _, node := range c.Nodes() {
		if err := launch.Execute(ctx, node.URL, "create database "+name); err != nil {
			return "", fmt.Errorf("create a database on the node of port %d: %w", node.Port, err)
		}
	}
	return launch.InDatabase(c.Coordinator.URL, name), c.join(ctx, name)
}

// DropDatabase drops a database on all nodes, even while clients are connected. The database is closed on every node before it is
// dropped on one: the extension's own process of a database ends only between its connections to other nodes, and such a
// connection to a database that is being dropped would wait for the drop, which waits for the process.
func (c *Cluster) DropDatabase(ctx context.Context, name string) error {
	for _, step := range []func(ctx context.Context, url, name string) error{closeDatabase, disconnect, drop} {
		for _, node := range c.Nodes() {
			if err := step(ctx, node.URL, name); err != nil {
				return fmt.Errorf("drop a database on the node of port %d: %w", node.Port, err)
			}
		}
	}
	return nil
}

// closeDatabase lets nobody connect to a database any more. A database that is missing is not an error.
func closeDatabase(ctx context.Context, url, name string) error {
	err := launch.Execute(ctx, url, "alter database "+name+" allow_connections false")
	if isMissing(err) {
		return nil
	}
	return err
}

// disconnect ends the sessions of a database and waits for each, 30 seconds at most.
func disconnect(ctx context.Context, url, name string) error {
	return launch.Execute(ctx, url,
		"select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = '"+name+"'")
}

func drop(ctx context.Context, url, name string) error {
	return launch.Execute(ctx, url, "drop database if exists "+name+" with (force)")
}

// isMissing reports whether a database does not exist.
func isMissing(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "3D000"
}

// join joins the databases of one name on all nodes into one distributed database. For databases that were joined before,
// it corrects the ports of the nodes, separately on every node, because until then no node can reach another.
func (c *Cluster) join(ctx context.Context, name string) error {
	nodes := c.Nodes()
	statements := make([]string, 0, 2+len(nodes))
	statements = append(statements, "create extension if not exists citus", fmt.Sprintf(
		"insert into pg_dist_authinfo values (0, '%s', 'password=%s') on conflict do nothing",
		launch.Database, c.Coordinator.Password()))
	for group, known := range nodes {
		statements = append(statements, fmt.Sprintf(
			"update pg_dist_node set nodeport = %d where groupid = %d and nodeport <> %[1]d", known.Port, group))
	}
	for _, node := range nodes {
		if err := launch.Execute(ctx, launch.InDatabase(node.URL, name), statements...); err != nil {
			return fmt.Errorf("prepare the node of port %d: %w", node.Port, err)
		}
	}
	adding := []string{fmt.Sprintf("select citus_set_coordinator_host('%s', %d)", "127.0.0.1", c.Coordinator.Port)}
	for _, worker := range c.Workers {
		adding = append(adding, fmt.Sprintf("select citus_add_node('%s', %d)", "127.0.0.1", worker.Port))
	}
	return launch.Execute(ctx, launch.InDatabase(c.Coordinator.URL, name), adding...)
}

// Nodes returns the coordinator and the workers, in this order.
func (c *Cluster) Nodes() []*launch.Server {
	return append([]*launch.Server{c.Coordinator}, c.Workers...)
}

// Stop stops all nodes gracefully, the coordinator first.
func (c *Cluster) Stop() error { return launch.StopAll(c.Nodes()) }
