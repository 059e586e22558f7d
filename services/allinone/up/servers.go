package up

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres/distributed/nodes"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/allinone/rundir"
)

type servers struct {
	database, redis secret.Text
	// ended receives the name of a private server that has ended by itself.
	ended chan string

	private []*launch.Server
}

const workers = 2

// startServers starts the servers that were not configured. The result must be stopped even
// when there is an error.
func startServers(ctx context.Context, dir rundir.Dir, options Options) (*servers, error) {
	s := &servers{
		database: secret.New(options.DatabaseURL), redis: secret.New(options.RedisURL), ended: make(chan string, workers+2),
	}
	var redis *launch.Server
	var nodes []*launch.Server
	var group errgroup.Group
	if options.DatabaseURL == "" {
		group.Go(func() (err error) {
			nodes, err = startPostgres(ctx, dir, options.Layout)
			return err
		})
	}
	if options.RedisURL == "" {
		group.Go(func() (err error) {
			redis, err = launch.Redis(ctx, dir.Path("redis"), launch.Options{Durable: true})
			return err
		})
	}
	err := group.Wait()
	s.own("Redis", redis, &s.redis)
	for n := len(nodes) - 1; n >= 0; n-- { // clients connect to the first one
		s.own("PostgreSQL", nodes[n], &s.database)
	}
	return s, err
}

// startPostgres starts the nodes of a layout and returns them, beginning with the one that
// clients connect to.
func startPostgres(ctx context.Context, dir rundir.Dir, layout Layout) ([]*launch.Server, error) {
	if layout == Distributed {
		cluster, err := nodes.Start(ctx, dir.Path(clusterName), workers, launch.Options{Durable: true})
		if err != nil {
			return nil, err
		}
		return cluster.Nodes(), nil
	}
	one, err := launch.Postgres(ctx, dir.Path("postgres"), launch.Options{Durable: true})
	if err != nil {
		return nil, err
	}
	return []*launch.Server{one}, nil
}

// own adds a private server to those that stop stops, and watches it.
func (s *servers) own(name string, server *launch.Server, address *secret.Text) {
	if server == nil {
		return
	}
	*address = secret.New(server.URL)
	s.private = append(s.private, server)
	ended := server.Ended()
	go func() { <-ended; s.ended <- name }()
}

// stop stops the private servers gracefully, a coordinator before its workers.
func (s *servers) stop() error {
	var err error
	for n := len(s.private) - 1; n >= 0; n-- {
		err = errors.Join(err, s.private[n].Stop())
	}
	return err
}

// Forget removes everything that private servers have stored for the run directory, and the
// directory itself. Nothing may run in it.
func Forget(path string) error {
	dir, err := rundir.Open(path)
	if err != nil {
		return err
	}
	release, err := dir.Lock()
	if err != nil {
		return err
	}
	defer release()
	return errors.Join(launch.Forget(dir.Path("postgres")), nodes.Forget(dir.Path(clusterName), workers),
		launch.Forget(dir.Path("redis")), launch.Forget(dir.Path("")))
}
