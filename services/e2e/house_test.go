package e2e

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rooms are the parts of the house, from what is called first to what all stand on; a folder belongs to the longest of its names.
var rooms = []string{
	"services/e2e", "services/lab", "services/allinone", "services/gateway", "services/claims", "services/orders", "services/qna",
	"services/console", "services/sandbox", "charts", "proto/clients/cli", "proto/clients/go", "proto/clients", "proto/conformance",
	"proto", "pkg/launch", "pkg",
}

// The picture in the contributor's guide shows who imports whom, tests aside; `-update` draws it again.
func TestHouse_drawnFromImports(t *testing.T) {
	t.Parallel()
	const page, from, to = root + "/.github/CONTRIBUTING.md", "<!-- house -->\n", "<!-- end of house -->"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), from)
	require.True(t, found)
	_, after, found := strings.Cut(rest, to)
	require.True(t, found)
	want := before + from + drawing(imports(t)) + to + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text))
}

// imports returns the rooms that each room imports.
func imports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || strings.HasSuffix(entry.Name(), "test")) {
			return filepath.SkipDir
		}
		room := roomOf(strings.TrimPrefix(filepath.ToSlash(path), root+"/"))
		if room == "" || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if all[room] == nil {
			all[room] = map[string]bool{}
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			name, ours := strings.CutPrefix(name, "sellerapi.dev/")
			if other := roomOf(name + "/"); ours && other != room {
				all[room][other] = true
			}
		}
		return nil
	}))
	return all
}

func roomOf(path string) string {
	longest := ""
	for _, room := range rooms {
		if strings.HasPrefix(path, room+"/") && len(room) > len(longest) {
			longest = room
		}
	}
	return longest
}

func drawing(all map[string]map[string]bool) string {
	var out strings.Builder
	out.WriteString("```mermaid\nflowchart TD\n")
	for i, room := range rooms {
		for _, other := range slices.Sorted(maps.Keys(all[room])) {
			fmt.Fprintf(&out, "  r%d[%s] --> r%d[%s]\n", i, room, slices.Index(rooms, other), other)
		}
	}
	out.WriteString("```\n")
	return out.String()
}
