package pgtest

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

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

const (
	workers = 2
	shards  = 8
)

// Distributed reports whether tests of the whole system run on a database over several nodes, as set by LAYOUT=distributed in the
// environment.
func Distributed() bool { return os.Getenv("LAYOUT") == "distributed" }

var cluster = sync.OnceValues(func() (*launch.Cluster, error) { return launch.PooledCluster(context.Background(), workers) })

// RequireCluster returns the distributed server of this process. The test fails if the Citus extension is missing; tests that
// need it have the build tag citus.
func RequireCluster(tb testing.TB) *launch.Cluster {
	tb.Helper()
	nodes, err := cluster()
	require.NoError(tb, err)
	return nodes
}

// DistributedDatabase is Database on several nodes.
func DistributedDatabase(tb testing.TB) secret.Text {
	tb.Helper()
	nodes := RequireCluster(tb)
	made, name := onNodes(tb, nodes)
	tb.Cleanup(func() { require.NoError(tb, nodes.DropDatabase(context.WithoutCancel(tb.Context()), name)) })
	return made
}

func onNodes(tb testing.TB, nodes *launch.Cluster) (made secret.Text, name string) {
	tb.Helper()
	name = "t_" + strings.ToLower(rand.Text()[:16])
	url, err := nodes.Database(tb.Context(), name)
	require.NoError(tb, err)
	return secret.New(url), name
}

// NewDistributed is New on several nodes, with the tables of the migrations distributed over them.
func NewDistributed(tb testing.TB, migrations fs.FS) *DB {
	tb.Helper()
	return spread(tb, DistributedDatabase(tb), migrations)
}

func spread(tb testing.TB, database secret.Text, migrations fs.FS) *DB {
	tb.Helper()
	db := &DB{Config: Config(tb), Schema: schema}
	db.Config.URL, db.Config.RowSecurity = database, "off"
	require.NoError(tb, postgres.Migrate(tb.Context(), db.Config, schema, migrations))
	Distribute(tb, db.Config, schema)
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	return db
}

// Distribute distributes the tables of a migrated schema over the nodes of a database of DistributedDatabase.
func Distribute(tb testing.TB, config postgres.Config, schema string) {
	tb.Helper()
	require.NoError(tb, distribute.Run(tb.Context(), distribute.Config{Config: config, Shards: shards}, schema, io.Discard))
}

// plans are distributed databases without rows, used only to plan statements, by the digest of their migrations. They end with
// the private server.
var plans struct {
	sync.Mutex
	byDigest map[[sha256.Size]byte]postgres.Config
}

// planned returns the database in which statements on the migrations' tables are planned.
func planned(tb testing.TB, migrations fs.FS) *DB {
	tb.Helper()
	nodes, digest := RequireCluster(tb), digestOf(tb, migrations)
	plans.Lock()
	defer plans.Unlock()
	if known, ok := plans.byDigest[digest]; ok {
		db := &DB{Config: known, Schema: schema}
		db.Pool = db.Open(tb, telemetrytest.Discard(tb))
		return db
	}
	made, _ := onNodes(tb, nodes)
	db := spread(tb, made, migrations)
	if plans.byDigest == nil {
		plans.byDigest = map[[sha256.Size]byte]postgres.Config{}
	}
	plans.byDigest[digest] = db.Config
	return db
}
