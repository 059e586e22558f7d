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

const (
	// root is the top of the workspace.
	root = "../../.."
	// guide is the walk that developers of ERPs follow.
	guide = "proto/openapi/guides/walk.md"
)

var (
	pinnedBy = regexp.MustCompile("`(?:\\w+\\.)?((?:Test|Fuzz)\\w+)`")
	testName = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// A decision whose test was renamed or deleted is pinned by nothing.
func TestReadmes_nameTestsThatExist(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	for _, folder := range []string{"pkg", "proto", "services", "charts"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range testName.FindAllSubmatch(text, -1) {
				exists[string(found[1])] = true
			}
			return err
		}))
	}
	for service, decisions := range map[string]int{"gateway": 40, "orders": 30, "claims": 40, "qna": 10} {
		page, err := os.ReadFile(filepath.Join(root, "services", service, "README.md"))
		require.NoError(t, err)
		named := pinnedBy.FindAllSubmatch(page, -1)
		require.GreaterOrEqual(t, len(named), decisions, service)
		for _, match := range named {
			require.True(t, exists[string(match[1])], "the README of %s names %s, which exists nowhere", service, match[1])
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

// Anyone who follows a link of the front page or of the guides arrives somewhere.
func TestReadmes_linkToFilesThatExist(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"README.md", ".github/CONTRIBUTING.md", guide} {
		text, err := os.ReadFile(filepath.Join(root, page))
		require.NoError(t, err)
		links := link.FindAllSubmatch(text, -1)
		require.NotEmpty(t, links, page)
		for _, found := range links {
			require.FileExists(t, filepath.Join(root, filepath.Dir(page), string(found[1])), page)
		}
	}
}

// The front page is a door, not a library.
func TestReadmes_frontPageIsShort(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(page), 6<<10)
}
