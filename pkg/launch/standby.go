package launch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// replicationTimeout bounds the time until a standby streams, and until a promoted one accepts writes.
const replicationTimeout = time.Minute

// replicatedSettings are settings of a PostgreSQL that standbys may follow, in addition to those of every PostgreSQL. WAL
// that a standby has not fetched yet is kept while the standby is down.
var replicatedSettings = map[string]string{
	"wal_level": "replica", "max_wal_senders": "10", "wal_keep_size": "256MB", "max_connections": "300",
}

// ReplicatedSettings are the Options.Settings of a PostgreSQL that standbys may follow.
func ReplicatedSettings() map[string]string { return maps.Clone(replicatedSettings) }

// Standby starts a PostgreSQL below dir that streams everything that s writes, and returns when it answers reads. It is a
// copy of s, taken now unless dir already holds one, runs with the options of s and has its password.
func (s *Server) Standby(ctx context.Context, dir string) (*Server, error) {
	h, err := openHome(dir, s.home.user, lockTimeout)
	if err != nil {
		return nil, fmt.Errorf("start a standby: %w", err)
	}
	return s.standbyIn(ctx, h)
}

// standbyIn is Standby in an opened home, which it closes on failure.
func (s *Server) standbyIn(ctx context.Context, h *home) (*Server, error) {
	if err := h.share(s.home); err != nil {
		h.close()
		return nil, err
	}
	options := s.options
	options.Port = 0
	return standbyKind(s).startIn(ctx, h, options)
}

func (h *home) share(other *home) error {
	h.password = other.password
	return h.write("password", other.password)
}

func standbyKind(primary *Server) *kind {
	standby := *postgresKind
	standby.afterStart = nil // it has the database from the primary
	standby.prepare = func(ctx context.Context, h *home, _ Options) error {
		return prepareData(ctx, h, func(ctx context.Context, h *home) error {
			source := fmt.Sprintf("host=%s port=%d user=%s sslmode=disable", loopback, primary.Port, Database)
			return populate(ctx, h, []string{"PGPASSWORD=" + h.password}, "pg_basebackup",
				"--dbname="+source, "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync")
		})
	}
	return &standby
}

// Synchronise makes each commit of s, from now on, wait until a standby has it too.
func (s *Server) Synchronise(ctx context.Context) error {
	if err := Execute(ctx, s.URL, "alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"); err != nil {
		return err
	}
	return eventually(ctx, s.URL,
		"select exists (select from pg_stat_replication where state = 'streaming' and sync_state = 'sync')")
}

// Promote makes a standby a primary, and returns when it accepts writes.
func (s *Server) Promote(ctx context.Context) error {
	if err := Execute(ctx, s.URL, "select pg_promote(false)"); err != nil {
		return err
	}
	return eventually(ctx, s.URL, "select not pg_is_in_recovery()")
}

func eventually(ctx context.Context, server, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, replicationTimeout)
	defer cancel()
	conn, err := pgconn.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for {
		results, err := conn.Exec(ctx, statement).ReadAll()
		if err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
		if string(results[0].Rows[0][0]) == "t" {
			return nil
		}
		<-time.After(pollInterval) // the statement fails when the timeout has passed
	}
}

// PooledPair starts a PostgreSQL and a standby of it for the tests of this process, on directories of the pool whose data
// is created anew. The standby is not synchronous; see Synchronise.
func PooledPair(ctx context.Context) (primary, standby *Server, err error) {
	user, err := serverAccount("postgres", "nobody")
	if err != nil {
		return nil, nil, err
	}
	pool := poolDir()
	if primary, err = startAnew(ctx, pool, "primary", user, Options{Settings: ReplicatedSettings()}); err != nil {
		return nil, nil, err
	}
	if standby, err = pooledStandby(ctx, primary, pool); err != nil {
		return nil, nil, errors.Join(err, primary.Stop())
	}
	return primary, standby, nil
}

func pooledStandby(ctx context.Context, primary *Server, pool string) (*Server, error) {
	h, err := freeSlot(pool, "standby", primary.home.user)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(h.path("data")); err != nil {
		h.close()
		return nil, err
	}
	return primary.standbyIn(ctx, h)
}
