package charts

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// gitops is the folder for those who have the chart rendered from a repository.
const gitops = manifests + "/gitops"

// valueFiles are the values with which a tool renders the chart, as paths from here.
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

// Argo CD and Flux render as helm template does, without a cluster. What comes out is valid, is the same every time, and does not hold
// the numbers of pods, which would be taken back from the autoscalers at every reconciliation.
func TestGitOps_rendersWithoutCluster(t *testing.T) {
	t.Parallel()
	for tool, base := range map[string]string{"argocd": chart, "flux": ".."} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			arguments := []string{"template", "open-api", chart, "--namespace", "seller-open-api"}
			for _, o := range objects(t, read(t, gitops+"/"+tool+".yaml")) {
				keys := map[string][]string{"Application": {"spec", "source", "helm", "valueFiles"}, "HelmRelease": {"spec", "chart", "spec", "valuesFiles"}}[o.text("kind")]
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
