//go:build release

package releasetest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The release has what registries take of every client, all of one version, and the program for those who have no Go. What changed
// with that version is said, and not as something to come.
func requireClients(t *testing.T, r released) {
	t.Helper()
	clients := filepath.Join(r.source, "proto", "clients")
	var described struct{ Version string }
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(clients, "ts", "package.json")), &described))
	number := described.Version
	require.NotEmpty(t, number)
	want := []string{
		"npm/seller-open-api-" + number + ".tgz", "python/sellerapi-" + number + "-py3-none-any.whl", "python/sellerapi-" + number + ".tar.gz",
	}
	for _, module := range []string{"go", "cli"} {
		versions := "go/sellerapi.dev/proto/clients/" + module + "/@v/"
		want = append(want, versions+"list", versions+"v"+number+".info", versions+"v"+number+".mod", versions+"v"+number+".zip")
	}
	for _, platform := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64.exe"} {
		want = append(want, "program/sellerapi-"+platform)
	}
	require.ElementsMatch(t, want, filesIn(t, filepath.Join(r.out, "clients")))
	for _, client := range []string{"go", "cli", "ts", "python"} {
		changes := string(read(t, filepath.Join(clients, client, "CHANGELOG.md")))
		require.Contains(t, changes, "\n## "+number+"\n", client)
		require.NotContains(t, changes, "not released yet", client)
	}
}

// filesIn are the files of a folder and those below it.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path)
		}
		return err
	}))
	return all
}
