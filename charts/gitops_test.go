package charts

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// gitops is the folder with the examples for Argo CD and Flux, which render the chart from a repository.
const gitops = manifests + "/gitops"

func valueFiles(t *testing.T, o object, base string, keys ...string) []string {
	t.Helper()
	list, _ := o.at(keys...).([]any)
	require.NotEmpty(t, list, o.name())
	paths := make([]string, len(list))
	for n, entry := range list {
		path, _ := entry.(string)
		paths[n] = filepath.Join(base, path)
		require.FileExists(t, paths[n])
	}
	return paths
}

// liveAndGitOps are the arguments for helm with which Argo CD and Flux render the release of the live overlay.
var liveAndGitOps = []string{
	"template", "open-api", chart, "--namespace", "seller-open-api", "--values", manifests + "/overlays/live/values.yaml",
	"--values", gitops + "/values.yaml",
}

// held returns the keys that items name, as "kind name/key". The name of each key is in the given field of its item.
func held(kind, name string, items []any, field string) []string {
	all := make([]string, len(items))
	for n, entry := range items {
		item, _ := entry.(object)
		all[n] = kind + " " + name + "/" + item.text(field)
	}
	return all
}

func mounted(pod object) []string {
	var all []string
	volumes, _ := pod.at("volumes").([]any)
	for _, entry := range volumes {
		volume, _ := entry.(object)
		sources, _ := volume.at("projected", "sources").([]any)
		for _, source := range sources {
			for kind, from := range source.(object) {
				content, _ := from.(object)
				items, _ := content.at("items").([]any)
				all = append(all, held(strings.ToLower(kind), content.text("name"), items, "key")...)
			}
		}
	}
	return all
}

// The external-secrets example is complete: it has each key that a pod mounts, and no other. The certificate authorities are
// missing because operators create them.
func TestGitOps_externalSecretsAreThoseMounted(t *testing.T) {
	t.Parallel()
	wanted, made := map[string]bool{}, map[string]bool{}
	for _, o := range objects(t, run(t, "helm", liveAndGitOps...)) {
		for _, key := range mounted(podSpec(o)) {
			if key != "secret postgres-ca/ca.crt" && key != "secret redis-tls/ca.crt" {
				wanted[key] = true
			}
		}
	}
	require.Greater(t, len(wanted), 10)
	for _, o := range objects(t, read(t, gitops+"/external-secrets.yaml")) {
		require.Equal(t, "seller-open-api", o.text("metadata", "namespace"))
		keys := []string{}
		switch o.text("kind") {
		case "ExternalSecret":
			require.Equal(t, o.text("metadata", "name"), o.text("spec", "target", "name"))
			items, _ := o.at("spec", "data").([]any)
			keys = held("secret", o.text("metadata", "name"), items, "secretKey")
		case "ConfigMap":
			for key := range o.at("data").(object) {
				keys = append(keys, "configmap "+o.text("metadata", "name")+"/"+key)
			}
		}
		require.NotEmpty(t, keys, o.name())
		for _, key := range keys {
			require.False(t, made[key], "%s twice", key)
			made[key] = true
		}
	}
	require.Equal(t, wanted, made)
}

// Argo CD passes the API versions of the cluster and its Kubernetes version to helm, and includes CRDs. The rendered objects
// are the same whether or not the monitoring API is among them: an object that depends on it could be deleted in a
// reconciliation.
func TestGitOps_sameObjectsWhateverIsThere(t *testing.T) {
	t.Parallel()
	names := func(more ...string) []string {
		all := objects(t, run(t, "helm", slices.Concat(liveAndGitOps,
			[]string{"--include-crds", "--kube-version", "1.30.0", "--api-versions", "apps/v1"}, more)...))
		texts := make([]string, len(all))
		for n, o := range all {
			content, err := yaml.Marshal(o)
			require.NoError(t, err)
			texts[n] = string(content)
		}
		return texts
	}
	without := names()
	require.NotEmpty(t, without)
	require.Equal(t, without, names("--api-versions", "monitoring.coreos.com/v1"))
	require.Equal(t, without, names("--api-versions", "monitoring.coreos.com/v1,monitoring.coreos.com/v1/PrometheusRule"))
}

// A commit that changes values or templates is applied although the chart's version stays. By default Flux makes a new chart
// from a repository only when its version changes. The version with the revision is not part of a pod's labels, which would
// restart all pods.
func TestGitOps_fluxFollowsEachRevision(t *testing.T) {
	t.Parallel()
	release := only(t, gitops+"/flux.yaml", "HelmRelease")
	require.Equal(t, "GitRepository", release.text("spec", "chart", "spec", "sourceRef", "kind"))
	require.Equal(t, "Revision", release.text("spec", "chart", "spec", "reconcileStrategy"))
	for _, o := range objects(t, run(t, "helm", liveAndGitOps...)) {
		if o.text("kind") == "Deployment" {
			require.NotEmpty(t, o.text("metadata", "labels", "helm.sh/chart"), o.name())
			require.Empty(t, o.text("spec", "template", "metadata", "labels", "helm.sh/chart"), o.name())
		}
	}
}

// Argo CD and Flux render as helm template does, without a cluster. The output is valid and deterministic, and does not set
// replicas, because every reconciliation would then reset what the autoscalers have set.
func TestGitOps_rendersWithoutCluster(t *testing.T) {
	t.Parallel()
	for tool, base := range map[string]string{"argocd": chart, "flux": ".."} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			arguments := []string{"template", "open-api", chart, "--namespace", "seller-open-api"}
			for _, o := range objects(t, read(t, gitops+"/"+tool+".yaml")) {
				keys := map[string][]string{
					"Application": {"spec", "source", "helm", "valueFiles"},
					"HelmRelease": {"spec", "chart", "spec", "valuesFiles"},
				}[o.text("kind")]
				if keys == nil {
					continue
				}
				for _, path := range valueFiles(t, o, base, keys...) {
					arguments = append(arguments, "--values", path)
				}
			}
			require.Len(t, arguments, 9)
			made := run(t, "helm", arguments...)
			require.Equal(t, made, run(t, "helm", arguments...))
			all := objects(t, made)
			validate(t, all)
			kinds := map[string]int{}
			for _, o := range all {
				kinds[o.text("kind")]++
				if o.text("kind") == "Deployment" {
					require.Nil(t, o.at("spec", "replicas"), o.name())
					require.Equal(t, "true", o.text("metadata", "annotations", "reloader.stakater.com/auto"), o.name())
				}
			}
			require.Equal(t, len(services), kinds["Deployment"])
			require.Equal(t, len(services), kinds["HorizontalPodAutoscaler"])
			require.Equal(t, 1, kinds["PrometheusRule"])
		})
	}
}
