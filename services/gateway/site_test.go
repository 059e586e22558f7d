package gateway

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/proto/openapi/site"
)

// What pages show before a script has run is what an installation has that sets nothing.
func TestSite_showsDefaults(t *testing.T) {
	t.Parallel()
	config := defaults.Of[Config]()
	config.Keys.Environment = "live"
	settings := config.site()
	settings.Key = nil // a function
	require.Equal(t, site.Defaults(), settings)
}

// Pages are rendered by `make generate`: the program that everybody can reach reads no Markdown and fills no template.
func TestSite_rendersNothing(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/gateway")
	text, err := list.Output()
	require.NoError(t, err)
	require.Contains(t, string(text), "sellerapi.dev/proto/openapi/site ")
	for line := range strings.Lines(string(text)) {
		require.NotRegexp(t, `(?i)goldmark|markdown|openapi/site/render`, line)
		if strings.HasPrefix(line, "sellerapi.dev/") {
			require.NotRegexp(t, `\b(html|text)/template\b`, line)
		}
	}
}
