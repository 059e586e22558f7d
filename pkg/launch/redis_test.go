package launch

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRedis_durableThroughKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), "redis")
	s, err := Redis(t.Context(), dir, Options{Durable: true})
	require.NoError(t, err)
	stopAtEnd(t, s)
	c := client(t, s.URL)
	require.NoError(t, c.Set(t.Context(), "kept", "7", 0).Err())
	require.NoError(t, s.Kill())
	require.NoError(t, s.Restart(t.Context()))
	require.Equal(t, "7", c.Get(t.Context(), "kept").Val())
	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop(), "a second Stop does nothing")

	again, err := Redis(t.Context(), dir, Options{Durable: true})
	require.NoError(t, err)
	stopAtEnd(t, again)
	require.Equal(t, "7", client(t, again.URL).Get(t.Context(), "kept").Val())
}

// Redis never evicts keys and requires its password, which other users of the machine cannot
// read.
func TestRedis_neverEvictsAndAsksForPassword(t *testing.T) {
	t.Parallel()
	s, err := PooledRedis(t.Context())
	require.NoError(t, err)
	stopAtEnd(t, s)
	c := client(t, s.URL)
	require.Equal(t, map[string]string{"maxmemory-policy": "noeviction"}, c.ConfigGet(t.Context(), "maxmemory-policy").Val())
	require.Equal(t, map[string]string{"appendonly": "no"}, c.ConfigGet(t.Context(), "appendonly").Val())

	open, err := url.Parse(s.URL)
	require.NoError(t, err)
	open.User = nil
	require.ErrorContains(t, client(t, open.String()).Ping(t.Context()).Err(), "NOAUTH")
	info, err := os.Stat(s.home.path("redis.conf"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.PID()))
	require.NoError(t, err)
	require.NotContains(t, string(arguments), s.home.password)
}
