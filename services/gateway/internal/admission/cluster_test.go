package admission_test

import (
	"net"
	"strconv"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/launch"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
)

// clusterPassword is the same on every node, as a cluster's client knows one only.
const clusterPassword = "cluster"

// slots of a Redis Cluster, as shares of its three nodes.
var slotRanges = [3][2]int{{0, 5460}, {5461, 10922}, {10923, 16383}}

// startCluster returns a client of a real Redis Cluster of three nodes.
func startCluster(t *testing.T) *goredis.ClusterClient {
	t.Helper()
	addresses := make([]string, 0, len(slotRanges))
	nodes := make([]*goredis.Client, 0, len(slotRanges))
	for _, slots := range slotRanges {
		server, err := launch.Redis(t.Context(), t.TempDir(), launch.Options{Settings: map[string]string{
			"cluster-enabled": "yes", "cluster-port": strconv.Itoa(freePort(t)),
		}})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, server.Stop()) })
		options, err := goredis.ParseURL(server.URL)
		require.NoError(t, err)
		first := goredis.NewClient(options)
		require.NoError(t, first.ConfigSet(t.Context(), "requirepass", clusterPassword).Err())
		require.NoError(t, first.Close())
		options.Password = clusterPassword
		node := goredis.NewClient(options)
		t.Cleanup(func() { _ = node.Close() })
		require.NoError(t, node.ClusterAddSlotsRange(t.Context(), slots[0], slots[1]).Err())
		nodes, addresses = append(nodes, node), append(addresses, options.Addr)
	}
	for i, node := range nodes[1:] {
		bus := nodes[0].ConfigGet(t.Context(), "cluster-port").Val()["cluster-port"]
		host, port, err := net.SplitHostPort(addresses[0])
		require.NoError(t, err)
		require.NoError(t, node.Do(t.Context(), "cluster", "meet", host, port, bus).Err(), "node %d", i+1)
	}
	for _, node := range nodes {
		require.Eventually(t, func() bool {
			info := node.ClusterInfo(t.Context()).Val()
			return len(info) > 16 && info[:16] == "cluster_state:ok"
		}, 30*time.Second, 50*time.Millisecond)
	}
	client := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: addresses, Password: clusterPassword})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestScripts_runOnCluster(t *testing.T) {
	t.Parallel()
	client := startCluster(t)
	for range 24 {
		admitter, call := start(t, client)
		read, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, read.Verdict)
		admitter.Settle(call, &read, 3)
		request := newRequest()
		owner := begin(t, admitter, call, request)
		require.Equal(t, idempotency.New, owner.Begun.Outcome)
		held, err := admitter.Finish(t.Context(), call, owner, request, idempotency.Ending{})
		require.NoError(t, err)
		require.True(t, held)
		keepsAnAnsweredKey(t, admitter, call)
		require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 2, Revoked: true}, time.Time{}))
		read, err = admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Revoked, read.Verdict)
	}
}
