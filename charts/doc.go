// Package charts holds the checks of what runs the system: the Helm chart, its alerts and dashboards, the manifests in k8s,
// skaffold.yaml. It has no code of its own.
//
// It is a module outside of the workspace, because it stands on Prometheus' parser and needs programs that nobody else
// needs. Run it with `make chart-test`, which finds or builds helm, promtool and the others; a program that is missing is a
// failure. That every expression also finds something in a running system is seen in services/allinone/panels.
//
// # What is held together
//
//	dashboards   the JSON files and the tables they are rendered from; every expression parses; every metric and label in
//	             one is exported by the code
//	alerts       the rules, their tests (a case that fires, one that does not), the sections of the runbook
//	values       values.yaml, its schema, the README's table; bad values and combinations are refused with a sentence
//	settings     what the templates set in the environment, and what the programs read from it
//	rendered     every ci/*-values.yaml and every overlay renders to objects that the API server's own schemas accept
//	skaffold     paths, images, ports and Services; the base image of .ko.yaml
//	releases     with `make release-test` only, in releasetest: what `make release` pushes and writes, verified
package charts

//go:generate go test -run TestReadme_showsValues -update .
