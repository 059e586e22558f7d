package charts

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// definitions are the folders with third-party CRDs, which `make chart-test` downloads.
var definitions = []string{
	"../.tools/crds/gateway-api", "../.tools/crds/prometheus-operator", "../.tools/crds/barman-cloud",
	"../.tools/crds/cert-manager", "../.tools/crds/external-secrets", "../.tools/crds/argo-cd", "../.tools/crds/flux-source",
}

// unvalidated matches the API versions whose CRDs are not available as a Go module.
var unvalidated = regexp.MustCompile(`^(postgresql\.cnpg|helm\.toolkit\.fluxcd)\.io/`)

// validate checks objects against the schemas of the API server; unknown fields are errors.
func validate(t *testing.T, all []object) {
	t.Helper()
	folder := t.TempDir()
	for n, o := range all {
		if unvalidated.MatchString(o.text("apiVersion")) {
			continue
		}
		content, err := yaml.Marshal(o)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.yaml", n)), content, 0o600))
	}
	for _, crds := range definitions {
		require.DirExists(t, crds, "`make chart-test` puts it there")
	}
	got := try(t, "kubectl-validate", "--version", "1.30", "--local-crds", strings.Join(definitions, ","), folder)
	require.NoError(t, got.err, "%s%s", got.out, got.problem)
}

func TestVariants_acceptedByAPIServer(t *testing.T) {
	t.Parallel()
	for _, variant := range variants(t) {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			all := rendered(t, variant)
			require.NotEmpty(t, all)
			names := map[string]bool{}
			for _, o := range all {
				require.False(t, names[o.name()], "%s is there twice", o.name())
				names[o.name()] = true
			}
			validate(t, all)
		})
	}
}

func TestVariants_validatedStrictly(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	misspelt := "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: [{port: 80, targetPorts: 80}]}\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "x.yaml"), []byte(misspelt), 0o600))
	got := try(t, "kubectl-validate", "--version", "1.30", folder)
	require.Error(t, got.err)
	require.Contains(t, got.out+got.problem, "targetPorts")
}

// Every pod of every variant runs without root, privileges or a service account token.
func TestVariants_podsRestricted(t *testing.T) {
	t.Parallel()
	for _, variant := range variants(t) {
		pods := 0
		for _, o := range rendered(t, variant) {
			spec := podSpec(o)
			if spec == nil {
				continue
			}
			pods++
			require.Equal(t, false, spec.at("automountServiceAccountToken"), o.name())
			require.Equal(t, true, spec.at("securityContext", "runAsNonRoot"), o.name())
			require.Equal(t, "RuntimeDefault", spec.text("securityContext", "seccompProfile", "type"), o.name())
			container := spec.containers()[0] // ours; the values may add others
			require.Equal(t, false, container.at("securityContext", "allowPrivilegeEscalation"), o.name())
			require.Equal(t, true, container.at("securityContext", "readOnlyRootFilesystem"), o.name())
			require.Equal(t, []any{"ALL"}, container.at("securityContext", "capabilities", "drop"), o.name())
			require.NotNil(t, container.at("resources", "requests", "cpu"), o.name())
			require.NotNil(t, container.at("resources", "limits", "memory"), o.name())
		}
		require.GreaterOrEqual(t, pods, 4, variant)
	}
}

func TestSecrets_neitherMadeNorTakenAsValues(t *testing.T) {
	t.Parallel()
	for _, variant := range variants(t) {
		for _, o := range rendered(t, variant) {
			require.NotEqual(t, "Secret", o.text("kind"), variant)
		}
	}
	require.NotRegexp(t, `(?im)^\s*(password|token|secret|key):\s*\S`, read(t, chart+"/values.yaml"))
}

// Every variant of the chart passes the linter, and the chart passes its unit suites.
func TestChart_passesLinterAndUnitSuites(t *testing.T) {
	t.Parallel()
	for _, variant := range variants(t) {
		run(t, "helm", "lint", "--strict", chart, "--values", filepath.Join(chart, "ci", variant+"-values.yaml"))
	}
	run(t, "helm-unittest", "--strict", chart)
}

// Every template of the chart is named in one of its unit suites.
func TestTemplates_eachHasUnitSuite(t *testing.T) {
	t.Parallel()
	var suites strings.Builder
	for _, path := range glob(t, chart+"/tests/*_test.yaml") {
		suites.WriteString(read(t, path))
	}
	for _, pattern := range []string{"/templates/*.yaml", "/templates/*.txt", "/templates/tests/*.yaml"} {
		for _, path := range glob(t, chart+pattern) {
			template, err := filepath.Rel(chart+"/templates", path)
			require.NoError(t, err)
			require.True(t, regexp.MustCompile(`templates: \[[^]]*\b`+regexp.QuoteMeta(template)).MatchString(suites.String()),
				"no suite for %s", template)
		}
	}
}

// podSpec returns the spec of the pods that an object creates, nil when it creates none.
func podSpec(o object) object {
	var spec any
	switch o.text("kind") {
	case "Pod":
		spec = o.at("spec")
	case "Deployment", "StatefulSet", "DaemonSet", "Job":
		spec = o.at("spec", "template", "spec")
	case "CronJob":
		spec = o.at("spec", "jobTemplate", "spec", "template", "spec")
	}
	members, _ := spec.(object)
	return members
}

func (o object) containers() []object {
	list, _ := o.at("containers").([]any)
	all := make([]object, 0, len(list))
	for _, container := range list {
		members, _ := container.(object)
		all = append(all, members)
	}
	return all
}
