package failover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/launch"
)

type ground struct {
	database, redis string
	distributed     bool
	// group, unless it is nil, divides the sellers into those that share each order; otherwise no order is shared.
	group func(ctx context.Context, sellers []seller) ([][]seller, error)

	servers []*launch.Server
	// prepare is called, unless it is nil, when the system runs and before anything is killed.
	prepare func(ctx context.Context, s *system) error
	// kill kills a server. recover replaces or restarts it; recover is nil where the servers do so themselves.
	kill    func() error
	recover func(ctx context.Context) error
	// write is a plain client's write to the server that takes over.
	write func(ctx context.Context) error
	// truth returns the connection string of the database at the end of the trial.
	truth func() string
	// affects reports whether a call needs the server that is killed. It is nil when all calls do.
	affects func(call) bool
	// resolved waits until the transactions are resolved that the killed server had prepared, and returns how many there were and
	// how long after recover the last one was resolved. It is nil where servers do not prepare transactions.
	resolved func() (int, time.Duration, error)
}

// stop stops all servers, the one started last first.
func (g *ground) stop() error {
	var err error
	for n := len(g.servers) - 1; n >= 0; n-- {
		err = errors.Join(err, g.servers[n].Stop())
	}
	return err
}

func (g *ground) own(server *launch.Server, err error) (*launch.Server, error) {
	if err == nil {
		g.servers = append(g.servers, server)
	}
	return server, err
}

// durable are the options of servers that persist data as in production.
var durable = launch.Options{Durable: true}

func startPair(ctx context.Context, _ Options, dir string) (g *ground, err error) {
	g = &ground{}
	defer func() { err = g.unless(err) }()
	redis, err := g.own(launch.Redis(ctx, filepath.Join(dir, "redis"), durable))
	if err != nil {
		return g, err
	}
	followed := launch.Options{Durable: true, Settings: launch.ReplicatedSettings()}
	primary, err := g.own(launch.Postgres(ctx, filepath.Join(dir, "primary"), followed))
	if err != nil {
		return g, err
	}
	standby, err := g.own(primary.Standby(ctx, filepath.Join(dir, "standby")))
	if err != nil {
		return g, err
	}
	if err := primary.Synchronise(ctx); err != nil {
		return g, err
	}
	if err := execute(ctx, primary.URL, "create table public.failover_probe (at timestamptz)"); err != nil {
		return g, err
	}
	g.database, err = either(primary.URL, standby.Port)
	g.redis, g.kill, g.recover = redis.URL, primary.Kill, standby.Promote
	g.write = func(ctx context.Context) error {
		return execute(ctx, standby.URL, "insert into public.failover_probe values (now())")
	}
	g.truth = func() string { return standby.URL }
	return g, err
}

// unless stops the servers that were started when err is not nil.
func (g *ground) unless(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, g.stop())
}

func either(first string, other int) (string, error) {
	address, err := url.Parse(first)
	if err != nil {
		return "", errors.New("the address of the primary cannot be read")
	}
	address.Host += fmt.Sprintf(",%s:%d", address.Hostname(), other)
	query := address.Query()
	query.Set("target_session_attrs", "read-write")
	address.RawQuery = query.Encode()
	return address.String(), nil
}

// sentinelCount is the number of sentinels that watch Redis, as in production.
const sentinelCount = 3

func startGroup(ctx context.Context, _ Options, dir string) (g *ground, err error) {
	g = &ground{}
	defer func() { err = g.unless(err) }()
	postgres, err := g.own(launch.Postgres(ctx, filepath.Join(dir, "postgres"), durable))
	if err != nil {
		return g, err
	}
	master, err := g.own(launch.Redis(ctx, filepath.Join(dir, "master"), durable))
	if err != nil {
		return g, err
	}
	if _, err := g.own(master.Replica(ctx, filepath.Join(dir, "replica"))); err != nil {
		return g, err
	}
	sentinels, err := master.Sentinels(ctx, filepath.Join(dir, "sentinels"), sentinelCount, launch.SentinelSilence)
	if err != nil {
		return g, err
	}
	g.servers = append(g.servers, sentinels...)
	if err := launch.Watched(ctx, sentinels, 1); err != nil {
		return g, err
	}
	address, err := url.Parse(sentinels[0].URL)
	if err != nil {
		return g, err
	}
	host := address.Hostname()
	for _, other := range sentinels[1:] {
		address.Host += fmt.Sprintf(",%s:%d", host, other.Port)
	}
	password, _ := address.User.Password()
	address.RawQuery = url.Values{"master_name": {launch.SentinelMaster}, "sentinel_password": {password}}.Encode()
	g.database, g.redis, g.kill = postgres.URL, address.String(), master.Kill
	g.write = func(ctx context.Context) error { return setThrough(ctx, sentinels) }
	g.truth = func() string { return postgres.URL }
	return g, nil
}

// setThrough writes to the Redis that one of the sentinels names, on connections of its own. Sentinels name a promoted replica
// about 0.9 seconds after it begins to accept writes, when the replica itself has reported its role to them.
func setThrough(ctx context.Context, sentinels []*launch.Server) (err error) {
	for _, sentinel := range sentinels {
		if err = setAsTold(ctx, sentinel.URL); err == nil {
			return nil
		}
	}
	return err
}

func setAsTold(ctx context.Context, sentinel string) error {
	options, err := redis.ParseURL(sentinel)
	if err != nil {
		return err
	}
	options.MaxRetries, options.DialerRetries = -1, 1
	asked := redis.NewSentinelClient(options)
	master, err := asked.GetMasterAddrByName(ctx, launch.SentinelMaster).Result()
	if err := errors.Join(err, asked.Close()); err != nil {
		return err
	}
	told := *options
	told.Addr = net.JoinHostPort(master[0], master[1])
	client := redis.NewClient(&told)
	return errors.Join(client.Set(ctx, "failover_probe", 1, probeTimeout).Err(), client.Close())
}

func execute(ctx context.Context, server, statement string, args ...any) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, statement, args...)
	return err
}
