package launch

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

func TestServers_killedParent(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holdEnv+"="+dir)
	holder.Stderr = os.Stderr
	out, err := holder.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, holder.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	postgres := lines.Text()
	require.True(t, lines.Scan())
	cache := lines.Text()
	execute(t, postgres, "create table kept (n int)")
	connected := client(t, cache)
	require.NoError(t, connected.Ping(t.Context()).Err())

	require.NoError(t, holder.Process.Kill())
	_, err = io.Copy(io.Discard, out)
	require.NoError(t, err)
	require.Error(t, holder.Wait())
	soon(t, func() bool { return refused(t, cache) }, "Redis ends with its parent")

	again, err := Postgres(t.Context(), filepath.Join(dir, "postgres"), Options{})
	require.NoError(t, err, "the lock is free once the old server has exited")
	stopAtEnd(t, again)
	require.True(t, query[bool](t, again.URL, "select to_regclass('kept') is not null"))
}

func refused(t *testing.T, url string) bool {
	t.Helper()
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	options.MaxRetries = -1
	c := redis.NewClient(options)
	defer func() { _ = c.Close() }()
	err = c.Ping(t.Context()).Err()
	return err != nil && strings.Contains(err.Error(), "refused")
}

// The guarantees of the other tests must also hold for an ordinary user; as
// root, some of those tests are therefore run again as one.
func TestServers_runByOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return // all other tests have already covered this case
	}
	nobody, err := lookUp("nobody")
	require.NoError(t, err)
	dir := tempDir(t)
	require.NoError(t, nobody.own(dir))
	program := filepath.Join(dir, "launch.test")
	copyProgram(t, os.Args[0], program)

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	again := exec.CommandContext(ctx, program, "-test.v",
		"-test.run", "^(TestPostgres_dataOutlives|TestRedis_durable|TestPool_directoryReused|TestPostgres_closedWithout)")
	again.Dir = dir
	again.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir}
	again.SysProcAttr = &syscall.SysProcAttr{Credential: nobody.credential()}
	output, err := again.CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Equal(t, 4, strings.Count(string(output), "--- PASS"), "%s", output)
}

// copyProgram puts the test binary where another user can execute it.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	source, err := os.Open(from)
	require.NoError(t, err)
	defer func() { _ = source.Close() }()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	require.NoError(t, err)
	_, err = io.Copy(target, source)
	require.NoError(t, err)
	require.NoError(t, target.Close())
}
