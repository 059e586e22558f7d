package charts

import (
	"errors"
	"fmt"
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

// When skaffold is stopped it deletes what it has applied. A namespace among that would take the Secrets and the data with it, and the next
// start would begin with nothing.
func TestSkaffold_keepsNamespace(t *testing.T) {
	t.Parallel()
	dependencies, system := skaffold(t)
	for _, path := range dependencies.Manifests.Kustomize.Paths {
		for _, o := range built(t, top(path)) {
			require.NotContains(t, []string{"Namespace", "PersistentVolumeClaim", "Secret"}, o.text("kind"), o.name())
		}
	}
	require.Contains(t, commands(dependencies, system)[0], "kubectl apply -f k8s/overlays/development/namespace.yaml")
}

func TestEveryProfileAddsValuesThatRender(t *testing.T) {
	t.Parallel()
	_, system := skaffold(t)
	names := make([]string, len(system.Profiles))
	for n, profile := range system.Profiles {
		names[n] = profile.Name
		require.NotEmpty(t, profile.Patches)
		patch := profile.Patches[0]
		require.Equal(t, "add", patch.Op)
		require.Equal(t, "/deploy/helm/releases/0/valuesFiles/-", patch.Path)
		validate(t, installed(t, "--values", top(patch.Value.Value)))
		if profile.Name != "dev" { // debuggers need what the others leave out
			require.Len(t, profile.Patches, 1)
			continue
		}
		for a, patch := range profile.Patches[1:] {
			var flags []string
			require.NoError(t, patch.Value.Decode(&flags))
			require.Equal(t, []string{"-s", "-w"}, flags)
			require.Equal(t, fmt.Sprintf("/build/artifacts/%d/ko/ldflags", a), patch.Path)
		}
		require.Len(t, profile.Patches, 1+len(system.Build.Artifacts))
	}
	require.Equal(t, []string{"dev", "debug", "ha"}, names)
}
