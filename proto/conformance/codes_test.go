package conformance_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// published returns all codes of the document with their statuses. It fails if a code is used with two statuses, because each
// code has a fixed one.
func published(t *testing.T) map[string]int {
	t.Helper()
	used := map[string]int{"ORDER_BATCH_ERROR": http.StatusOK} // occurs in the entries of a batch only
	responses(parsed(t), func(where string, status int, response *openapi3.Response) {
		for _, code := range codes(response) {
			if code == "" {
				continue
			}
			before, known := used[code]
			require.True(t, !known || before == status, "%s: %s was %d", where, code, before)
			used[code] = status
		}
	})
	return used
}

func inBatch(t *testing.T) []string {
	t.Helper()
	return extensible(parsed(t).Components.Schemas["FailedEntry"].Value.Properties["error_code"].Value)
}

// A code that disappears from the document, or moves to another status, breaks clients.
func TestCodes_arePromisedWithTheirStatus(t *testing.T) {
	t.Parallel()
	all := published(t)
	lines := make([]string, 0, len(all))
	for _, code := range slices.Sorted(maps.Keys(all)) {
		line := fmt.Sprintf("%d %s", all[code], code)
		if slices.Contains(inBatch(t), code) {
			line += " batch"
		}
		lines = append(lines, line)
	}
	promised(t, "testdata/codes.txt", lines)
}

// The schema of the error codes lists every published code but ORDER_BATCH_ERROR, which only batch entries have.
func TestCodes_listIsWhole(t *testing.T) {
	t.Parallel()
	all := slices.Sorted(maps.Keys(published(t)))
	alone := slices.DeleteFunc(all, func(code string) bool { return code == "ORDER_BATCH_ERROR" })
	require.ElementsMatch(t, alone, extensible(parsed(t).Components.Schemas["ErrorCode"].Value))
}

var tableRow = regexp.MustCompile("(?m)^\\| (\\d{3}) \\| `([A-Z_]+)` \\| (yes)? ?\\| [^|]+ \\|$")

// The table in the document has every published error with its status and its place in batches.
func TestErrorTable_isWhole(t *testing.T) {
	t.Parallel()
	var batch []string
	rows := map[string]int{}
	for _, row := range tableRow.FindAllStringSubmatch(parsed(t).Info.Description, -1) {
		status, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		rows[row[2]] = status
		if row[3] == "yes" {
			batch = append(batch, row[2])
		}
	}
	require.Equal(t, published(t), rows)
	require.ElementsMatch(t, inBatch(t), batch)
}

// The refusals of an operation are as much part of the contract as its results. The list is written out so that a change of a
// shared response shows for each operation that it affects.
func TestOperations_promisedCodes(t *testing.T) {
	t.Parallel()
	all := calls(parsed(t))
	var lines []string
	for _, name := range keys(all) {
		c := all[name]
		lines = append(lines, fmt.Sprintf("%s %s %s %v", name, c.method, c.path, c.spec.Extensions["x-scopes"]))
		statuses := c.spec.Responses.Map()
		for _, status := range keys(statuses) {
			lines = append(lines, strings.TrimRight("  "+status+" "+strings.Join(codes(statuses[status].Value), " "), " "))
		}
	}
	promised(t, "testdata/operations.txt", lines)
}

// The description of a response names exactly the codes that the response can have.
func TestResponses_descriptionsNameCodes(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`([A-Z]+(?:_[A-Z]+)+)`")
	responses(parsed(t), func(where string, _ int, response *openapi3.Response) {
		matches := named.FindAllStringSubmatch(*response.Description, -1)
		mentioned := make([]string, 0, len(matches))
		for _, match := range matches {
			mentioned = append(mentioned, match[1])
		}
		listed := slices.DeleteFunc(codes(response), func(code string) bool { return code == "" })
		require.ElementsMatch(t, listed, mentioned, where)
	})
}

func extensible(schema *openapi3.Schema) []string {
	listed, _ := schema.Extensions["x-extensible-enum"].([]any)
	values := make([]string, 0, len(listed))
	for _, value := range listed {
		values = append(values, fmt.Sprint(value))
	}
	return values
}
