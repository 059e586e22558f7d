package redistest

import (
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// slotRanges are the slots of a Redis Cluster, as shares of its masters.
var slotRanges = [3][2]int{{0, 5460}, {5461, 10922}, {10923, 16383}}

// Cluster is a Redis Cluster of three masters without replicas.
type Cluster struct {
	// Client is that of the services, for the whole cluster.
	Client *goredis.ClusterClient
	// Masters each have a third of the slots. They may be killed and restarted.
	Masters []*launch.Server
}

// NewCluster starts a cluster whose masters serve on when one of them is away, as k8s/production has it. It ends with the test.
func NewCluster(t *testing.T, scripts ...*redis.Script) *Cluster {
	t.Helper()
	c, password := &Cluster{}, rand.Text()
	nodes := make([]*goredis.Client, 0, len(slotRanges))
	for _, slots := range slotRanges {
		master, err := launch.Redis(t.Context(), openDir(t), launch.Options{Password: password, Settings: map[string]string{
			"cluster-enabled": "yes", "databases": "1", "cluster-port": strconv.Itoa(freePort(t)),
			"cluster-require-full-coverage": "no", "cluster-node-timeout": "1000",
		}})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, master.Stop()) })
		options, err := goredis.ParseURL(master.URL)
		require.NoError(t, err)
		node := goredis.NewClient(options)
		t.Cleanup(func() { _ = node.Close() })
		require.NoError(t, node.ClusterAddSlotsRange(t.Context(), slots[0], slots[1]).Err())
		c.Masters, nodes = append(c.Masters, master), append(nodes, node)
	}
	c.meet(t, nodes)
	server := Server{Config: redis.Config{URL: secret.New(c.Masters[0].URL + "?cluster=true"), ReadTimeout: timeout}}
	client, ok := server.Open(t, telemetrytest.Discard(t), scripts...).(*goredis.ClusterClient)
	require.True(t, ok)
	c.Client = client
	return c
}

// meet joins the nodes to one cluster, and waits until all agree on it.
func (c *Cluster) meet(t *testing.T, nodes []*goredis.Client) {
	t.Helper()
	bus := nodes[0].ConfigGet(t.Context(), "cluster-port").Val()["cluster-port"]
	for _, node := range nodes[1:] {
		require.NoError(t, node.Do(t.Context(), "cluster", "meet", "127.0.0.1", c.Masters[0].Port, bus).Err())
	}
	for _, node := range nodes {
		require.Eventually(t, func() bool {
			info := node.ClusterInfo(t.Context()).Val()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_slots_assigned:16384")
		}, time.Minute, 50*time.Millisecond)
	}
}

// MasterOf returns the master that has the slot of a key.
func (c *Cluster) MasterOf(t *testing.T, key string) int {
	t.Helper()
	slot, err := c.Client.ClusterKeySlot(t.Context(), key).Result()
	require.NoError(t, err)
	for n, slots := range slotRanges {
		if int(slot) <= slots[1] {
			return n
		}
	}
	require.Fail(t, "no such slot")
	return -1
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	number, err := strconv.Atoi(port)
	require.NoError(t, err)
	return number
}

// openDir is a directory that servers of another user can enter.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis-test-") //nolint:usetesting // t.TempDir is closed to the servers' user
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return filepath.Join(dir, "redis")
}
