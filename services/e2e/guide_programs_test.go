package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
)

var anyBlock = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// guideLanguage is a language of the programs of the guides: the file that the program of a page is written to, how all of them
// are built, and how one is run in the folder where the client is installed. DIR stands for that folder, PAGE for the page, and
// TSC for the compiler with its options.
type guideLanguage struct {
	name, file string
	build      [][]string
	run        []string
}

// guideLanguages are the languages by the installation in which their programs run. A file named copy.py would shadow the
// module of Python's library.
var guideLanguages = map[string]guideLanguage{
	"go": {
		"go", "PAGE/main.go",
		[][]string{{"go", "vet", "./..."}, {"go", "build", "-o", "bin/", "./..."}},
		[]string{"DIR/bin/PAGE"},
	},
	"es_module": {"ts", "PAGE.mts", [][]string{{"TSC"}}, []string{"node", "DIR/PAGE.mjs"}},
	"wheel":     {"python", "guide_PAGE.py", nil, []string{"DIR/env/bin/python", "-X", "dev", "-W", "error", "DIR/guide_PAGE.py"}},
}

func typeScriptCompiler(t *testing.T, files []string) []string {
	t.Helper()
	_, err := typeScriptMirror()
	require.NoError(t, err)
	packages, err := filepath.Abs(filepath.Join(root, "proto", "clients", "ts", "node_modules"))
	require.NoError(t, err)
	return append([]string{
		filepath.Join(packages, ".bin", "tsc"), "--module", "nodenext", "--target", "es2022", "--types", "node", "--typeRoots",
		filepath.Join(packages, "@types"), "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess",
		"--noImplicitReturns",
		"--noUnusedLocals", "--noUnusedParameters", "--verbatimModuleSyntax", "--isolatedModules",
	}, files...)
}

// follow builds the programs of all pages in a folder where the client is installed, and runs each as the page shows it.
func (l guideLanguage) follow(t *testing.T, dir string, environment []string) {
	t.Helper()
	files := make([]string, 0, len(guideEffects))
	for page := range guideEffects {
		file := strings.ReplaceAll(l.file, "PAGE", page)
		code := guideBlocks(t, "en/"+page)[l.name]
		require.Len(t, code, 1, "%s in %s", page, l.name)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(code[0]), 0o600))
		files = append(files, file)
	}
	for _, command := range l.build {
		if command[0] == "TSC" {
			command = typeScriptCompiler(t, files)
		}
		runIn(t, dir, command, environment...)
	}
	for page, effect := range guideEffects {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			d := openSession(t)
			arguments, required := effect(t, d)
			own := append(slices.Clone(environment), "GATEWAY_URL="+d.Witnessed(t), "SELLER_A_KEY="+d.seller.Key)
			command := strings.Split(strings.NewReplacer("DIR", dir, "PAGE", page).Replace(strings.Join(l.run, "\n")), "\n")
			place := t.TempDir()
			required(t, runIn(t, place, append(command, arguments...), own...), place)
		})
	}
}

func guideBlocks(t *testing.T, page string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, guides, filepath.FromSlash(page)+".md"))
	require.NoError(t, err)
	blocks := map[string][]string{}
	for _, block := range anyBlock.FindAllStringSubmatch(string(text), -1) {
		blocks[block[1]] = append(blocks[block[1]], block[2])
	}
	return blocks
}

// withoutComments returns blocks of code without the comments of shell commands, which are in the language of the page.
func withoutComments(blocks map[string][]string) map[string][]string {
	bare := maps.Clone(blocks)
	bare["sh"] = nil
	for _, block := range blocks["sh"] {
		bare["sh"] = append(bare["sh"], shellComment.ReplaceAllString(block, ""))
	}
	return bare
}

// anyHeading and anyRow match the headings of a page by their depth, and the rows of its tables by the number of their cells.
var (
	anyHeading = regexp.MustCompile(`(?m)^#+ `)
	anyRow     = regexp.MustCompile(`(?m)^\|.*\|$`)
)

func guideOutline(t *testing.T, page string) (outline []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, guides, filepath.FromSlash(page)+".md"))
	require.NoError(t, err)
	for line := range strings.Lines(anyBlock.ReplaceAllString(string(text), "")) {
		line = strings.TrimSpace(line)
		switch {
		case anyHeading.MatchString(line):
			outline = append(outline, strings.Fields(line)[0])
		case anyRow.MatchString(line):
			outline = append(outline, fmt.Sprintf("%d cells", strings.Count(line, "|")-1))
		}
	}
	return outline
}

func requireContractAnswer(t *testing.T, text string) {
	t.Helper()
	checker, err := oracle.New() // a separate one, because this response is invented
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://gateway/open/v1/orders", nil)
	require.NoError(t, err)
	header := http.Header{
		"Content-Type": {"application/json; charset=utf-8"}, "Cache-Control": {"no-store"}, "X-Request-Id": {"1"},
		"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"59"}, "X-Ratelimit-Reset": {"60"},
		"X-Ratelimit-Rows-Limit": {"3000"}, "X-Ratelimit-Rows-Remaining": {"2999"},
	}
	_, err = checker.Check(request, http.StatusOK, header, []byte(text))
	require.NoError(t, err)
}

// An example that no test runs is correct only until the first change. Commands may appear only on the pages that the walk
// follows, programs only on those whose effect is known; and both languages of the site show the same code, under the same
// headings and with the same tables.
func TestGuides_everyExampleRuns(t *testing.T) {
	t.Parallel()
	runs := map[string][]string{
		"json": {"start"}, // JSON shows responses
		"sh":   append([]string{"clients", marketplaceGuide}, walked...), "python": {marketplaceGuide},
	}
	for _, language := range guideLanguages {
		for page := range guideEffects {
			runs[language.name] = append(runs[language.name], page)
		}
	}
	pages, err := filepath.Glob(filepath.Join(root, guides, "en", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, path := range pages {
		page := strings.TrimSuffix(filepath.Base(path), ".md")
		blocks := guideBlocks(t, "en/"+page)
		require.Equal(t, withoutComments(blocks), withoutComments(guideBlocks(t, "ko/"+page)), page)
		require.Equal(t, guideOutline(t, "en/"+page), guideOutline(t, "ko/"+page), page)
		for _, answer := range blocks["json"] {
			requireContractAnswer(t, answer)
		}
		for language := range blocks {
			require.Contains(t, runs[language], page, "an example in %q that no test runs", language)
		}
	}
}

// A developer finds each call of the guides in every programming language.
func TestGuides_everyCallInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, page := range walked {
		blocks := guideBlocks(t, "en/"+page)
		for _, language := range guideLanguages {
			require.Len(t, blocks[language.name], 1, "%s in %s", page, language.name)
		}
	}
}
