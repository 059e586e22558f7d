package pgtest

import (
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// Pair is a database on a dedicated server, with a streaming standby.
type Pair struct {
	DB
	// Standby is the standby server.
	Standby *launch.Server

	replica *postgres.Pool
}

// NewPair starts both servers, applies the migrations, and waits until the standby has replayed them. Both servers stop with the
// test.
func NewPair(tb testing.TB, migrations fs.FS) *Pair {
	tb.Helper()
	primary, standby, err := launch.PooledPair(tb.Context())
	require.NoError(tb, err, "tests need PostgreSQL")
	for _, server := range []*launch.Server{primary, standby} {
		tb.Cleanup(func() { require.NoError(tb, server.Stop()) })
	}
	config := Config(tb)
	config.URL = secret.New(primary.URL)
	require.NoError(tb, postgres.Migrate(tb.Context(), config, Schema, migrations))
	ownRole(tb, config)
	pair := &Pair{DB: DB{Config: config, Schema: Schema}, Standby: standby}
	pair.Pool = pair.Open(tb, telemetrytest.Discard(tb))
	pair.await(tb)
	return pair
}

// Replicated opens a pool as a service has it in production, which reads lists from the standby. tel counts from where pages were
// read.
func (p *Pair) Replicated(tb testing.TB, tel *telemetry.Telemetry, settings map[string]string) *postgres.Pool {
	tb.Helper()
	secured := p.DB
	secured.Config.Settings = map[string]string{"role": serviceRole}
	for name, value := range settings {
		secured.Config.Settings[name] = value
	}
	pool := secured.Open(tb, tel)
	replica := postgres.ReplicaConfig{URL: secret.New(p.Standby.URL)}
	require.NoError(tb, pool.OpenReplica(tb.Context(), replica, secured.Config, Schema, tel))
	return pool
}

// Pause pauses the replay on the standby: it still receives WAL but does not apply it.
func (p *Pair) Pause(tb testing.TB) {
	tb.Helper()
	p.await(tb)
	p.onStandby(tb, "select pg_wal_replay_pause()")
	require.Eventually(tb, func() bool {
		return p.reports(tb, "select pg_get_wal_replay_pause_state() = 'paused'")
	}, timeout, time.Millisecond)
}

// Resume resumes the replay and returns when the standby has caught up with the primary.
func (p *Pair) Resume(tb testing.TB) {
	tb.Helper()
	p.onStandby(tb, "select pg_wal_replay_resume()")
	p.await(tb)
}

// await waits until the standby has caught up with the primary.
func (p *Pair) await(tb testing.TB) {
	tb.Helper()
	var written string
	require.NoError(tb, p.Pool.QueryRow(tb.Context(), "select pg_current_wal_lsn()::text").Scan(&written))
	require.Eventually(tb, func() bool {
		return p.reports(tb, "select coalesce(pg_last_wal_replay_lsn() >= '"+written+"'::pg_lsn, false)")
	}, timeout, time.Millisecond)
}

func (p *Pair) reports(tb testing.TB, question string) (yes bool) {
	tb.Helper()
	if p.replica == nil {
		there := p.DB
		there.Config.URL = secret.New(p.Standby.URL)
		p.replica = there.Open(tb, telemetrytest.Discard(tb))
	}
	require.NoError(tb, p.replica.QueryRow(tb.Context(), question).Scan(&yes))
	return yes
}

func (p *Pair) onStandby(tb testing.TB, statement string) {
	tb.Helper()
	config := p.Config
	config.URL = secret.New(p.Standby.URL)
	run(tb, config, statement)
}
