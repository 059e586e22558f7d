package dashboards

import (
	"fmt"
	"slices"
	"strings"
)

const kustomizationHead = `# For a Grafana without the sidecar; the chart itself makes a ConfigMap of each of the same files. Those of the services behind the
# gateway are one ConfigMap, so that what mounts it need not list the services; the others are one each, because kubectl apply
# keeps at most 256 KiB of an object. Rendered from the tables in charts/internal/dashboards by "make generate".
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
configMapGenerator:
`

// Kustomization renders the kustomization.yaml that generates ConfigMaps from the files.
func Kustomization() []byte {
	var out strings.Builder
	out.WriteString(kustomizationHead)
	entry := func(name string, all ...Dashboard) {
		files := make([]string, len(all))
		for n, dashboard := range all {
			files[n] = dashboard.Name + ".json"
		}
		fmt.Fprintf(&out, "  - {name: dashboard-%s, files: [%s]}\n", name, strings.Join(files, ", "))
	}
	for _, dashboard := range slices.Concat(front(), back()) {
		entry(dashboard.Name, dashboard)
	}
	entry("services", backends()...)
	return []byte(out.String())
}
