package charts

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

func jsonNumber(n any) string { return fmt.Sprint(n) }

type schema map[string]any

type values = map[string]any

func parsed(t *testing.T) (values, schema) {
	t.Helper()
	var v values
	require.NoError(t, yaml.Unmarshal([]byte(read(t, chart+"/values.yaml")), &v))
	var s schema
	require.NoError(t, json.Unmarshal([]byte(read(t, chart+"/values.schema.json")), &s))
	return v, s
}

// resolve returns the schema that a reference, or the first part of an allOf, stands for.
func (s schema) resolve(root schema) schema {
	if name, ok := s["$ref"].(string); ok {
		definitions, _ := root["definitions"].(map[string]any)
		found, _ := definitions[strings.TrimPrefix(name, "#/definitions/")].(map[string]any)
		return found
	}
	if parts, ok := s["allOf"].([]any); ok {
		first, _ := parts[0].(map[string]any)
		return schema(first).resolve(root)
	}
	return s
}

func (s schema) property(name string) (schema, bool) {
	all, _ := s["properties"].(map[string]any)
	found, ok := all[name].(map[string]any)
	return found, ok
}

func describe(v values, s, root schema, at string) (unknown []string) {
	s = s.resolve(root)
	if _, closed := s["properties"]; !closed {
		return nil // part of a Kubernetes object, or a map with arbitrary keys
	}
	for name, value := range v {
		below, ok := s.property(name)
		if !ok {
			unknown = append(unknown, at+name)
			continue
		}
		if members, isMap := value.(values); isMap {
			unknown = append(unknown, describe(members, below, root, at+name+".")...)
		}
	}
	return unknown
}

func TestValuesSchema_matchesDefaults(t *testing.T) {
	t.Parallel()
	v, s := parsed(t)
	require.Empty(t, describe(v, s, s, ""))
	service, _ := s.property("defaults")
	for path, pair := range map[string]struct {
		v values
		s schema
	}{"": {v, s}, "defaults.": {v["defaults"].(values), service.resolve(s)}} {
		properties, _ := pair.s["properties"].(map[string]any)
		for name := range properties {
			if path+name != "global" {
				require.Contains(t, pair.v, name, "%s%s is in the schema and has no default", path, name)
			}
		}
	}
}

func TestValuesSchema_refusesUnknownKeys(t *testing.T) {
	t.Parallel()
	_, root := parsed(t)
	open := []string{"kubernetesObject", "global"}
	var walk func(at string, node any)
	walk = func(at string, node any) {
		switch n := node.(type) {
		case map[string]any:
			if n["type"] == "object" && !slices.ContainsFunc(open, func(name string) bool { return strings.HasSuffix(at, "/"+name) }) {
				_, restricted := n["additionalProperties"]
				require.True(t, restricted || strings.HasSuffix(at, "kubernetesList/items"), "%s may hold anything", at)
			}
			for name, below := range n {
				walk(at+"/"+name, below)
			}
		case []any:
			for _, below := range n {
				walk(at, below)
			}
		}
	}
	walk("", map[string]any(root))
}

// The schema rejects a digest, key or certificate for a service that it does not know, so it has to know exactly the services.
func TestValuesSchema_namesEachService(t *testing.T) {
	t.Parallel()
	_, s := parsed(t)
	byService := schema{"$ref": "#/definitions/byService"}.resolve(s)
	known, _ := byService["properties"].(map[string]any)
	require.ElementsMatch(t, delivered, slices.Collect(maps.Keys(known)))
}

// The console takes every value of a service but the one that is about a database, as the schema of a service describes it.
func TestValuesSchema_consoleIsAService(t *testing.T) {
	t.Parallel()
	_, s := parsed(t)
	service, _ := schema{"$ref": "#/definitions/service"}.resolve(s)["properties"].(map[string]any)
	console, _ := s.property("console")
	for name := range service {
		got, there := console.property(name)
		require.Equal(t, name != "databaseMaxConns", there, name)
		require.True(t, !there || got["$ref"] == "#/definitions/service/properties/"+name, name)
	}
}

