package failover

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every acknowledged call is in the database once the servers have failed over, a call without an answer takes effect once
// when it is
// retried, and no failure is stored for replay. The test ignores how long calls fail.
func TestTry(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"postgres", "redis"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireKept(t, name)
		})
	}
}

// requireKept runs a trial and fails the test when a call was lost, applied twice or refused on retry, a failure was stored for
// replay, or a client that reads forwards has no exact copy.
func requireKept(t *testing.T, trial string) findings {
	t.Helper()
	dir := serversDir(t)
	var progress bytes.Buffer
	o := Options{Rate: 10, Before: time.Second, After: time.Second, Out: &progress, Progress: &progress}
	found, err := o.try(t.Context(), trials[trial].start, filepath.Join(dir, trial))
	require.NoError(t, err)
	got := found.account()
	require.Positive(t, got.acknowledged)
	require.Equal(t, account{acknowledged: got.acknowledged, failed: got.failed}, got, "nothing lost, duplicated or refused")
	require.Zero(t, found.stored)
	require.Zero(t, found.divided)
	require.Positive(t, found.pages)
	require.Zero(t, found.inexact, "clients that read forwards have exact copies")
	return found
}

// serversDir returns a directory for the data of servers, until the end of the test.
func serversDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "failover-*") //nolint:usetesting // t.TempDir is closed to the servers' user
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711)) //nolint:gosec // as above
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}
