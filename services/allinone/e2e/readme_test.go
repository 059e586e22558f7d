package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the top of the workspace.
const root = "../../.."

var (
	heldBy   = regexp.MustCompile("\\| `((?:Test|Fuzz)\\w+)` \\|$")
	testName = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// A promise whose test was renamed or deleted is held by nobody.
func TestEveryTestThatTheReadmeNamesExists(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	for _, folder := range []string{"pkg", "proto", "services", "charts"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range testName.FindAllSubmatch(text, -1) {
				exists[string(found[1])] = true
			}
			return err
		})
		if folder == "charts" && os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
	}
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	named := 0
	for line := range strings.Lines(string(page)) {
		if match := heldBy.FindStringSubmatch(strings.TrimSpace(line)); match != nil {
			named++
			require.True(t, exists[match[1]], "%s is named in the README and exists nowhere", match[1])
		}
	}
	require.Greater(t, named, 30)
}
