# The commands for developers. All versions of build programs are pinned here, except those of the generators of clients, which
# proto/clients/generated pins.
GOLANGCI_LINT := v2.15.0
GOTESTSUM     := v1.13.0
PROTOC_GEN_GO := v1.36.12
CONNECT_GO    := v1.21.1
BUF           := 1.75.0
SPECTRAL      := 6.16.3
REDOCLY       := 2.51.2
OAS_SCHEMA    := 2.11.0
PYRIGHT       := 1.1.414
KO            := v0.19.1
COSIGN        := v2.6.5
GOVULNCHECK   := v1.9.0

# The programs of `make chart-test`, and the modules with third-party CRDs and the schema of skaffold.yaml, for .ci/chart-tools.
export HELM                := v4.3.1
export HELM_UNITTEST       := v1.1.2
export KUBECTL_VALIDATE    := v0.0.4
export KUSTOMIZE           := v5.7.1
export GATEWAY_API         := v1.6.0
export PROMETHEUS_OPERATOR := v0.85.0
export BARMAN_CLOUD        := v0.15.0
export CERT_MANAGER        := v1.21.2
export EXTERNAL_SECRETS    := v0.16.2
export ARGO_CD             := v3.2.0
export FLUX_SOURCE         := v1.7.0
export SKAFFOLD            := v2.16.1

SHELL    := bash
# Flags for the race detector, which doubles the time. `make check` and .ci/run use it.
RACE     :=
MODULES  := $(shell sed -n 's|^\t\./||p' go.work)
PACKAGES := $(MODULES:%=./%/...)
# charts depends on libraries that no other module needs, so it is a module outside of the workspace.
APART    := GOWORK=off GOFLAGS=-buildvcs=false
BIN      := $(CURDIR)/.tools/bin
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -X sellerapi.dev/pkg/service.version=$(VERSION)

export PATH := $(BIN):$(CURDIR)/.tools/npm/node_modules/.bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help up clean check test test-go test-others test-short test-distributed model lint generate verify bench bench-compare siege failover images chart-test cluster-test \
        release release-test \
        need-servers need-cgo need-jq need-node need-python need-browser need-curl need-prometheus need-peers need-cluster

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: need-servers ## run the whole system on this machine until Ctrl-C; LAYOUT=distributed on three nodes of PostgreSQL
	@go build -ldflags '$(LDFLAGS)' -o .run/bin/ ./services/allinone/cmd/allinone
	@exec .run/bin/allinone up

clean: ## forget all data of `make up`
	@go run ./services/allinone/cmd/allinone clean

test: need-servers need-cgo need-browser need-node need-python need-curl need-prometheus $(BIN)/gotestsum-$(GOTESTSUM) ## every test; RACE=-race with the race detector
	@.ci/chart-tools
	@$(MAKE) --no-print-directory test-go
	@$(MAKE) --no-print-directory test-others # not at the same time as the others, which use all cores and have calls that must not time out

# The slowest packages come first, so that none runs alone at the end. More of them run at a time than there are processors, because tests
# wait for servers much of the time. `make lint` vets, and test binaries need no debug information.
test-go:
	@.ci/go-test $(RACE) -vet=off -ldflags=-w -p $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)) -parallel 4 -timeout 45m \
	  ./services/e2e ./services/lab/... ./services/orders/... $(PACKAGES)

test-others:
	@cd proto/clients/ts && npm ci --silent --no-audit --no-fund && npm test --silent
	@.ci/chart-test

# The size of `make model`: it plays SEEDS random sequences of OPERATIONS operations each, beginning with the seed FIRST.
SEEDS      ?= 10000
OPERATIONS ?= 100
FIRST      ?= 1

model: need-servers ## the model of the whole system against the services; SEEDS=, OPERATIONS=, FIRST=
	@go test ./services/lab/model/drive -run '^TestModel$$' -count 1 -timeout 0 -v -args \
	  -model.seeds=$(SEEDS) -model.operations=$(OPERATIONS) -model.first=$(FIRST) $(MODEL_FLAGS)

test-distributed: need-servers need-browser need-node need-python need-curl ## end-to-end, crash and model tests on a distributed PostgreSQL, where there is one
	@.ci/distributed

check: need-servers need-cgo $(BIN)/gotestsum-$(GOTESTSUM) $(BIN)/golangci-lint-$(GOLANGCI_LINT) $(BIN)/govulncheck-$(GOVULNCHECK) ## the quick look at what changed: vet, lint, vulnerabilities, race tests
	@MODULES='$(MODULES)' LONG='$(LONG)' .ci/check

# Slow tests: they run the whole system or eight gateways, or explain thousands of statements. The quick targets omit them.
LONG := ^(TestRun_everyPart|TestList_everyFilterPairIsCheap|TestBadPod_ofEightNamedWithinAMinute)$$

test-short: need-servers need-browser need-python need-curl need-prometheus $(BIN)/gotestsum-$(GOTESTSUM) ## the quick half of the tests
	@.ci/go-test -short -skip '$(LONG)' -timeout 5m $(PACKAGES)

lint: need-python $(BIN)/golangci-lint-$(GOLANGCI_LINT) .tools/npm/buf-$(BUF) ## style, mistakes, direction of the dependencies, contracts
	@set -e; for m in $(MODULES); do (cd $$m && golangci-lint run --allow-parallel-runners ./...); done
	@cd charts && $(APART) golangci-lint run --allow-parallel-runners ./...
	@cd proto && buf lint
	@SPECTRAL=$(SPECTRAL) REDOCLY=$(REDOCLY) OAS_SCHEMA=$(OAS_SCHEMA) .ci/contract
	@npx --yes pyright@$(PYRIGHT) --warnings --project proto/clients/python