// helm refuses bad values by the schema, and says where they are.
func TestBadValues(t *testing.T) {
	t.Parallel()
	for set, place := range map[string]string{
		"environment=staging":                            "/environment",
		"environmnt=live":                                "environmnt",
		"image.pullPolicy=Sometimes":                     "/image/pullPolicy",
		"image.tag=a b":                                  "/image/tag",
		"image.registry=":                                "/image/registry",
		"image.digests.orders=sha256:0123":               "/image/digests/orders",
		"image.digests.orders=latest":                    "/image/digests/orders",
		"image.digests.order=sha256:0123":                "/image/digests",
		"signing.privateKeys.issuer=signing-issuer":      "/signing/privateKeys",
		"tls.secretNames.order=order-tls":                "/tls/secretNames",
		"database.url=postgres://u:p@host/db":            "url",
		"database.existingSecret=Not_A_Name":             "/database/existingSecret",
		"database.connectionLimit=-1":                    "/database/connectionLimit",
		"retention.idempotencyKeys=2y":                   "/retention/idempotencyKeys",
		"periods.confirmAfter=8 days":                    "/periods/confirmAfter",
		"periods.delivery=8h":                            "delivery",
		"redis.urlKey=":                                  "/redis/urlKey",
		"signing.privateKeyKey=a/b":                      "/signing/privateKeyKey",
		"signing.privateKeys.orders=Not_A_Name":          "/signing/privateKeys/orders",
		"clients.connectionsPerAddress=-1":               "/clients/connectionsPerAddress",
		"clients.trustedProxies={x}":                     "/clients/trustedProxies/0",
		"signing.revokedTokens={x}":                      "/signing/revokedTokens/0",
		"refunds.providerURL=pay":                        "/refunds/providerURL",
		"telemetry.traceSampleRatio=2":                   "/telemetry/traceSampleRatio",
		"telemetry.otlpEndpoint=collector":               "/telemetry/otlpEndpoint",
		"defaults.logLevel=LOUD":                         "/defaults",
		"defaults.replica=3":                             "/defaults",
		"gateway.autoscaling.minReplicas=0":              "/gateway/autoscaling/minReplicas",
		"orders.probes.liveness.exec=true":               "/orders/probes/liveness",
		"orders.resources.limits.memory=much":            "/orders/resources/limits/memory",
		"claims.podDisruptionBudget.minAvailable=1":      "/claims/podDisruptionBudget",
		"claims.topologySpread.zone=Perhaps":             "/claims/topologySpread/zone",
		"orders.service.type=ExternalName":               "/orders/service/type",
		"orders.service.ports.http=70000":                "/orders/service/ports/http",
		"authorities[0].key=ca.crt":                      "/authorities/0",
		"qna.drainWaitSeconds=five":                      "/qna/drainWaitSeconds",
		"console.databaseMaxConns=4":                     "/console",
		"console.docsURL=docs.example.com":               "/console/docsURL",
		"console.drainWaitSeconds=five":                  "/console/drainWaitSeconds",
		"console.oidc.issuer=http://a.com":               "/console/oidc/issuer",
		"console.oidc.scopes={a b}":                      "/console/oidc/scopes/0",
		"console.publicURL=http://a.com":                 "/console/publicURL",
		"console.publicURL=https://a.com/path":           "/console/publicURL",
		"qna.strategy.type=BlueGreen":                    "/qna/strategy/type",
		"migrations.backoffLimit=-1":                     "/migrations/backoffLimit",
		"ingress.hosts={UPPER}":                          "/ingress/hosts/0",
		"ingress.paths={}":                               "/ingress/paths",
		"httpRoute.paths={open}":                         "/httpRoute/paths/0",
		"networkPolicy.databasePorts={70000}":            "/networkPolicy/databasePorts/0",
		"monitoring.databaseCapacityBytes=1Gi":           "/monitoring/databaseCapacityBytes",
		"monitoring.databaseCapacityBytes=-1":            "/monitoring/databaseCapacityBytes",
		"monitoring.serviceMonitor.enabled=true":         "/monitoring/serviceMonitor/enabled",
		"monitoring.serviceMonitor.interval=often":       "/monitoring/serviceMonitor/interval",
		"monitoring.prometheusRule.disabledAlerts={no}":  "/monitoring/prometheusRule/disabledAlerts/0",
		"monitoring.prometheusRule.runbookURL=somewhere": "/monitoring/prometheusRule/runbookURL",
		"monitoring.prometheusRule.thresholds.Other=1":   "/monitoring/prometheusRule/thresholds",
	} {
		t.Run(shortName(set), func(t *testing.T) {
			t.Parallel()
			got := try(t, "helm", "template", "soa", chart, "--values", chart+"/ci/minimal-values.yaml", "--set", set)
			require.Error(t, got.err)
			require.Contains(t, got.problem, "schema")
			require.Contains(t, got.problem, place)
		})
	}
}

// shortName returns the name of the test of a setting: the setting without the first element of a path of three or more.
func shortName(set string) string {
	path, _, _ := strings.Cut(set, "=")
	if _, below, _ := strings.Cut(set, "."); strings.Count(path, ".") > 1 {
		return below
	}
	return set
}

// documented returns the paths of all values, in the order of the file, each of which has a comment that describes it.
func documented(t *testing.T) (paths []string) {
	t.Helper()
	var file yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(read(t, chart+"/values.yaml")), &file))
	var walk func(at string, node *yaml.Node)
	walk = func(at string, node *yaml.Node) {
		for n := 0; n < len(node.Content); n += 2 {
			key, value := node.Content[n], node.Content[n+1]
			// A block without a description of its own is described by its members.
			if value.Kind == yaml.MappingNode && len(value.Content) > 0 && (key.HeadComment == "" || at+key.Value == "defaults") {
				walk(at+key.Value+".", value)
				continue
			}
			require.NotEmpty(t, key.HeadComment, "%s%s has no comment", at, key.Value)
			paths = append(paths, at+key.Value)
		}
	}
	walk("", file.Content[0])
	return paths
}

// The markers around the table in README.md.
const (
	tableBegins = "<!-- values: rendered from values.yaml by `make generate` -->\n"
	tableEnds   = "<!-- end of values -->"
)

// The table in the chart's README names every value, by block; those outside of a block are in the first row.
func TestReadme_namesValues(t *testing.T) {
	t.Parallel()
	path := filepath.Join(chart, "README.md")
	before, rest, found := strings.Cut(read(t, path), tableBegins)
	require.True(t, found)
	_, after, found := strings.Cut(rest, tableEnds)
	require.True(t, found)
	blocks, members := []string{""}, map[string][]string{}
	for _, value := range documented(t) {
		block, name, within := strings.Cut(value, ".")
		if !within {
			block, name = "", value
		}
		if !slices.Contains(blocks, block) {
			blocks = append(blocks, block)
		}
		name, _, _ = strings.Cut(name, ".")
		if !slices.Contains(members[block], name) {
			members[block] = append(members[block], name)
		}
	}
	var table strings.Builder
	table.WriteString("| Block | Values |\n|---|---|\n")
	for _, block := range blocks {
		fmt.Fprintf(&table, "| %s | %s |\n", block, strings.Join(members[block], ", "))
	}
	want := before + tableBegins + table.String() + tableEnds + after
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
	}
	require.Equal(t, want, read(t, path), "run make generate")
}
