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
	// root is the root of the workspace.
	root = "../../.."
	// guides is the folder with the pages for developers of ERPs.
	guides = "proto/openapi/guides"
)

// walked are the pages of the guides with commands, in the order in which readers follow them.
var walked = []string{"start", "copy", "ship", "claims", "retries", "exchange", "inquiries", "limits"}

var (
	pinnedBy = regexp.MustCompile("`(?:\\w+\\.)?((?:Test|Fuzz)\\w+)`")
	testName = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// A decision that names a test which was renamed or deleted is no longer tested.
func TestReadmes_nameTestsThatExist(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	for _, name := range testNames(t) {
		exists[name] = true
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

// testNames returns the names of all tests of the repository.
func testNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, folder := range []string{"pkg", "proto", "services", "charts"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range testName.FindAllSubmatch(text, -1) {
				names = append(names, string(found[1]))
			}
			return err
		}))
	}
	return names
}

// nameMost is the maximum length of the name of a test; .ci/go-test applies it to the names of subtests.
const nameMost = 50

var (
	// subjectAndCase is the form of a test's name; subjectAlone is the form for a test with all cases of its
	// subject.
	subjectAndCase = regexp.MustCompile(`^(?:Test|Fuzz)[A-Z][A-Za-z0-9]*_\w+$`)
	subjectAlone   = regexp.MustCompile(`^(?:Test|Fuzz)(?:[A-Z]+[a-z0-9]*){1,4}$`)
)

// A test is named by its subject and its case; the comment above it says what it checks.
func TestTests_namedBySubjectAndCase(t *testing.T) {
	t.Parallel()
	for _, name := range testNames(t) {
		require.LessOrEqual(t, len(name), nameMost, name)
		require.True(t, subjectAndCase.MatchString(name) || subjectAlone.MatchString(name), name)
	}
}

// The front page refers to other pages and explains little.
func TestReadmes_frontPageIsShort(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(page), 6<<10)
}
