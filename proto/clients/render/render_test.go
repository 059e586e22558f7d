package render_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/render"
	"sellerapi.dev/proto/openapi"
)

var update = flag.Bool("update", false, "rewrite the files of the clients")

// A client that is behind the contract loses data that the server sends.
func TestFiles_renderedFromContract(t *testing.T) {
	t.Parallel()
	files, err := render.Files(openapi.YAML().Bytes())
	require.NoError(t, err)
	require.Len(t, files, 13)
	for name, want := range files {
		path := filepath.Join("..", filepath.FromSlash(name))
		if *update {
			require.NoError(t, os.WriteFile(path, want, 0o600))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "%s: run go generate in proto/clients/render", name)
	}
}
