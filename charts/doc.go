// Package charts tests the deployment artifacts of the system: the Helm chart, its alerts and dashboards, the manifests in k8s,
// and skaffold.yaml. It contains only tests.
//
// It is a module outside of the workspace because it depends on Prometheus' parser and on programs that no other module
// needs. Run it with `make chart-test`, which finds or builds helm, promtool and the others; a missing program is a
// failure. services/lab/panels checks that every expression also returns series in a running system.
//
// # What is checked against each other
//
//	dashboards   the JSON files and the tables they are rendered from; every expression parses; every metric and label
//	             that it uses is exported by the code
//	alerts       the rules, their tests (a case that fires, one that does not), the sections of the runbook
//	values       values.yaml, its comments, its schema, the README's table; bad values and combinations are rejected with a message
//	settings     the environment variables that the templates set, and those that the programs read
//	rendered     every ci/*-values.yaml and every overlay renders to objects that the API server's own schemas accept
//	skaffold     paths, images, ports and Services; the base image of .ko.yaml
//	releases     only with `make release-test`, in releasetest: verifies what `make release` pushes and writes
package charts

//go:generate go test -run ^(TestReadme_namesValues|TestRestore_renderedFromCluster)$ -update .
