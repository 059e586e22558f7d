package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

// anyBlock is a block of code in a page, with its language.
var anyBlock = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// guideProgram is a program of the page of clients: its language, the file that it is put into, and how it is built and run where the
// client is installed.
type guideProgram struct {
	language, file string
	build          [][]string
	run            []string
}

// guidePrograms are the programs of the page, by the installation in which each runs. TSC stands for the compiler and its types.
var guidePrograms = map[string]guideProgram{
	"go":        {"go", "approve/main.go", [][]string{{"go", "build", "-o", "approve/approve", "./approve"}}, []string{"./approve/approve"}},
	"es_module": {"ts", "approve.mts", [][]string{{"TSC"}}, []string{"node", "approve.mjs"}},
	"wheel":     {"python", "approve.py", nil, []string{"env/bin/python", "approve.py"}},
}

// typeScriptCompiler compiles the program as strictly as a project can.
func typeScriptCompiler(t *testing.T) []string {
	t.Helper()
	_, err := typeScriptMirror()
	require.NoError(t, err)
	packages, err := filepath.Abs(filepath.Join(root, "proto", "clients", "ts", "node_modules"))
	require.NoError(t, err)
	return []string{
		filepath.Join(packages, ".bin", "tsc"), "--strict", "--module", "nodenext", "--target", "es2022", "--types", "node",
		"--typeRoots", filepath.Join(packages, "@types"), "approve.mts",
	}
}

// follow runs the program as the guide shows it: the one claim that waits is approved.
func (p guideProgram) follow(t *testing.T, dir, address string, seller stacktest.Seller, environment []string) {
	t.Helper()
	s := stacktest.Use(t)
	claim := stacktest.NewClaim(stacktest.Return, s.PlaceNew(t, seller.ID, stacktest.Claimable(stacktest.Return)))
	s.RequestClaim(t, claim)
	code := guideBlocks(t, "en/clients")[p.language]
	require.Len(t, code, 1)
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p.file)), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, p.file), []byte(code[0]), 0o600))
	environment = append(environment, "GATEWAY_URL="+address, "SELLER_A_KEY="+seller.Key)
	for _, command := range p.build {
		if command[0] == "TSC" {
			command = typeScriptCompiler(t)
		}
		runIn(t, dir, command, environment...)
	}
	require.Equal(t, claim.GetClaimNo()+" approved\n", runIn(t, dir, p.run, environment...))
}

// guideBlocks are the blocks of code of a page by language.
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

// An example that no test runs is right until the first change. Commands stand on the pages that the walk follows, programs on the page
// of clients, where each language has one; and both languages of the site show the same.
func TestGuides_everyExampleRuns(t *testing.T) {
	t.Parallel()
	runs := map[string][]string{"json": {"start"}, "sh": walked} // JSON is what an answer looks like
	for _, program := range guidePrograms {
		runs[program.language] = []string{"clients"}
	}
	pages, err := filepath.Glob(filepath.Join(root, guides, "en", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, path := range pages {
		page := strings.TrimSuffix(filepath.Base(path), ".md")
		blocks := guideBlocks(t, "en/"+page)
		require.Equal(t, blocks, guideBlocks(t, "ko/"+page), page)
		for language := range blocks {
			require.Contains(t, runs[language], page, "an example in %q that no test runs", language)
		}
	}
}
