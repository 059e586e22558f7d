package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// installed are the files of programs, by language, in the order of the commands on the page about clients.
var installed = []struct{ language, file string }{{"go", "main.go"}, {"ts", "main.mts"}, {"python", "main.py"}}

// A developer who has the repository and no registry installs the clients as their page says, and runs the program of the page
// about claims.
func TestGuides_installFromRepository(t *testing.T) {
	t.Parallel()
	commands, programs := guideBlocks(t, "en/clients")["sh"], guideBlocks(t, "en/claims")
	require.Len(t, commands, len(installed))
	repository := copyOfClients(t)
	for i, program := range installed {
		t.Run(program.language, func(t *testing.T) {
			t.Parallel()
			d, dir := openSession(t), t.TempDir()
			claim := d.newClaim(t, stacktest.Cancel)
			require.NoError(t, os.WriteFile(filepath.Join(dir, program.file), []byte(programs[program.language][0]), 0o600))
			said := runIn(t, dir, []string{"bash", "-euo", "pipefail", "-c", commands[i]},
				"REPO="+repository, "GATEWAY_URL="+d.Witnessed(t), "SELLER_A_KEY="+d.seller.Key)
			require.Contains(t, said, claim.ClaimNo+" ")
			d.client.AwaitClaim(t, claim.ClaimNo, "completed")
		})
	}
}

// copyOfClients returns a folder with the files of the clients at their paths in the repository, so that nothing is built in the
// repository while other tests do so.
func copyOfClients(t *testing.T) string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard",
		"--deduplicate", "proto/clients")
	list.Dir = root
	files, err := list.Output()
	require.NoError(t, err)
	folder := t.TempDir()
	for file := range strings.FieldsSeq(string(files)) {
		text, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, file), text, 0o600))
	}
	return folder
}
