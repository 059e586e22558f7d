//go:build release

package releasetest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireClients requires that the release contains the packages of every client for the registries, all of one version, and the
// program for users without Go. The change logs have a section for that version and none that is marked as unreleased.
func requireClients(t *testing.T, r released) {
	t.Helper()
	clients := filepath.Join(r.source, "proto", "clients")
	var described struct{ Version string }
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(clients, "ts", "package.json")), &described))
	number := described.Version
	require.NotEmpty(t, number)
	versions := func(module string) []string {
		folder := "go/sellerapi.dev/proto/clients/" + module + "/@v/"
		return []string{
			folder + "list", folder + "v" + number + ".info", folder + "v" + number + ".mod",
			folder + "v" + number + ".zip",
		}
	}
	want := slices.Concat(versions("go"), versions("cli"), []string{
		"npm/seller-open-api-" + number + ".tgz", "python/sellerapi-" + number + "-py3-none-any.whl",
		"python/sellerapi-" + number + ".tar.gz",
		"program/sellerapi-linux-amd64", "program/sellerapi-linux-arm64", "program/sellerapi-darwin-amd64",
		"program/sellerapi-darwin-arm64",
		"program/sellerapi-windows-amd64.exe",
	})
	require.ElementsMatch(t, want, filesIn(t, filepath.Join(r.out, "clients")))
	for _, client := range []string{"go", "cli", "ts", "python"} {
		changes := string(read(t, filepath.Join(clients, client, "CHANGELOG.md")))
		require.Contains(t, changes, "\n## "+number+"\n", client)
		require.NotContains(t, changes, "not released yet", client)
	}
}

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
