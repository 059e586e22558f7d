package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The error for a server that is not installed names the package to install, with the version if
// a certain one is needed.
func TestPrograms_missingServerNamesPackage(t *testing.T) {
	t.Parallel()
	nothing := search{debian: t.TempDir(), path: []string{t.TempDir()}}
	_, err := nothing.postgres("")
	require.ErrorContains(t, err, "install the Debian package postgresql")
	_, err = nothing.postgres("14")
	require.ErrorContains(t, err, "install the Debian package postgresql-14")
	_, err = nothing.redis()
	require.ErrorContains(t, err, "install the Debian package redis-server")
}

func TestPostgresVersion_newestUnlessDataDiffers(t *testing.T) {
	t.Parallel()
	s := search{debian: t.TempDir(), path: []string{t.TempDir()}}
	for _, program := range []string{"9/bin/postgres", "15/bin/postgres", "17/bin/postgres", "extra/bin/postgres"} {
		makeProgram(t, filepath.Join(s.debian, program))
	}
	newest, err := s.postgres("")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(s.debian, "17/bin"), newest)
	fitting, err := s.postgres("15")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(s.debian, "15/bin"), fitting)
}

// Servers that are not in Debian's folders are found in PATH.
func TestPrograms_foundInPATH(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	s := search{debian: t.TempDir(), path: []string{t.TempDir(), bin}}
	for _, program := range []string{"postgres", "initdb", "redis-server"} {
		makeProgram(t, filepath.Join(bin, program))
	}
	dir, err := s.postgres("")
	require.NoError(t, err)
	require.Equal(t, bin, dir)
	redis, err := s.redis()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(bin, "redis-server"), redis)
}

func makeProgram(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, nil, 0o755))
}
