package conformance_test

import (
	"flag"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

var update = flag.Bool("update", false, "rewrite what clients are promised, in testdata")

// promised compares what clients are promised with the reviewed text, or writes it. A line that changes is a change visible to
// clients; the documents in released/ are compared with it for breaking changes.
func promised(t *testing.T, path string, lines []string) {
	t.Helper()
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run go test -update in proto/conformance and review the difference")
}

// parsed returns the document without validating it, parsed once for all tests, which do not modify it.
func parsed(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := loaded()
	require.NoError(t, err)
	return document
}

var loaded = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(openapi.YAML().Bytes())
})

type call struct {
	method, path string
	spec         *openapi3.Operation
}

// calls returns the operations by id, without the two that serve the document itself.
func calls(document *openapi3.T) map[string]call {
	all := map[string]call{}
	for path, item := range document.Paths.Map() {
		for method, spec := range item.Operations() {
			if !slices.Contains(spec.Tags, "Description") {
				all[spec.OperationID] = call{method: method, path: path, spec: spec}
			}
		}
	}
	return all
}

func responses(document *openapi3.T, visit func(where string, status int, response *openapi3.Response)) {
	for name, c := range calls(document) {
		for status := range 600 {
			if ref := c.spec.Responses.Value(statusKey(status)); ref != nil {
				visit(name+" "+statusKey(status), status, ref.Value)
			}
		}
	}
	visit("(no path)", http.StatusNotFound, document.Components.Responses["PathNotFound"].Value)
	visit("(no method)", http.StatusMethodNotAllowed, document.Components.Responses["MethodNotAllowed"].Value)
}

func statusKey(status int) string {
	return string([]byte{'0' + byte(status/100), '0' + byte(status/10%10), '0' + byte(status%10)})
}

// codes returns the values of x-error-codes; null is an empty string.
func codes(response *openapi3.Response) []string {
	listed, _ := response.Extensions["x-error-codes"].([]any)
	all := make([]string, 0, len(listed))
	for _, value := range listed {
		code, _ := value.(string)
		all = append(all, code)
	}
	return all
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
