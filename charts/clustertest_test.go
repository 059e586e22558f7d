package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clusterTest is the folder of `make cluster-test`.
const clusterTest = "clustertest"

// What the test of a real cluster applies is accepted by every API server, so that it ends with what it looks for.
func TestClusterTest_acceptedByAPIServer(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"dependencies", "strict"} {
		all := built(t, filepath.Join(clusterTest, folder))
		require.NotEmpty(t, all)
		validate(t, all)
	}
	for _, file := range []string{"load.yaml", "restored.yaml"} {
		validate(t, objects(t, read(t, filepath.Join(clusterTest, file))))
	}
	for _, values := range [][]string{
		{"../k8s/overlays/development/values.yaml", clusterTest + "/values.yaml"},
		{"../k8s/overlays/live/values.yaml", clusterTest + "/strict/values.yaml"},
	} {
		validate(t, objects(t, run(t, "helm", "template", "open-api", chart, "--namespace", "shop", "--values", values[0], "--values", values[1])))
	}
}

// The strict installation is one: the database has to prove its name, Redis and the services speak TLS, and nothing listens without.
func TestClusterTest_strictHasNothingPlain(t *testing.T) {
	t.Parallel()
	rendered := run(t, "kustomize", "build", clusterTest+"/strict")
	for _, option := range []string{"- ssl=on", "tls-port 6379", "tls-port 26379"} {
		require.Contains(t, rendered, option)
	}
	require.Contains(t, read(t, clusterTest+"/install.sh"), `k8s/secrets "$space" production`) // whose connection strings say verify-full and rediss
	require.Contains(t, read(t, "../k8s/overlays/live/values.yaml"), "tls: {enabled: true}")
}

// What skaffold runs before and after it deploys has run on a real cluster: the cluster test runs the same commands with the same
// arguments. Of the namespace it changes the name.
func TestClusterTest_runsHooksOfSkaffold(t *testing.T) {
	t.Parallel()
	dependencies, system := skaffold(t)
	all := read(t, "../.ci/chart-cluster-test") + read(t, clusterTest+"/install.sh")
	asThere := strings.NewReplacer(
		"kubectl apply -f k8s/overlays/development/namespace.yaml", "k8s/overlays/development/namespace.yaml | kubectl apply -f -",
		system.Deploy.Helm.Releases[0].Namespace, `"$namespace"`, system.Deploy.Helm.Releases[0].Name+" ", `"$release" `)
	found := 0
	for _, texts := range commands(dependencies, system) {
		for command := range strings.SplitSeq(strings.TrimPrefix(texts, "sh -c "), " && ") {
			require.Regexp(t, regexp.QuoteMeta(asThere.Replace(command))+`( |\n)`, all)
			found++
		}
	}
	require.Equal(t, 3, found)
}

// A total restart keeps the master only where the sentinels keep what they know and all nodes start together, as in production.
func TestClusterTest_strictHasRedisOfProduction(t *testing.T) {
	t.Parallel()
	memory := map[string]object{}
	for _, o := range append(built(t, production+"/redis"), built(t, filepath.Join(clusterTest, "strict"))...) {
		name := o.text("metadata", "name")
		if o.text("kind") != "StatefulSet" || !strings.HasPrefix(name, "redis-") {
			continue
		}
		require.Equal(t, "Parallel", o.text("spec", "podManagementPolicy"), name)
		kept := object{"claims": o.at("spec", "volumeClaimTemplates"), "replicas": o.at("spec", "replicas")}
		require.NotNil(t, kept["claims"], name)
		if first, there := memory[name]; there {
			require.Equal(t, first, kept, name)
		}
		memory[name] = kept
	}
	require.Len(t, memory, 2)
}

// What is missing is said in one sentence, before anything is built or made.
func TestClusterTest_namesWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		programs []string
		env, say string
	}{
		{[]string{"openssl", "go"}, "", "kubectl is missing; it needs kubectl, openssl and go"},
		{[]string{"kubectl", "go"}, "", "openssl is missing"},
		{[]string{"kubectl", "openssl", "go"}, "", "KO_DOCKER_REPO says where images go"},
		{[]string{"kubectl", "openssl", "go"}, "KO_DOCKER_REPO=registry.example.com", "no cluster answers in the current kube-context"},
	} {
		path := t.TempDir()
		for _, program := range []string{"bash", "dirname", "basename", "ls", "sed"} {
			found, err := exec.LookPath(program)
			require.NoError(t, err)
			require.NoError(t, os.Symlink(found, filepath.Join(path, program)))
		}
		for _, program := range c.programs { // is there, and reaches nothing
			require.NoError(t, os.WriteFile(filepath.Join(path, program), []byte("#!/bin/sh\nexit 1\n"), 0o700)) //nolint:gosec // a program
		}
		script := exec.CommandContext(t.Context(), "bash", "../.ci/chart-cluster-test", "prerequisites")
		script.Env = []string{"PATH=" + path, c.env}
		out, err := script.CombinedOutput()
		require.Error(t, err)
		require.Regexp(t, `^make cluster-test: [^\n]*`+regexp.QuoteMeta(c.say)+`[^\n]*\n$`, string(out))
	}
	require.Regexp(t, `(?m)^cluster-test: need-cluster `, read(t, "../Makefile"))
}

// Each step that can be asked for is there; a name that nothing has would end the test after all those before it.
func TestClusterTest_everyStepIsThere(t *testing.T) {
	t.Parallel()
	script := read(t, "../.ci/chart-cluster-test")
	steps := regexp.MustCompile(`(?m)^steps=\$\{STEPS:-([a-z ]+)\}$`).FindStringSubmatch(script)
	require.Len(t, steps, 2)
	parts, err := filepath.Glob(clusterTest + "/*.sh")
	require.NoError(t, err)
	var all strings.Builder
	for _, part := range parts {
		run(t, "bash", "-n", part)
		all.WriteString(read(t, part))
	}
	run(t, "bash", "-n", "../.ci/chart-cluster-test")
	for step := range strings.FieldsSeq(steps[1]) {
		require.Contains(t, all.String(), "\n"+step+"() {\n", step)
	}
	require.Contains(t, script, "of: "+steps[1]+"\n")
}
