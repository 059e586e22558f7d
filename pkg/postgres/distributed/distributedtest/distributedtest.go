// Package distributedtest gives each test a database of its own over several nodes, and plans statements on it. Tests that need
// one have the build tag citus and fail without the extension Citus.
package distributedtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/distributed/nodes"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

const (
	workers = 2
	shards  = 8
)

// Requested reports whether tests of the whole system run on a database over several nodes, as set by LAYOUT=distributed in the
// environment.
func Requested() bool { return os.Getenv("LAYOUT") == "distributed" }

var cluster = sync.OnceValues(func() (*nodes.Cluster, error) { return nodes.Pooled(context.Background(), workers) })

// RequireCluster returns the distributed server of this process. The test fails if the Citus extension is missing; tests that
// need it have the build tag citus.
func RequireCluster(tb testing.TB) *nodes.Cluster {
	tb.Helper()
	started, err := cluster()
	require.NoError(tb, err)
	return started
}

// Database is [pgtest.Database] on several nodes.
func Database(tb testing.TB) secret.Text {
	tb.Helper()
	on := RequireCluster(tb)
	made, name := onNodes(tb, on)
	tb.Cleanup(func() { require.NoError(tb, on.DropDatabase(context.WithoutCancel(tb.Context()), name)) })
	return made
}

func onNodes(tb testing.TB, on *nodes.Cluster) (made secret.Text, name string) {
	tb.Helper()
	name = "t_" + strings.ToLower(rand.Text()[:16])
	url, err := on.Database(tb.Context(), name)
	require.NoError(tb, err)
	return secret.New(url), name
}

// New is [pgtest.New] on several nodes, with the tables of the migrations distributed over them.
func New(tb testing.TB, migrations fs.FS) *pgtest.DB {
	tb.Helper()
	return spread(tb, Database(tb), migrations)
}

func spread(tb testing.TB, database secret.Text, migrations fs.FS) *pgtest.DB {
	tb.Helper()
	db := &pgtest.DB{Config: pgtest.Config(tb), Schema: pgtest.Schema}
	db.Config.URL, db.Config.RowSecurity = database, "off"
	require.NoError(tb, postgres.Migrate(tb.Context(), db.Config, pgtest.Schema, migrations))
	Distribute(tb, db.Config, pgtest.Schema)
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	return db
}

// Distribute distributes the tables of a migrated schema over the nodes of a database of Database.
func Distribute(tb testing.TB, config postgres.Config, schema string) {
	tb.Helper()
	require.NoError(tb, distributed.Run(tb.Context(), distributed.Config{Config: config, Shards: shards}, schema, io.Discard))
}

// plans are distributed databases without rows, used only to plan statements, by the digest of their migrations. They end with
// the private server.
var plans struct {
	sync.Mutex
	byDigest map[[sha256.Size]byte]postgres.Config
}

// planned returns the database in which statements on the migrations' tables are planned.
func planned(tb testing.TB, migrations fs.FS) *pgtest.DB {
	tb.Helper()
	on, digest := RequireCluster(tb), pgtest.Digest(tb, migrations)
	plans.Lock()
	defer plans.Unlock()
	if known, ok := plans.byDigest[digest]; ok {
		db := &pgtest.DB{Config: known, Schema: pgtest.Schema}
		db.Pool = db.Open(tb, telemetrytest.Discard(tb))
		return db
	}
	made, _ := onNodes(tb, on)
	db := spread(tb, made, migrations)
	if plans.byDigest == nil {
		plans.byDigest = map[[sha256.Size]byte]postgres.Config{}
	}
	plans.byDigest[digest] = db.Config
	return db
}
