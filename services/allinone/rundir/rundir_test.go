package rundir_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/rundir"
)

func open(t *testing.T) rundir.Dir {
	t.Helper()
	dir, err := rundir.Open(filepath.Join(t.TempDir(), "run"))
	require.NoError(t, err)
	return dir
}

// Two stacks on one data directory would destroy each other's data.
func TestLock_secondProcessRefused(t *testing.T) {
	t.Parallel()
	dir := open(t)
	release, err := dir.Lock()
	require.NoError(t, err)
	_, err = dir.Lock()
	var busy *rundir.BusyError
	require.ErrorAs(t, err, &busy)
	require.Equal(t, os.Getpid(), busy.PID)
	require.ErrorContains(t, err, "stop it first")
	release()
	release, err = dir.Lock()
	require.NoError(t, err)
	release()
}

func TestWrite_replacedWholeOwnerOnly(t *testing.T) {
	t.Parallel()
	dir := open(t)
	for _, content := range []string{"first", "the second, which is longer"} {
		require.NoError(t, dir.Write("secrets.json", []byte(content)))
		got, err := dir.Read("secrets.json")
		require.NoError(t, err)
		require.Equal(t, content, string(got))
	}
	info, err := os.Stat(dir.Path("secrets.json"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	left, err := os.ReadDir(filepath.Dir(dir.Path("secrets.json")))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// Values are read back as they were written, and the error for a damaged one names its file.
func TestReadJSON_roundTripAndDamage(t *testing.T) {
	t.Parallel()
	dir := open(t)
	var got map[string]int
	require.ErrorIs(t, dir.ReadJSON("numbers", &got), fs.ErrNotExist)
	require.NoError(t, dir.WriteJSON("numbers", map[string]int{"one": 1}))
	require.NoError(t, dir.ReadJSON("numbers", &got))
	require.Equal(t, map[string]int{"one": 1}, got)
	require.NoError(t, dir.Write("numbers", []byte("{")))
	require.ErrorContains(t, dir.ReadJSON("numbers", &got), dir.Path("numbers")+" is damaged")
	require.NoError(t, dir.Remove("numbers"))
	require.NoError(t, dir.Remove("numbers"))
}

// The unprivileged user that runs a root user's PostgreSQL must be able to reach its data.
func TestOpen_directoryIsTraversable(t *testing.T) {
	t.Parallel()
	dir := open(t)
	info, err := os.Stat(filepath.Dir(dir.Path("x")))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o711), info.Mode().Perm()&0o711)
}
