package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// After a total restart a sentinel that remembers a master watches it only once it is back, or a replica that started a second sooner would
// be promoted without the last writes. Here the master answers the third time, with that it loads its data.
func TestRedis_sentinelWaitsForMaster(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text), 0o700)) //nolint:gosec // a program
	}
	asked := filepath.Join(folder, "asked")
	program("redis-cli", `echo "$@" >>"`+asked+`"`+"\n"+`if [ "$(grep -c "" "`+asked+`")" -ge 3 ]; then echo "LOADING Redis is loading the dataset in memory"; else exit 1; fi`)
	program("redis-server", `echo started "$@"`)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "sentinel.conf"), []byte("port 0\nsentinel monitor main redis-node-1.redis-nodes.shop.svc 6379 2\n"), 0o600))
	script := strings.ReplaceAll(read(t, production+"/redis/start-sentinel.sh"), "/data/", folder+"/")
	command := exec.CommandContext(t.Context(), "sh", "-c", script)
	command.Env = []string{"PATH=" + folder + ":" + os.Getenv("PATH"), "REDIS_PASSWORD=secret"}
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "started "+folder+"/sentinel.conf --sentinel\n", string(out))
	require.Equal(t, strings.Repeat("--tls --cacert /tls/ca.crt -h redis-node-1.redis-nodes.shop.svc -p 6379 ping\n", 3), read(t, asked))
}
