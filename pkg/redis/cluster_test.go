package redis_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// The same client, check and scripts work on a cluster.
func TestCluster_sameClientAndScripts(t *testing.T) {
	t.Parallel()
	process, err := launch.Redis(t.Context(), openDir(t),
		launch.Options{Settings: map[string]string{"cluster-enabled": "yes", "databases": "1"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, process.Stop()) })
	single := redistest.Server{Config: redis.Config{URL: secret.New(process.URL), ReadTimeout: time.Minute}}
	require.NoError(t, single.Open(t, telemetrytest.Discard(t)).ClusterAddSlotsRange(t.Context(), 0, 16383).Err())

	counter := newCounter()
	cluster := redistest.Server{Config: redis.Config{URL: secret.New(process.URL + "?cluster=true"), ReadTimeout: time.Minute}}
	tel, spans := telemetrytest.Recording(t)
	client := cluster.Open(t, tel, counter)
	require.Eventually(t, func() bool { return client.Set(t.Context(), "k", "v", 0).Err() == nil }, time.Minute, 20*time.Millisecond)
	require.NoError(t, redis.Check(client, telemetrytest.Discard(t))(t.Context()))
	for want := 1; want <= 2; want++ {
		got, err := counter.Run(t.Context(), client, []string{"{seller}:n"}, 1).Int()
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, client.ScriptFlush(t.Context()).Err())
	}
	require.NotZero(t, values(t, tel, telemetry.RedisCommandDuration)["counter ok"])
	names := map[string]int{}
	for _, span := range spans.Ended() {
		names[span.Name()]++
	}
	require.NotZero(t, names["counter"])
}

// A master is found through its sentinel.
func TestSentinel_findsMaster(t *testing.T) {
	t.Parallel()
	master := redistest.Own(t)
	u, err := url.Parse(master.Config.URL.Reveal())
	require.NoError(t, err)
	password, _ := u.User.Password()
	sentinel := startSentinel(t, "main", u.Port(), password)

	watched := redistest.Server{Config: redis.Config{
		URL: secret.New(fmt.Sprintf("redis://:%s@127.0.0.1:%d/2?master_name=main", password, sentinel)),
	}}
	counter := newCounter()
	client := watched.Open(t, telemetrytest.Discard(t), counter)
	require.Eventually(t, func() bool { return client.Set(t.Context(), "k", "v", 0).Err() == nil }, time.Minute, 20*time.Millisecond)
	require.NoError(t, redis.Check(client, telemetrytest.Discard(t))(t.Context()))
	require.NoError(t, counter.Run(t.Context(), client, []string{"n"}, 1).Err())
	require.Contains(t, master.Client.Info(t.Context(), "keyspace").Val(), "db2:keys=2")
	require.NotContains(t, master.Client.Info(t.Context(), "commandstats").Val(), "cmdstat_eval:", "the master got the scripts")
}

func startSentinel(t *testing.T, name, port, password string) int {
	t.Helper()
	free, err := launch.PooledRedis(t.Context()) // the port of a server that just ended is free
	require.NoError(t, err)
	require.NoError(t, free.Stop())
	file := filepath.Join(openDir(t), "sentinel.conf")
	config := fmt.Sprintf("port %d\nbind 127.0.0.1\nsentinel monitor %s 127.0.0.1 %s 1\nsentinel auth-pass %s %s\n", free.Port, name,
		port, name, password)
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	sentinel := exec.CommandContext(ctx, "redis-server", file, "--sentinel")
	require.NoError(t, sentinel.Start())
	t.Cleanup(func() { cancel(); _ = sentinel.Wait() })
	return free.Port
}

// openDir returns a directory that servers of another user can enter.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis-test-") //nolint:usetesting // t.TempDir is closed to the servers' user
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// A master that hangs does not say that another one has its slots. The client learns it from the others within seconds.
func TestCluster_followsSlotsOfPausedMaster(t *testing.T) {
	t.Parallel()
	cluster := redistest.NewCluster(t)
	const paused, heir = 0, 1
	key := "0"
	for n := 1; cluster.MasterOf(t, key) != paused; n++ {
		key = strconv.Itoa(n)
	}
	services := redistest.Server{Config: redis.Config{URL: secret.New(cluster.Masters[heir].URL + "?cluster=true")}}
	client := services.Open(t, telemetrytest.Discard(t))
	set := func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		return client.Set(ctx, key, "v", 0).Err() == nil
	}
	require.Eventually(t, set, time.Minute, 20*time.Millisecond)

	process, err := os.FindProcess(cluster.Masters[paused].PID())
	require.NoError(t, err)
	require.NoError(t, process.Signal(syscall.SIGSTOP))
	t.Cleanup(func() { require.NoError(t, process.Signal(syscall.SIGCONT)) })
	options, err := goredis.ParseURL(cluster.Masters[heir].URL)
	require.NoError(t, err)
	node := goredis.NewClient(options)
	t.Cleanup(func() { require.NoError(t, node.Close()) })
	slot := node.ClusterKeySlot(t.Context(), key).Val()
	require.NoError(t, node.Do(t.Context(), "cluster", "setslot", slot, "node", node.Do(t.Context(), "cluster", "myid").Val()).Err())
	require.NoError(t, node.Do(t.Context(), "cluster", "bumpepoch").Err())
	require.Eventually(t, set, 30*time.Second, 20*time.Millisecond)
}
