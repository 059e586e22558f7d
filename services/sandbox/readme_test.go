package sandbox_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/proto/openapi"
)

//go:generate go test -run TestReadme -update .

var update = flag.Bool("update", false, "rewrite the table of operations in README.md")

// The table of operations in the README has the rows of the operation table, with what the contract says of them.
func TestReadme(t *testing.T) {
	t.Parallel()
	const file, from, to = "README.md", "<!-- operations -->\n", "<!-- end of operations -->"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(page), from)
	require.True(t, found)
	_, after, found := strings.Cut(rest, to)
	require.True(t, found)
	want := before + from + table(t) + to + after
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(page), "run go generate")
}

func table(t *testing.T) string {
	t.Helper()
	var contract struct {
		Paths map[string]struct {
			Post struct {
				OperationID string `yaml:"operationId"`
				Summary     string `yaml:"summary"`
			} `yaml:"post"`
		} `yaml:"paths"`
	}
	require.NoError(t, yaml.Unmarshal(openapi.Sandbox().Bytes(), &contract))
	summaries := map[string]string{}
	for _, path := range contract.Paths {
		summaries[path.Post.OperationID] = path.Post.Summary
	}
	var out strings.Builder
	out.WriteString("| `POST` | Does |\n|---|---|\n")
	for _, op := range operation.Of(operation.Sandbox) {
		fmt.Fprintf(&out, "| `%s` | %s |\n", op.Path, summaries[op.Name])
	}
	return out.String()
}
