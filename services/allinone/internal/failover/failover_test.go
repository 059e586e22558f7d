package failover

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/launch"
)

// What a client was told is there once the servers have failed over, what it was not told happens once when it asks again, and no
// failure is kept to be replayed. For how long nothing succeeds is no matter of a test.
func TestTry(t *testing.T) {
	t.Parallel()
	for name, trial := range trials {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "failover-*") //nolint:usetesting // t.TempDir is closed to the servers' user
			require.NoError(t, err)
			require.NoError(t, os.Chmod(dir, 0o711)) //nolint:gosec // as above
			t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
			var progress bytes.Buffer
			o := Options{Rate: 10, Before: time.Second, After: time.Second, Out: &progress, Progress: &progress}
			found, err := o.try(t.Context(), trial.start, filepath.Join(dir, name))
			if errors.Is(err, launch.ErrNoCitus) {
				t.Skip(err)
			}
			require.NoError(t, err)
			got := found.account()
			require.Positive(t, got.acknowledged)
			require.Equal(t, account{acknowledged: got.acknowledged, failed: got.failed}, got, "nothing lost, doubled or refused")
			require.Zero(t, found.stored)
		})
	}
}
