package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/allinone/internal/child"
	"sellerapi.dev/services/allinone/internal/envfile"
	"sellerapi.dev/services/allinone/internal/up"
	"sellerapi.dev/services/allinone/launch"
)

// sellers is how many trade in each marketplace. Seller A, whose pages are read, has the largest part.
const sellers = 20

// flags are those of the measured systems. Limits are checked as always, but never met.
var flags = []string{
	"--orders=0", "--rate-window=1s", "--rate-read=100000", "--rate-process=100000", "--rate-rows=10000000", "--rate-patience=10s",
}

// world is a marketplace of one size, in a database of its own, and the system that runs on it.
type world struct {
	orders      int
	databaseURL string
	child       *child.Child
	env         envfile.Values
	keys        []string
	cases       []benchCase
	// stock are orders to ship, placed is how many there ever were.
	stock  []shippable
	placed int
}

// newWorld makes a marketplace and starts a system on it.
func (b *benchmark) newWorld(ctx context.Context, number, size int) (*world, error) {
	w := &world{orders: size}
	var err error
	if w.databaseURL, err = b.servers.newDatabase(ctx, size); err != nil {
		return nil, err
	}
	redisURL := strings.TrimSuffix(b.servers.redis.URL, "/0") + fmt.Sprintf("/%d", number)
	if w.child, err = child.Start(ctx, b.runDir(size), flags, []string{"DATABASE_URL=" + w.databaseURL, "REDIS_URL=" + redisURL}); err != nil {
		return nil, err
	}
	if err := b.settleIn(ctx, w); err != nil {
		return nil, errors.Join(err, w.child.Stop())
	}
	return w, nil
}

// settleIn fills the marketplace and prepares what is asked of it.
func (b *benchmark) settleIn(ctx context.Context, w *world) error {
	w.env = w.child.Env
	err := up.Fill(ctx, up.FillOptions{
		RunDir: b.runDir(w.orders), Orders: w.orders, Sellers: sellers, Seed: 1,
		Base: time.Now().Add(-time.Second).Truncate(time.Second), Out: b.Progress, Progress: b.Progress,
	})
	if err != nil {
		return err
	}
	if w.keys, err = issueKeys(ctx, w.env); err != nil {
		return err
	}
	// What autovacuum would do in time: both sides shall find the tables as they usually are.
	for _, statement := range []string{"vacuum analyze", "checkpoint"} {
		if err := w.do(ctx, statement); err != nil {
			return err
		}
	}
	w.cases, err = w.findCases(ctx)
	return err
}

// do executes a statement in the world's database.
func (w *world) do(ctx context.Context, statement string) error {
	return query(ctx, w.databaseURL, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement)
		return err
	})
}

// servers are the private PostgreSQL and Redis under the measured systems.
type servers struct{ postgres, redis *launch.Server }

func startServers(ctx context.Context, dir string) (*servers, error) {
	s := &servers{}
	var err error
	if s.postgres, err = launch.Postgres(ctx, filepath.Join(dir, "postgres"), launch.Options{Durable: true}); err != nil {
		return s, err
	}
	s.redis, err = launch.Redis(ctx, filepath.Join(dir, "redis"), launch.Options{Durable: true})
	return s, err
}

// stop ends the servers and removes their data.
func (s *servers) stop() error {
	var err error
	for _, server := range []*launch.Server{s.postgres, s.redis} {
		if server != nil {
			err = errors.Join(err, server.Stop(), launch.Forget(server.Dir))
		}
	}
	return err
}

// newDatabase makes a database for a size and returns its address.
func (s *servers) newDatabase(ctx context.Context, size int) (string, error) {
	address, err := url.Parse(s.postgres.URL)
	if err != nil {
		return "", errors.New("the benchmark's database has an address that cannot be read")
	}
	address.Path = fmt.Sprintf("/orders_%d", size)
	return address.String(), query(ctx, s.postgres.URL, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, fmt.Sprintf("create database orders_%d", size))
		return err
	})
}

// query runs fn on a connection of its own.
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
