// Package python_test runs the tests of the Python client as part of `go test`.
package python_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

// The tests of the scenarios that all clients share, and of what only this client promises. One of them (test_oldest.py) holds
// the sources against the grammar and the library of the oldest supported Python, whatever Python runs it. Where that Python is
// installed as well, it runs them too.
func TestPythonClient_itsOwnTests(t *testing.T) {
	t.Parallel()
	interpreters := map[string]string{"python3": "python3"}
	if python := oldest(t); python != "" {
		interpreters["oldest"] = python
	}
	for name, python := range interpreters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unittest(t, python, "discover", "-s", "tests", "-t", ".")
		})
	}
}

// oldest returns an interpreter of the oldest supported Python that works: by its name, or from pyenv's folder. It is
// empty on most machines, which have none.
func oldest(t *testing.T) string {
	t.Helper()
	kept := os.Getenv("PYENV_ROOT")
	if kept == "" {
		kept = filepath.Join(os.Getenv("HOME"), ".pyenv")
	}
	candidates, err := filepath.Glob(filepath.Join(kept, "versions", "3.9.*", "bin", "python3"))
	require.NoError(t, err)
	for _, candidate := range append(candidates, "python3.9") {
		if exec.CommandContext(t.Context(), candidate, "-c", "import sqlite3").Run() == nil { //nolint:gosec // the candidates of this function
			return candidate
		}
	}
	return ""
}

// The types and methods are those of the contract.
func TestPythonClient_contract(t *testing.T) {
	t.Parallel()
	unittest(t, "python3", "tests.contract")
}

// unittest runs Python tests. It reads the files that they read, so that a cached result is used only as long as these are
// unchanged.
func unittest(t *testing.T, python string, arguments ...string) {
	t.Helper()
	for _, folder := range []string{".", filepath.Join("..", "scenarios")} {
		require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			_, err = os.ReadFile(filepath.Join(folder, path))
			return err
		}))
	}
	contract := filepath.Join(t.TempDir(), "openapi.json")
	require.NoError(t, os.WriteFile(contract, openapi.JSON().Bytes(), 0o600))
	command := exec.CommandContext(t.Context(), python, append([]string{"-B", "-X", "dev", "-m", "unittest"}, arguments...)...)
	command.Env = append(os.Environ(), "PYTHONPATH=src:example", "SELLER_OPEN_API_JSON="+contract)
	said, err := command.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.NotContains(t, string(said), "Warning", "%s", said)
}
