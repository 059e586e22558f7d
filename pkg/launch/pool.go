package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// slots is how many test processes may run at once.
const slots = 64

// poolDir returns the directory of this user's pool. It is in memory if there is room: each
// test creates and removes a database of some hundred files, which on a disk takes up to 40 % of
// the processor time of a package of tests. Otherwise it is below the system's temporary directory and not
// in the user's cache, because root's home is closed to the user that servers run as.
func poolDir() string {
	return filepath.Join(cmp.Or(inMemory(), os.TempDir()), fmt.Sprintf("sellerapi-tests-%d", os.Geteuid()))
}

// PooledPostgres starts a PostgreSQL for the tests of this process on the first free directory
// of a pool that all test processes of this user share. No other server uses the directory
// while the server runs. Later processes reuse it, so that initdb runs once per directory and
// not once per test binary. Everything that earlier tests left in it has been removed.
func PooledPostgres(ctx context.Context) (*Server, error) { return pooledPostgres(ctx, poolDir()) }

// PooledRedis starts an empty Redis for the tests of this process in the same way.
func PooledRedis(ctx context.Context) (*Server, error) { return pooledRedis(ctx, poolDir()) }

// PooledPostgresAs is PooledPostgres with other settings, from a pool of servers of the name, which all have these settings.
func PooledPostgresAs(ctx context.Context, name string, settings map[string]string) (*Server, error) {
	return pooledServer(ctx, poolDir(), name, Options{Settings: settings})
}

func pooledPostgres(ctx context.Context, pool string) (*Server, error) {
	return pooledServer(ctx, pool, "postgres", Options{Settings: map[string]string{
		"max_connections": "300",
		"wal_level":       "minimal", "max_wal_senders": "0", "min_wal_size": "32MB", "max_wal_size": "256MB",
	}})
}

func pooledServer(ctx context.Context, pool, name string, options Options) (*Server, error) {
	user, err := serverAccount("postgres", "nobody")
	if err != nil {
		return nil, err
	}
	h, err := freeSlot(pool, name, user)
	if err != nil {
		return nil, err
	}
	s, err := postgresKind.startIn(ctx, h, options)
	if err != nil && ctx.Err() == nil {
		// A directory of the pool is not worth repairing: without fsync, a crash of the machine
		// may have left it in any state.
		s, err = startAnew(ctx, pool, name, user, options)
	}
	if err != nil {
		return nil, err
	}
	if err := recreateDatabase(ctx, s.URL); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// startAnew removes the data of a free directory of the pool and starts PostgreSQL on it.
func startAnew(ctx context.Context, pool, name string, user *account, options Options) (*Server, error) {
	h, err := freeSlot(pool, name, user)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(h.path("data")); err != nil {
		h.close()
		return nil, err
	}
	return postgresKind.startIn(ctx, h, options)
}

func pooledRedis(ctx context.Context, pool string) (*Server, error) {
	user, err := serverAccount("redis", "nobody")
	if err != nil {
		return nil, err
	}
	h, err := freeSlot(pool, "redis", user)
	if err != nil {
		return nil, err
	}
	return redisKind.startIn(ctx, h, Options{})
}

// freeSlot opens and locks the first unused directory of the pool. It skips directories of
// another account: servers ran as the user nobody before their package, and with it their own
// account, was installed.
func freeSlot(pool, name string, user *account) (*home, error) {
	pool, err := place(pool, user)
	if err != nil {
		return nil, err
	}
	if err := makeDir(pool, nil, 0o711); err != nil { // servers of other users pass through it
		return nil, err
	}
	for n := range slots {
		h, err := openHome(filepath.Join(pool, fmt.Sprintf("%s-%d", name, n)), user, 0)
		if err == nil || !errors.Is(err, errInUse) && !errors.Is(err, errForeign) {
			return h, err
		}
	}
	return nil, fmt.Errorf("all %d directories in %s are in use", slots, pool)
}