generate: $(BIN)/protoc-gen-go-$(PROTOC_GEN_GO) $(BIN)/protoc-gen-connect-go-$(CONNECT_GO) .tools/npm/buf-$(BUF) ## rewrite generated code and rendered documents
	@cd proto && buf generate
	@go generate $(PACKAGES)
	@cd charts && $(APART) go generate ./...
	@go generate ./proto/openapi/site/render # again: pages contain pictures of services

verify: ## generated code, rendered documents and module files are current
	@.ci/verify $(MODULES) charts

bench: need-servers ## speed as ratios to yardsticks of the same run, with bars, and beside nginx after need-peers; QUICK=1 in four minutes
	@go build -ldflags '$(LDFLAGS)' -o .run/bin/ ./services/lab/cmd/lab
	@.run/bin/lab bench $(if $(QUICK),--quick,--keep services/lab/bench)

bench-compare: need-servers ## what a change costs: this tree beside BASE=<commit> under the same load; QUICK=1 as above
	@test -n '$(BASE)' || { echo 'bench-compare needs BASE=<commit>'; exit 2; }
	@go build -ldflags '$(LDFLAGS)' -o .run/bin/ ./services/lab/cmd/lab
	@.run/bin/lab bench-compare $(if $(QUICK),--quick) --base '$(BASE)'

siege: need-servers ## attack a running system, and hold what that costs against bars
	@go build -ldflags '$(LDFLAGS)' -o .run/bin/ ./services/lab/cmd/lab
	@.run/bin/lab siege

failover: need-servers ## kill the servers under a running system, and hold for how long clients feel it against bars
	@go build -ldflags '$(LDFLAGS)' -o .run/bin/ ./services/lab/cmd/lab
	@.run/bin/lab failover

chart-test: $(BIN)/gotestsum-$(GOTESTSUM) ## the chart, its alerts, dashboards and manifests, without a cluster
	@.ci/chart-test

cluster-test: need-cluster $(BIN)/ko-$(KO) $(BIN)/helm-$(HELM) $(BIN)/kustomize-$(KUSTOMIZE) ## install, restart, kill, scale, restore and remove the chart in the current kube-context
	@.ci/chart-cluster-test

images: $(BIN)/ko-$(KO) ## container images of the services (KO_DOCKER_REPO says where to)
	@GOFLAGS=-tags=nomsgpack ko build --base-import-paths --ldflags '-s -w $(LDFLAGS)' --tags $(VERSION) \
	  --image-label org.opencontainers.image.version=$(VERSION),org.opencontainers.image.revision=$(shell git rev-parse HEAD) $(foreach s,$(shell .ci/services images),./services/$(s)/cmd/$(s))

release: need-jq need-node need-python $(BIN)/ko-$(KO) $(BIN)/cosign-$(COSIGN) $(BIN)/helm-$(HELM) ## signed images, SBOMs, provenance, chart, packages of the clients; VERSION=, KO_DOCKER_REPO=, COSIGN_KEY=
	@VERSION='$(VERSION)' LDFLAGS='-s -w $(LDFLAGS)' KO=$(KO) COSIGN=$(COSIGN) .ci/release

release-test: $(BIN)/ko-$(KO) $(BIN)/cosign-$(COSIGN) $(BIN)/helm-$(HELM) ## a release to a registry on the loopback, verified
	@cd charts && $(APART) go test -tags release -count 1 -timeout 30m ./releasetest

# The prerequisites. Missing ones are installed with the system's package manager, or named in an error message.
need-servers: ; @.ci/need go postgres redis-server
need-cgo:     ; @.ci/need gcc
need-jq:      ; @.ci/need jq
need-node:    ; @.ci/need node npm
need-python:  ; @.ci/need python3 pip
need-curl:    ; @.ci/need curl
need-browser: ; @.ci/need chromium
need-prometheus: ; @.ci/need prometheus
need-peers: ; @.ci/need nginx
need-cluster: ; @.ci/chart-cluster-test prerequisites

# Each version of a program has its own stamp file, so a changed version is installed.
install = @GOBIN=$(BIN) GOWORK=off GOFLAGS= go install $(1) && touch $@
$(BIN)/golangci-lint-$(GOLANGCI_LINT):     ; $(call install,github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT))
$(BIN)/gotestsum-$(GOTESTSUM):             ; $(call install,gotest.tools/gotestsum@$(GOTESTSUM))
$(BIN)/protoc-gen-go-$(PROTOC_GEN_GO):     ; $(call install,google.golang.org/protobuf/cmd/protoc-gen-go@$(PROTOC_GEN_GO))
$(BIN)/protoc-gen-connect-go-$(CONNECT_GO):; $(call install,connectrpc.com/connect/cmd/protoc-gen-connect-go@$(CONNECT_GO))
$(BIN)/govulncheck-$(GOVULNCHECK):         ; $(call install,golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK))
$(BIN)/ko-$(KO):                           ; $(call install,github.com/google/ko@$(KO))
$(BIN)/cosign-$(COSIGN):                   ; $(call install,github.com/sigstore/cosign/v2/cmd/cosign@$(COSIGN))
$(BIN)/helm-$(HELM):                       ; $(call install,helm.sh/helm/v4/cmd/helm@$(HELM))
$(BIN)/kustomize-$(KUSTOMIZE):             ; $(call install,sigs.k8s.io/kustomize/kustomize/v5@$(KUSTOMIZE))
.tools/npm/buf-$(BUF): | need-node
	@npm install --silent --no-audit --no-fund --no-save --prefix .tools/npm @bufbuild/buf@$(BUF) && touch $@
