package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ofImage are the programs, besides the shell and Redis' own, that every Redis image contains.
var ofImage = []string{"cat", "getent", "grep", "head", "mv", "sed", "sleep", "timeout"}

// redisPod is a folder that replaces /data and the PATH of a pod. It contains the programs of a minimal image and test doubles
// for those of Redis.
type redisPod struct{ folder string }

func newRedisPod(t *testing.T) redisPod {
	t.Helper()
	c := redisPod{folder: t.TempDir()}
	for _, name := range ofImage {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(c.folder, name)))
	}
	c.program(t, "redis-server", `echo started "$@"`)
	return c
}

func (c redisPod) program(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(c.folder, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700)) //nolint:gosec // a program
}

func (c redisPod) keep(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(c.folder, name), []byte(text), 0o600))
}

func (c redisPod) run(t *testing.T, script string) string {
	t.Helper()
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), shell, "-c", strings.NewReplacer(
		"/data/", c.folder+"/", "/scripts/", production+"/redis/").Replace(read(t, production+"/"+script)))
	command.Env = []string{"PATH=" + c.folder, "REDIS_PASSWORD=secret", "POD=redis-node-0", "NAMESPACE=shop", "MAX_MEMORY=64mb"}
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// A node that restarts has its previous role, which Redis has written into its configuration; at the first start the first node
// is the master. Settings that have changed since are applied.
func TestRedis_nodeRemembersMaster(t *testing.T) {
	t.Parallel()
	for before, wanted := range map[string]string{
		"port 6\nreplicaof redis-node-2.redis-nodes.shop.svc 6379\n": "replicaof redis-node-2.redis-nodes.shop.svc 6379",
		"port 6\n": "",
		"":         "",
	} {
		c := newRedisPod(t)
		c.keep(t, "redis.conf", before)
		require.Equal(t, "started "+c.folder+"/redis.conf\n", c.run(t, "redis/start-node.sh"))
		written := read(t, filepath.Join(c.folder, "redis.conf"))
		require.Contains(t, written, "\nport 0\n")
		_, role, found := strings.Cut(written, "replica-announce-ip redis-node-0.redis-nodes.shop.svc\n")
		require.True(t, found)
		require.Equal(t, wanted, strings.TrimSpace(role))
	}
}

// A sentinel keeps what it has learned; one without state monitors the first node.
func TestRedis_sentinelKeepsState(t *testing.T) {
	t.Parallel()
	for before, wanted := range map[string]string{
		"sentinel monitor main redis-node-1.redis-nodes.shop.svc 6379 2\n": "sentinel monitor main " +
			"redis-node-1.redis-nodes.shop.svc 6379 2\n",
		"": "sentinel monitor main redis-node-0.redis-nodes.shop.svc 6379 2\n",
	} {
		c := newRedisPod(t)
		c.keep(t, "sentinel.conf", before)
		require.Equal(t, "started "+c.folder+"/sentinel.conf --sentinel\n", c.run(t, "redis/start-sentinel.sh"))
		require.Contains(t, read(t, filepath.Join(c.folder, "sentinel.conf")), wanted)
	}
}

// A terminating master of the cluster hands its slots over to a connected replica, once that has synchronized.
func TestRedisCluster_handsSlotsOver(t *testing.T) {
	t.Parallel()
	c := newRedisPod(t)
	failover := filepath.Join(c.folder, "failover")
	roles := filepath.Join(c.folder, "roles")
	require.NoError(t, os.Remove(filepath.Join(c.folder, "sleep"))) // the link to that of this machine
	c.program(t, "sleep", "")
	c.program(t, "redis-cli", `case "$*" in
"cluster myid") echo 0a ;;
"cluster replicas 0a")
  echo "1b 10.0.0.1:6379@16379 slave,fail 0a 0 1 1 connected"
  echo "2c 10.0.0.2:6379@16379 slave 0a 0 1 1 disconnected"
  echo "3d 10.0.0.3:6379@16379 slave 0a 0 1 1 connected"
  echo "4e 10.0.0.4:6379@16379 slave 0a 0 1 1 connected" ;;
role) if [ -e "`+failover+`" ]; then echo slave; else echo master; fi ;;
"-h 10.0.0.3 role")
  echo asked >>"`+roles+`"
  printf 'slave\n10.0.0.9\n6379\n%s\n0\n' "$(if [ "$(grep -c "" "`+roles+`")" -ge 3 ]; then echo connected; else echo sync; fi)" ;;
*) echo "$@" >>"`+failover+`" ;;
esac`)
	require.Empty(t, c.run(t, "redis-cluster/stop-node.sh"))
	require.Equal(t, "-h 10.0.0.3 cluster failover\n", read(t, failover))
	require.Equal(t, 3, strings.Count(read(t, roles), "asked"))
}
