package failover

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a client was told is there once the servers have failed over, what it was not told happens once when it asks again, and no
// failure is kept to be replayed. For how long nothing succeeds is no matter of a test.
func TestTry(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"postgres", "redis"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireKept(t, name)
		})
	}
}

// requireKept runs a trial and fails when anything was lost, done twice, or kept as a failure.
func requireKept(t *testing.T, trial string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "failover-*") //nolint:usetesting // t.TempDir is closed to the servers' user
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711)) //nolint:gosec // as above
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	var progress bytes.Buffer
	o := Options{Rate: 10, Before: time.Second, After: time.Second, Out: &progress, Progress: &progress}
	found, err := o.try(t.Context(), trials[trial].start, filepath.Join(dir, trial))
	require.NoError(t, err)
	got := found.account()
	require.Positive(t, got.acknowledged)
	require.Equal(t, account{acknowledged: got.acknowledged, failed: got.failed}, got, "nothing lost, doubled or refused")
	require.Zero(t, found.stored)
}
