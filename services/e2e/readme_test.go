package e2e

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// root is the root of the workspace.
	root   = "../.."
	guides = "proto/openapi/guides"
)

// walked are the pages of the guides with commands, in the order in which readers follow them.
var walked = []string{"start", "copy", "ship", "claims", "retries", "exchange", "inquiries", "limits"}

var (
	pinnedBy  = regexp.MustCompile("`(?:(\\w+)\\.)?((?:Test|Fuzz)\\w+)`")
	testName  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	packageOf = regexp.MustCompile(`(?m)^package (\w+?)(?:_test)?$`)
)

// A decision that names a test which was renamed, moved or deleted is no longer tested, and neither is one that names none.
func TestReadmes_everyDecisionIsPinned(t *testing.T) {
	t.Parallel()
	packages := testsByName(t)
	for service, least := range map[string]int{"gateway": 70, "orders": 40, "claims": 60, "qna": 10} {
		page, err := os.ReadFile(filepath.Join(root, "services", service, "README.md"))
		require.NoError(t, err)
		rows := decisionsOf(string(page))
		require.GreaterOrEqual(t, len(rows), least, service)
		for _, row := range rows {
			cells := strings.Split(strings.Trim(row, "| "), " | ")
			require.Len(t, cells, 3, "%s: %s", service, row)
			require.NotEmpty(t, pinnedBy.FindAllString(cells[2], -1), "%s: a decision that names no test: %s", service, row)
		}
		for _, match := range pinnedBy.FindAllStringSubmatch(string(page), -1) {
			within := packages[match[2]]
			require.NotEmpty(t, within, "the README of %s names %s, which exists nowhere", service, match[2])
			if match[1] != "" {
				require.Contains(t, within, match[1], "the README of %s names %s", service, match[0])
				continue
			}
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(within))), 1,
				"the README of %s names %s, which several packages have", service, match[2])
		}
	}
}

func decisionsOf(page string) []string {
	_, section, _ := strings.Cut(page, "\n## Decisions\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| Question ") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	return rows
}

func testNames(t *testing.T) []string {
	t.Helper()
	return slices.Collect(maps.Keys(testsByName(t)))
}

func testsByName(t *testing.T) map[string][]string {
	t.Helper()
	tests := map[string][]string{}
	for _, folder := range []string{"pkg", "proto", "services", "charts"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			within := string(packageOf.FindSubmatch(text)[1])
			for _, found := range testName.FindAllSubmatch(text, -1) {
				tests[string(found[1])] = append(tests[string(found[1])], within)
			}
			return nil
		}))
	}
	return tests
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
