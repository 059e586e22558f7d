package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

type installation struct {
	program  string
	commands [][]string
	run      []string
}

// installations are the ways in which the packages are used. PACKAGES stands for the folder with them, OLDEST_GO for the path of
// that toolchain.
var installations = map[string]installation{
	"go":        {"main.go.txt", goInstallation("go"), []string{"./erp"}},
	"oldest_go": {"main.go.txt", goInstallation("OLDEST_GO"), []string{"./erp"}},
	"program": {"ship.sh", [][]string{
		{"go", "install", "sellerapi.dev/proto/clients/cli/cmd/sellerapi@latest"},
	}, []string{"sh", "ship.sh"}},
	"es_module": {"ship.mjs", npmInstallation, []string{"node", "ship.mjs"}},
	"oldest_node": {
		"ship.mjs", append(slices.Clone(npmInstallation), []string{
			"npm", "install", "--silent", "--no-save",
			"--prefer-offline", "node@20.3",
		}),
		[]string{"node_modules/.bin/node", "ship.mjs"},
	},
	"commonjs": {"ship.cjs", npmInstallation, []string{"node", "ship.cjs"}},
	"wheel": {
		"ship.py", pipInstallation("PACKAGES/python/sellerapi-1.0.0-py3-none-any.whl"),
		[]string{"env/bin/python", "ship.py"},
	},
	"sdist": {"ship.py", pipInstallation("PACKAGES/python/sellerapi-1.0.0.tar.gz"), []string{"env/bin/python", "ship.py"}},
}

// goInstallation takes the client from a registry and builds the program.
func goInstallation(program string) [][]string {
	return [][]string{
		{"mv", "main.go.txt", "main.go"},
		{program, "mod", "init", "example.com/erp"},
		{program, "get", "sellerapi.dev/proto/clients/go@latest"},
		{program, "build", "-o", "erp", "."},
	}
}

// oldestGo returns the path of the oldest Go that the client supports, from Go's own toolchain downloads. Code that needs a later
// version fails with it.
func oldestGo(t *testing.T) string {
	t.Helper()
	home := strings.TrimSpace(runIn(t, t.TempDir(), []string{"go", "env", "GOROOT"}, "GOTOOLCHAIN=go1.23.0"))
	return filepath.Join(home, "bin", "go")
}

var npmInstallation = [][]string{
	{"npm", "init", "--yes", "--silent"}, {"npm", "install", "--offline", "--silent", "PACKAGES/npm/seller-open-api-1.0.0.tgz"},
}

// pipInstallation installs a package without a package index.
func pipInstallation(archive string) [][]string {
	return [][]string{
		{"python3", "-m", "venv", "--without-pip", "env"},
		{"python3", "-m", "pip", "--quiet", "--python", "env/bin/python", "install", "--no-index", archive},
	}
}

// The packages that `make release` builds for registries can be installed into an empty project, without a network, and ship an
// order. The programs of the guides run with them as well.
func TestClients_installed(t *testing.T) {
	t.Parallel()
	packages := t.TempDir()
	said, err := exec.CommandContext(t.Context(), filepath.Join(root, ".ci", "clients"), packages).CombinedOutput()
	require.NoError(t, err, "%s", said)
	placeholders := strings.NewReplacer("PACKAGES", packages, "OLDEST_GO", oldestGo(t))
	for name, installed := range installations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stacktest.Use(t)
			seller, dir, address := s.Seller(t), t.TempDir(), s.Witnessed(t)
			order := s.PlaceNew(t, seller.ID)
			program, err := os.ReadFile(filepath.Join("testdata", "installed", installed.program))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, installed.program), program, 0o600))
			environment := append(modulesFrom(t, filepath.Join(packages, "go")),
				"GOTOOLCHAIN=local", "GOBIN="+dir, "SELLER_API_URL="+address, "SELLER_API_KEY="+seller.Key)
			for _, command := range installed.commands {
				arguments := strings.Split(placeholders.Replace(strings.Join(command, "\n")), "\n")
				runIn(t, dir, arguments, environment...)
			}
			said := runIn(t, dir, append(slices.Clone(installed.run), order.GetOrderNo(), itemOf(order, 0)), environment...)
			require.Equal(t, "shipping\n", said)
			if language, shown := guideLanguages[name]; shown {
				language.follow(t, dir, environment)
			}
		})
	}
}

// modulesFrom returns an environment in which our modules come from a file proxy. Dependencies are looked up in the local module
// cache, and downloaded as usual if they are not there. Downloads go to a separate folder, because the next run has other files
// under the same version.
func modulesFrom(t *testing.T, proxy string) []string {
	t.Helper()
	kept := t.TempDir()
	known := strings.Split(strings.TrimSpace(runIn(t, kept, []string{"go", "env", "GOMODCACHE", "GOPROXY"})), "\n")
	return []string{
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(known[0], "cache", "download") + "," + known[1],
		"GOMODCACHE=" + kept, "GONOSUMDB=*", "GOFLAGS=-mod=mod -modcacherw -trimpath", // -trimpath: builds are cached for any folder
	}
}
