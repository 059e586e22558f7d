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

// The API server accepts everything that the cluster test applies, so that the cluster test fails only for what it is meant to
// find.
func TestClusterTest_acceptedByAPIServer(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"dependencies", "strict"} {
		all := built(t, filepath.Join(clusterTest, folder))
		require.NotEmpty(t, all)
		validate(t, all)
	}
	validate(t, objects(t, read(t, filepath.Join(clusterTest, "load.yaml"))))
	for _, values := range [][]string{
		{"../k8s/overlays/development/values.yaml", clusterTest + "/values.yaml"},
		{"../k8s/overlays/live/values.yaml", clusterTest + "/strict/values.yaml"},
	} {
		validate(t, objects(t, run(t, "helm", "template", "open-api", chart, "--namespace", "shop", "--values", values[0],
			"--values", values[1])))
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
	// its connection strings use verify-full and rediss
	require.Contains(t, read(t, clusterTest+"/install.sh"), `k8s/secrets "$space" production`)
	require.Contains(t, read(t, "../k8s/overlays/live/values.yaml"), "tls: {enabled: true}")
}

// The commands that skaffold runs before and after it deploys are tested on a real cluster: the cluster test runs the same
// commands with the same arguments, except for the names of the namespace and the release.
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

// prerequisites checks the prerequisites of the cluster test where there are only programs that the test has made, given as
// scripts by name, and returns what is reported.
func prerequisites(t *testing.T, programs map[string]string, env ...string) (string, error) {
	t.Helper()
	path := t.TempDir()
	for _, program := range []string{"bash", "dirname", "basename", "grep", "ls", "sed"} {
		found, err := exec.LookPath(program)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(found, filepath.Join(path, program)))
	}
	for program, text := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(path, program), []byte("#!/bin/sh\n"+text+"\n"), 0o700)) //nolint:gosec // a program
	}
	script := exec.CommandContext(t.Context(), "bash", "../.ci/chart-cluster-test", "prerequisites")
	script.Env = append([]string{"PATH=" + path}, env...)
	out, err := script.CombinedOutput()
	return string(out), err
}

// clusterWith returns a kubectl for a cluster that answers with these annotations of its storage classes, and about an API
// group. For anything else it fails.
func clusterWith(annotations, group string) string {
	return "case \"$*\" in 'get --raw /readyz' | 'get --raw /apis/" + group + "') exit 0 ;; 'get storageclass '*) echo '" +
		annotations + "'; exit 0 ;; esac; exit 1"
}

// A missing prerequisite is reported in one line, before anything is built or created.
func TestClusterTest_namesWhatIsMissing(t *testing.T) {
	t.Parallel()
	const (
		failing  = "exit 1"
		registry = "KO_DOCKER_REPO=registry.example.com"
		classes  = `{"storageclass.kubernetes.io/is-default-class":"true"}`
		metrics  = "metrics.k8s.io/v1beta1"
	)
	with := func(kubectl string) map[string]string {
		return map[string]string{"kubectl": kubectl, "openssl": failing, "go": failing, "git": "exit 0"}
	}
	for missing, say := range map[string]string{
		"kubectl": "kubectl is missing; it needs kubectl, openssl, go and git", "openssl": "openssl is missing", "go": "go is missing",
		"git": "git is missing",
	} {
		programs := with(failing)
		delete(programs, missing)
		out, err := prerequisites(t, programs, registry)
		require.Error(t, err)
		requireSentence(t, say, out)
	}
	noCommit := with(failing)
	noCommit["git"] = failing
	for _, c := range []struct {
		programs map[string]string
		env      string
		say      string
	}{
		{noCommit, registry, "run it in a git checkout"},
		{with(failing), "", "KO_DOCKER_REPO says where images go"},
		{with(failing), registry, "no cluster answers in the current kube-context"},
		{with(clusterWith("", metrics)), registry, "the cluster has no default StorageClass"},
		{
			with(clusterWith(`{} {"storageclass.kubernetes.io/is-default-class":"false"}`, metrics)), registry,
			"the cluster has no default StorageClass",
		},
		{with(clusterWith(classes, "apps/v1")), registry, "install metrics-server, or omit the step autoscaler from STEPS"},
	} {
		out, err := prerequisites(t, c.programs, c.env)
		require.Error(t, err, c.say)
		requireSentence(t, c.say, out)
	}
	// All are there; without the step autoscaler no metrics are needed.
	for _, c := range [][]string{
		{clusterWith(classes, metrics), "STEPS="},
		{clusterWith(classes, "apps/v1"), "STEPS=minimal drain"},
	} {
		out, err := prerequisites(t, with(c[0]), registry, c[1])
		require.NoError(t, err, out)
		require.Empty(t, out)
	}
	require.Regexp(t, `(?m)^cluster-test: need-cluster `, read(t, "../Makefile"))
}

func requireSentence(t *testing.T, say, out string) {
	t.Helper()
	require.Regexp(t, `^make cluster-test: [^\n]*`+regexp.QuoteMeta(say)+`[^\n]*\n$`, out)
}

// The images of the dependencies can be replaced by variables, for a cluster that cannot pull those of the manifests.
func TestClusterTest_imagesCanBeReplaced(t *testing.T) {
	t.Parallel()
	script := read(t, "../.ci/chart-cluster-test")
	for _, extra := range []string{"collector", "tempo", "prometheus", "grafana"} {
		require.Contains(t, script, strings.ToUpper(extra)+"_IMAGE")
		asThere := run(t, "kustomize", "build", manifests+"/dependencies/"+extra)
		for image, replaced := range map[string]bool{"": false, "registry.example.com/own@sha256:0a": true} {
			command := exec.CommandContext(t.Context(), "bash", "-euc", `. clustertest/install.sh; with_image "$1"`, "bash", image)
			command.Stdin = strings.NewReader(asThere)
			out, err := command.Output()
			require.NoError(t, err)
			require.Len(t, objects(t, string(out)), len(objects(t, asThere)))
			require.Equal(t, replaced, strings.Contains(string(out), "        image: registry.example.com/own@sha256:0a\n"), extra)
			require.Equal(t, !replaced, string(out) == asThere, extra)
		}
	}
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
