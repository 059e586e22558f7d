package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgconn"
)

// distributedSettings are those of each node of a distributed PostgreSQL, beside its own.
var distributedSettings = map[string]string{
	"shared_preload_libraries": "citus", "citus.node_conninfo": "sslmode=disable",
	// The coordinator keeps connections to the nodes for each of its own.
	"max_connections": "400", "max_prepared_transactions": "400",
	"wal_level": "logical", "max_wal_size": "256MB",
	// A deadlock over several nodes is found by the coordinator, which looks at multiples of deadlock_timeout.
	"deadlock_timeout": "100ms",
}

// PooledCluster starts a distributed PostgreSQL for the tests of this process, as PooledPostgres does: a coordinator, which comes
// first, and so many workers, which have the rows. They need the extension Citus beside the server's programs; see Distributable.
func PooledCluster(ctx context.Context, workers int) ([]*Server, error) {
	var nodes []*Server
	for range workers + 1 {
		node, err := pooledServer(ctx, poolDir(), "citus", Options{Settings: distributedSettings})
		if err != nil {
			return nil, errors.Join(err, stopAll(nodes))
		}
		nodes = append(nodes, node)
	}
	if err := join(ctx, nodes[0], nodes[1:]); err != nil {
		return nil, errors.Join(err, stopAll(nodes))
	}
	return nodes, nil
}

// Distributable reports whether the extension Citus is installed for the PostgreSQL of this machine.
func Distributable() bool {
	programs, err := system().postgres("")
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(programs, "../lib/citus.so"))
	return err == nil
}

// join makes nodes one database. All have the coordinator's password then, which it gives to its workers by itself.
func join(ctx context.Context, coordinator *Server, workers []*Server) error {
	adding := []string{fmt.Sprintf("select citus_set_coordinator_host('%s', %d)", loopback, coordinator.Port)}
	for _, worker := range workers {
		if err := worker.rekey(ctx, coordinator.home.password); err != nil {
			return err
		}
		adding = append(adding, fmt.Sprintf("select citus_add_node('%s', %d)", loopback, worker.Port))
	}
	for _, node := range append(workers, coordinator) {
		err := perform(ctx, node.URL, "create extension citus",
			fmt.Sprintf("insert into pg_dist_authinfo values (0, '%s', 'password=%s')", database, coordinator.home.password))
		if err != nil {
			return fmt.Errorf("prepare the node of port %d: %w", node.Port, err)
		}
	}
	return perform(ctx, coordinator.URL, adding...)
}

// rekey gives the server's user another password. The file is written first: a server that was left between the two is made anew.
func (s *Server) rekey(ctx context.Context, password string) error {
	if err := s.home.write("password", password); err != nil {
		return err
	}
	if err := perform(ctx, s.URL, fmt.Sprintf("alter role %s password '%s'", database, password)); err != nil {
		return err
	}
	s.home.password = password
	s.URL = s.kind.url(s.home, s.Port)
	return nil
}

// perform runs statements one after the other.
func perform(ctx context.Context, server string, statements ...string) error {
	conn, err := pgconn.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement).ReadAll(); err != nil {
			return err
		}
	}
	return nil
}

// stopAll stops servers.
func stopAll(servers []*Server) error {
	problems := make([]error, 0, len(servers))
	for _, s := range servers {
		problems = append(problems, s.Stop())
	}
	return errors.Join(problems...)
}
