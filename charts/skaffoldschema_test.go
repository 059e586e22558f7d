package charts

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// skaffoldSchema is that of skaffold itself, of the version which skaffold.yaml names.
const skaffoldSchema = "../.tools/crds/skaffold/v4beta13.json"

// skaffold refuses a configuration with a field that it does not know or of another type, and nobody else does before it is started.
func TestSkaffold_fitsItsSchema(t *testing.T) {
	t.Parallel()
	require.FileExists(t, skaffoldSchema, "`make chart-test` puts it there")
	schema, err := jsonschema.NewCompiler().Compile(skaffoldSchema)
	require.NoError(t, err)
	documents := 0
	for decoder := yaml.NewDecoder(strings.NewReader(read(t, skaffolded))); ; documents++ {
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.NoError(t, schema.Validate(document))
		document.(map[string]any)["deploy"].(map[string]any)["unknown"] = true
		require.Error(t, schema.Validate(document), "the schema takes everything")
	}
	require.Equal(t, 2, documents)
}
