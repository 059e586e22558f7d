package charts

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

const skaffoldSchema = "../.tools/crds/skaffold/v4beta13.json"

// Skaffold rejects a configuration with an unknown field or a field of the wrong type, but only when it is started.
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
		require.Error(t, schema.Validate(document), "the schema accepts anything")
	}
	require.Equal(t, 2, documents)
}

// patched returns a document with one patch of a profile applied as skaffold does. It fails the test when the path does not
// exist.
func patched(t *testing.T, document any, path string, value any) any {
	t.Helper()
	key, below, deeper := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch here := document.(type) {
	case map[string]any:
		if deeper {
			require.Contains(t, here, key, path)
			here[key] = patched(t, here[key], below, value)
			return here
		}
		here[key] = value
		return here
	case []any:
		if key == "-" {
			require.False(t, deeper, path)
			return append(here, value)
		}
		at, err := strconv.Atoi(key)
		require.NoError(t, err, path)
		require.Less(t, at, len(here), path)
		require.True(t, deeper, "%s: puts an element in front of another", path)
		here[at] = patched(t, here[at], below, value)
		return here
	default:
		require.Fail(t, "nothing to add to", path)
		return nil
	}
}

// Skaffold reports a patch with a wrong path, or one whose result it does not know, only when its profile is used. With each
// profile applied, the configuration fits the schema and has the values of the patches.
func TestProfiles_fitSchema(t *testing.T) {
	t.Parallel()
	require.FileExists(t, skaffoldSchema, "`make chart-test` puts it there")
	schema, err := jsonschema.NewCompiler().Compile(skaffoldSchema)
	require.NoError(t, err)
	dependencies, system := skaffold(t)
	for n, configured := range []configuration{dependencies, system} {
		for _, profile := range configured.Profiles {
			t.Run(configured.Metadata.Name+"/"+profile.Name, func(t *testing.T) {
				t.Parallel()
				decoder := yaml.NewDecoder(strings.NewReader(read(t, skaffolded)))
				var document any
				for range n + 1 {
					document = nil
					require.NoError(t, decoder.Decode(&document))
				}
				for _, patch := range profile.Patches {
					var value any
					require.NoError(t, patch.Value.Decode(&value))
					document = patched(t, document, patch.Path, value)
				}
				require.NoError(t, schema.Validate(document))
				text, err := yaml.Marshal(document)
				require.NoError(t, err)
				var made configuration
				require.NoError(t, yaml.Unmarshal(text, &made))
				for _, release := range made.Deploy.Helm.Releases {
					require.Equal(t, append(configured.Deploy.Helm.Releases[0].ValuesFiles, profile.Patches[0].Value.Value), release.ValuesFiles)
				}
			})
		}
	}
}

// A saved file changes one image: its Deployment is rolled out, whose pods migrate, and nothing else changes.
func TestSkaffold_rollsWhatChangedAlone(t *testing.T) {
	t.Parallel()
	with := func(changed string) map[string]string {
		arguments := make([]string, 0, 2+2*len(services))
		arguments = append(arguments, "--values", top("k8s/overlays/development/dev-values.yaml"))
		for _, service := range services {
			tag := ":1"
			if service == changed {
				tag = ":2"
			}
			arguments = append(arguments, "--set", service+".image=registry.example.com/"+service+tag)
		}
		all := map[string]string{}
		for _, o := range installed(t, arguments...) {
			text, err := yaml.Marshal(o)
			require.NoError(t, err)
			all[o.name()] = string(text)
		}
		return all
	}
	before := with("")
	for _, service := range services {
		var rolled []string
		after := with(service)
		require.Len(t, after, len(before))
		for name, text := range after {
			if before[name] != text {
				rolled = append(rolled, strings.ReplaceAll(name, "/seller-open-api-dev/open-api-", " "))
			}
		}
		want := []string{"Deployment " + service}
		if service == "gateway" {
			want = append(want, "Pod smoke-test")
		}
		require.ElementsMatch(t, want, rolled)
	}
}

// When skaffold is stopped it deletes what it has applied. If that included the namespace, the Secrets and the data would be
// deleted with it.
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

// Every Skaffold profile adds a values file with which the chart renders valid manifests.
func TestSkaffold_profileValuesRender(t *testing.T) {
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
		if profile.Name != "dev" { // the other profiles keep the symbols that debuggers need
			for _, patch := range profile.Patches[1:] {
				require.Equal(t, "/portForward/-", patch.Path)
			}
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
	require.Equal(t, []string{"dev", "debug", "ha", "console"}, names)
}
