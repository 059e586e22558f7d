package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s#]*)(?:#([^)\s]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	// noPart matches the characters of a heading that its anchor omits.
	noPart = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	apart  = []string{".git", ".tools", ".run", "node_modules"}
)

// Every link of a page of the repository resolves, including its anchor. (Those of the site are checked in the
// gateway's tests, as the site serves them.)
func TestReadmes_everyLinkArrives(t *testing.T) {
	t.Parallel()
	pages, links := 0, 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains(apart, entry.Name()) {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		pages++
		for _, found := range link.FindAllStringSubmatch(proseOf(t, path), -1) {
			target, chapter := found[1], found[2]
			if strings.HasPrefix(target, "/") || strings.Contains(target, "://") {
				continue // an address of the running system, or an external one
			}
			links++
			file := filepath.Join(filepath.Dir(path), target)
			if target == "" {
				file = path
			}
			_, err := os.Stat(file)
			require.NoError(t, err, "%s: %s", path, found[0])
			if chapter != "" && filepath.Ext(file) == ".md" {
				require.Contains(t, chaptersOf(t, file), chapter, "%s: %s", path, found[0])
			}
		}
		return nil
	}))
	require.Greater(t, pages, 50)
	require.Greater(t, links, 100)
}

// proseOf returns the text of a page without its blocks of code.
func proseOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return anyBlock.ReplaceAllString(string(text), "")
}

func chaptersOf(t *testing.T, path string) []string {
	t.Helper()
	headings := heading.FindAllStringSubmatch(proseOf(t, path), -1)
	names := make([]string, 0, len(headings))
	for _, found := range headings {
		name := noPart.ReplaceAllString(strings.ToLower(strings.TrimSpace(found[1])), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}
