package e2e

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type generator struct {
	language string
	command  []string
	// maySay are patterns of the lines that it may print: its progress, and the parts of a correct contract that it cannot use. Any
	// other line fails the test: a developer who sees a warning doubts the contract.
	maySay []string
}

// Lines that other programs than the generators print.
const goDownloads = `go: downloading \S+ v\S+`

// generators are the generators by name, in the order in which the programs of a language call the clients that they generate.
var generators = []struct {
	name string
	generator
}{
	{"oapi-codegen", generator{"go", []string{"go", "generate", "./client"}, []string{goDownloads}}},
	{"ogen", generator{"go", []string{"go", "generate", "./ogenclient"}, []string{
		goDownloads,
		// Header names are case-insensitive; ours are spelled as in the specification.
		`WARN Header name is not canonical, canonical name will be used \{"at": .*, "original_name": "(ETag|X-RateLimit-[A-Za-z-]+)".*\}`,
		// It generates time values from texts, which have no pattern.
		`WARN schemagen String validator cannot be applied to generated type and will be ignored \{.*"format": "date-time", "go_type": "time\.Time"\}`,
		`INFO convenient Convenient errors are not available \{"reason": "operation has no \\"default\\" response".*\}`,
	}}},
	{"openapi-typescript", generator{"typescript", []string{
		"node_modules/.bin/openapi-typescript", "openapi.json", "-o",
		"gen/openapi-typescript.ts",
	}, []string{
		`✨ openapi-typescript [\d.]+`, `🚀 openapi\.json → gen/openapi-typescript\.ts \[[\d.]+m?s\]`,
	}}},
	{"hey-api", generator{"typescript", []string{
		"node_modules/.bin/openapi-ts", "-i", "openapi.json", "-o",
		"gen/hey-api",
	}, []string{
		`@hey-api/openapi-ts v[\d.]+`, `\[Job 1\] ~ Generating\.\.\.`, `\[Job 1\] \[1\] openapi\.json`,
		`\[Job 1\] ✓ \S+ · \d+ files · [\d.]+m?s`,
	}}},
	{"swagger-typescript-api", generator{
		"typescript",
		[]string{
			"node_modules/.bin/swagger-typescript-api", "generate", "-p", "openapi.json", "-o",
			"gen/swagger-typescript-api", "-n", "api.ts",
		},
		[]string{
			`(ℹ|\[info\]) Code generator will use the default template for "(api|routetypes)"`,
			`(ℹ|\[info\]) try to get swagger by path ".*"`,
			`(ℹ|\[info\]) start generating your typescript api`, `(✔|\[success\]) api file "api\.ts" created in .*`,
		},
	}},
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func (g *generator) unexpected(said string) []string {
	known := regexp.MustCompile(`^(` + strings.Join(g.maySay, "|") + `)$`)
	var lines []string
	for line := range strings.Lines(escapes.ReplaceAllString(said, "")) {
		if line = strings.Join(strings.Fields(line), " "); line != "" && !known.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func generate(t *testing.T, dir, language string) (names []string) {
	t.Helper()
	for _, one := range generators {
		if one.language == language {
			require.Empty(t, one.unexpected(allSaid(t, dir, one.command)), "%s warns", one.name)
			names = append(names, one.name)
		}
	}
	return names
}

// Every unknown line counts as a warning, whatever it is labelled.
func TestGenerators_unknownLinesAreWarnings(t *testing.T) {
	t.Parallel()
	for _, one := range generators {
		require.Equal(t, []string{"a schema was left out"}, one.unexpected("\x1b[33m a schema  was left out\x1b[39m\n\n"), one.name)
	}
}
