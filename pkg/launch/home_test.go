package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// someone is a user that owns nothing in these tests.
var someone = &account{name: "someone", uid: 4242, gid: 4242}

func TestPlace_inaccessibleDirectory(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(tempDir(t), "home")
	require.NoError(t, os.Mkdir(closed, 0o700))
	wanted := filepath.Join(closed, "run", "postgres")
	got, err := place(wanted, someone)
	require.NoError(t, err)
	require.Equal(t, overflow, filepath.Dir(got))
	same, err := place(wanted, someone)
	require.NoError(t, err)
	require.Equal(t, got, same)
	ours, err := place(wanted, nil)
	require.NoError(t, err)
	require.Equal(t, wanted, ours, "an unprivileged user may choose the directory")

	require.NoError(t, os.Mkdir(got, 0o700))
	require.NoError(t, Forget(wanted))
	require.NoDirExists(t, got)
}

func TestMakeDir_foreignDirectory(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(tempDir(t), link))
	require.ErrorContains(t, makeDir(link, nil, 0o700), "is not a directory")
	if os.Geteuid() == 0 { // only root can give a directory away
		foreign := filepath.Join(dir, "foreign")
		require.NoError(t, os.Mkdir(foreign, 0o700))
		require.NoError(t, someone.own(foreign))
		require.ErrorContains(t, makeDir(foreign, nil, 0o700), "belongs to another user (id 4242)")
	}
}
