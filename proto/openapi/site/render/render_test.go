package render_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi/site/render"
)

var update = flag.Bool("update", false, "rewrite the pages of the site")

// Developers read what the guides, the error table and the contract say today.
func TestFiles_renderedFromSources(t *testing.T) {
	t.Parallel()
	files, err := render.Files()
	require.NoError(t, err)
	folder := filepath.Join("..", "pages")
	if *update {
		require.NoError(t, os.RemoveAll(folder))
		for name, text := range files {
			path := filepath.Join(folder, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
			require.NoError(t, os.WriteFile(path, text, 0o600))
		}
	}
	var names []string
	pages := os.DirFS(folder)
	require.NoError(t, fs.WalkDir(pages, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	require.Len(t, files, len(names), "run go generate in proto/openapi/site/render")
	for _, name := range names {
		text, err := fs.ReadFile(pages, name)
		require.NoError(t, err)
		require.Equal(t, string(files[name]), string(text), "%s: run go generate in proto/openapi/site/render", name)
	}
}
