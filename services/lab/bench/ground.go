package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/lab/child"
)

// errDatabase omits the address, because it contains a password.
var errDatabase = errors.New("the benchmark's database has an invalid URL")

// serverSettings are the settings of the PostgreSQL that all measured systems use: connections for several systems, and
// buffers for the most frequently used pages of the largest of their databases.
var serverSettings = map[string]string{
	"max_connections": "400", "shared_buffers": "512MB", "max_wal_size": "4GB",
}

type ground struct {
	postgres, redis *launch.Server
	// collector receives the spans of all services at the address.
	collector *child.Process
	spansAt   string
	databases int
}

func startGround(ctx context.Context, dir string) (*ground, error) {
	g := &ground{}
	var err error
	g.postgres, err = launch.Postgres(ctx, filepath.Join(dir, "postgres"), launch.Options{Durable: true, Settings: serverSettings})
	if err != nil {
		return g, err
	}
	if g.redis, err = launch.Redis(ctx, filepath.Join(dir, "redis"), launch.Options{Durable: true}); err != nil {
		return g, err
	}
	g.collector, err = child.Run(ctx, &g.spansAt, ChildCommand, spansChild)
	return g, err
}

// stop stops the servers, removes their data, and returns how many spans were received.
func (g *ground) stop() (spans int64, err error) {
	if g.collector != nil {
		err = g.collector.Last(&spans)
	}
	for _, server := range []*launch.Server{g.postgres, g.redis} {
		if server != nil {
			err = errors.Join(err, server.Stop(), launch.Forget(server.Dir))
		}
	}
	return spans, err
}

func (g *ground) newDatabases(ctx context.Context, name string) (database, redis string, err error) {
	address, err := url.Parse(g.postgres.URL)
	if err != nil {
		return "", "", errDatabase
	}
	address.Path = "/" + name
	redis = strings.TrimSuffix(g.redis.URL, "/0") + fmt.Sprintf("/%d", g.databases)
	g.databases++
	return address.String(), redis, execute(ctx, g.postgres.URL, "create database "+pgx.Identifier{name}.Sanitize())
}

func query(ctx context.Context, address string, fn func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("benchmark's database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := fn(conn); err != nil {
		return fmt.Errorf("benchmark's database: %w", err)
	}
	return nil
}

// execute runs statements without arguments, each in a transaction of its own.
func execute(ctx context.Context, address string, statements ...string) error {
	return query(ctx, address, func(conn *pgx.Conn) error {
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}
