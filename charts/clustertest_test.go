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

// The API server accepts everything that the cluster test applies, so that the cluster test fails only for what it is meant to find.
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

// The strict installation uses TLS everywhere: clients verify the database's host name, Redis and the services speak TLS, and no
// plaintext port is open.
func TestClusterTest_strictHasNothingPlain(t *testing.T) {
	t.Parallel()
	rendered := run(t, "kustomize", "build", clusterTest+"/strict")
	for _, option := range []string{"- ssl=on", "tls-port 6379", "tls-port 26379"} {
		require.Contains(t, rendered, option)
	}
	require.Contains(t, read(t, clusterTest+"/install.sh"), `k8s/secrets "$space" production`) // its connection strings use verify-full and rediss
	require.Contains(t, read(t, "../k8s/overlays/live/values.yaml"), "tls: {enabled: true}")
}

// The commands that skaffold runs before and after it deploys are tested on a real cluster: the cluster test runs the same commands
// with the same arguments, except for the names of the namespace and the release.
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

// A total restart keeps the master only when the sentinels persist their state and all nodes start together, as in production.
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

// A missing prerequisite is reported in one line, before anything is built or created.
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
		for _, program := range c.programs { // present, but always fails
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

// Each step that can be requested exists; an unknown name would end the cluster test only after all steps before it had run.
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
