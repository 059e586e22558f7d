package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

var (
	example = regexp.MustCompile(`(?m)^(?:  )?sellerapi .*$`)
	word    = regexp.MustCompile(`'[^']*'|\S+`)
	beside  = regexp.MustCompile(` *[<>#].*$`)
)

// Every command line that --help and the README show is accepted by the program.
func TestExamples_areCommandLines(t *testing.T) {
	t.Parallel()
	parser, err := newParser(t.Context(), &World{}, &commands{})
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	shown := append(example.FindAllString(parser.Model.Help, -1), example.FindAllString(string(readme), -1)...)
	for _, node := range parser.Model.Leaves(false) {
		examples := example.FindAllString(node.Detail, -1)
		if node.Name != "completion" { // its text comes from a library
			require.NotEmpty(t, examples, node.Name)
		}
		shown = append(shown, examples...)
	}
	for _, line := range shown {
		requireTaken(t, line)
	}
}

func requireTaken(t *testing.T, line string) {
	t.Helper()
	parser, err := newParser(t.Context(), &World{}, &commands{})
	require.NoError(t, err)
	words := word.FindAllString(beside.ReplaceAllString(line, ""), -1)[1:]
	arguments := make([]string, 0, len(words))
	for _, argument := range words {
		argument = strings.Trim(argument, "'")
		if extension := filepath.Ext(argument); extension == ".csv" || extension == ".xlsx" { // the file must exist
			argument = filepath.Join(t.TempDir(), argument)
			require.NoError(t, os.WriteFile(argument, nil, 0o600))
		}
		arguments = append(arguments, argument)
	}
	parsed, err := parser.Parse(arguments)
	require.NoError(t, err, line)
	require.IsType(t, &kong.Context{}, parsed)
}
