package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// generated is the folder with the pinned generators and, for each language, a program that makes calls with the generated
// clients.
var generated = filepath.Join(root, "proto", "clients", "generated")

var generatedCalls = map[string][][]string{
	"go":         {{"go", "run", "."}},
	"typescript": {{"npm", "run", "--silent", "build"}, {"node", "dist/call.js"}},
}

// Most sellers do not use our clients but generate their own: widely used generators must read the served document without a
// warning, and the clients that they generate must compile and work. The programs use the names that the contract defines for
// values that are not identifiers, so they do not compile with generators that make no constants of them.
func TestGenerators_clientsMakeACall(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	placed := s.PlaceNew(t, seller.ID)
	base := s.Witnessed(t)
	document := served(t, base+"/open/v1/openapi.json")
	for language, commands := range generatedCalls {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := generatorsIn(t)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "openapi.json"), document, 0o600))
			names := generate(t, dir, language)
			var said string
			for _, command := range commands {
				said = runIn(t, dir, command, "GATEWAY_URL="+base, "SELLER_KEY="+seller.Key)
			}
			var wanted strings.Builder
			for _, name := range names {
				fmt.Fprintf(&wanted, "%s %s\n", name, placed.GetOrderNo())
			}
			require.Equal(t, wanted.String(), said)
		})
	}
}

func served(t *testing.T, address string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	require.Equal(t, http.StatusOK, response.StatusCode)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return text
}

// generatorsIn copies the folder of the generators into one of the test, which shares the installed packages.
func generatorsIn(t *testing.T) string {
	t.Helper()
	packages, err := generatorPackages()
	require.NoError(t, err)
	dir := t.TempDir()
	for _, file := range []string{
		"package.json", "tsconfig.json", "call.ts", "go.mod", "go.sum", "main.go", "ogen.yml",
		"client/doc.go", "ogenclient/doc.go",
	} {
		text, err := os.ReadFile(filepath.Join(generated, file))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	require.NoError(t, os.Symlink(packages, filepath.Join(dir, "node_modules")))
	return dir
}

// generatorPackages installs the packages that package-lock.json pins, unless they are installed, and returns the folder.
var generatorPackages = sync.OnceValues(func() (string, error) {
	folder, err := filepath.Abs(generated)
	if err != nil {
		return "", err
	}
	packages := filepath.Join(folder, "node_modules")
	if pinnedIn(folder) {
		return packages, nil
	}
	command := exec.CommandContext(context.Background(), "npm", "ci", "--no-audit", "--no-fund")
	command.Dir = folder
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, said)
	}
	return packages, nil
})

// pinnedIn reports whether the packages were installed after the last change of their pins.
func pinnedIn(folder string) bool {
	installed, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json"))
	if err != nil {
		return false
	}
	pins, err := os.Stat(filepath.Join(folder, "package-lock.json"))
	return err == nil && !pins.ModTime().After(installed.ModTime())
}

func allSaid(t *testing.T, dir string, arguments []string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...) //nolint:gosec // the commands of these files
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off")
	said, err := command.CombinedOutput()
	require.NoError(t, err, "%v\n%s", arguments, said)
	return string(said)
}

// runIn runs a command outside of the Go workspace and returns its output.
func runIn(t *testing.T, dir string, arguments []string, environment ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...) //nolint:gosec // the commands of this file
	command.Dir = dir
	command.Env = append(append(os.Environ(), "GOWORK=off"), environment...)
	var problems strings.Builder
	command.Stderr = &problems
	said, err := command.Output()
	require.NoError(t, err, "%v\n%s\n%s", arguments, said, problems.String())
	return string(said)
}
