package charts

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

const production = manifests + "/production"

// only returns the object of a kind in a file. It fails the test unless there is exactly one.
func only(t *testing.T, path, kind string) object {
	t.Helper()
	var found []object
	for _, o := range objects(t, read(t, path)) {
		if o.text("kind") == kind {
			found = append(found, o)
		}
	}
	require.Len(t, found, 1, "%s: %s", path, kind)
	return found[0]
}

// A restored database replaces the lost one, so it has the same specification: three instances in separate zones, the same
// number of connections, backups. Its backups go elsewhere, because they would otherwise overwrite those that it is restored
// from.
func TestPostgres_restoredIsWhatItReplaces(t *testing.T) {
	t.Parallel()
	cluster, restore := production+"/postgres/cluster.yaml", production+"/postgres/restore.yaml"
	store := only(t, production+"/postgres/backups.yaml", "ObjectStore").text("metadata", "name")
	specs := map[string]object{}
	for _, path := range []string{cluster, restore} {
		c := only(t, path, "Cluster")
		spec, _ := c.at("spec").(object)
		name := c.text("metadata", "name")
		specs[name] = spec
		plugins, _ := spec.at("plugins").([]any)
		require.Len(t, plugins, 1, path)
		archiver, _ := plugins[0].(object)
		require.Equal(t, true, archiver["isWALArchiver"], path)
		where, _ := archiver.at("parameters").(object)
		require.Equal(t, store, where["barmanObjectName"], path)
		require.Equal(t, name == "postgres-restored", where["serverName"] == name, "%s: backups under the name of the other", path)
		delete(where, "serverName")
		delete(spec, "bootstrap")
		schedule, _ := only(t, path, "ScheduledBackup").at("spec").(object)
		require.Equal(t, name, schedule.text("cluster", "name"))
		schedule["cluster"] = nil
		specs[name+" schedule"] = schedule
	}
	sources, _ := specs["postgres-restored"]["externalClusters"].([]any)
	require.Len(t, sources, 1)
	delete(specs["postgres-restored"], "externalClusters")
	require.Equal(t, specs["postgres"], specs["postgres-restored"])
	require.Equal(t, specs["postgres schedule"], specs["postgres-restored schedule"])

	source, _ := sources[0].(object)
	recovery := only(t, restore, "Cluster").at("spec", "bootstrap", "recovery").(object)
	require.Equal(t, source.text("name"), recovery.text("source"))
	require.Equal(t, object{"barmanObjectName": store, "serverName": only(t, cluster, "Cluster").text("metadata", "name")},
		source.at("plugin", "parameters"))
	require.Equal(t, only(t, cluster, "Cluster").text("spec", "bootstrap", "initdb", "database"), recovery.text("database"))

	policy := read(t, production+"/postgres/networkpolicy.yaml")
	require.Contains(t, policy, "{key: cnpg.io/cluster, operator: In, values: [postgres, postgres-restored]}")
	require.NotContains(t, policy, "matchLabels: {cnpg.io/cluster")
}

// A restore points the services at the restored database and then upgrades the release, whose migrations connect to it. The
// policies of the live overlay and of the pages let the services through to both databases, so that no step depends on the
// order of objects.
func TestPostgres_servicesReachTheRestored(t *testing.T) {
	t.Parallel()
	cluster := only(t, production+"/postgres/cluster.yaml", "Cluster").text("metadata", "name")
	restored := only(t, production+"/postgres/restore.yaml", "Cluster").text("metadata", "name")
	both := "operator: In, values: [" + cluster + ", " + restored + "]"
	require.Regexp(t, `databaseTo: .*\{key: cnpg.io/cluster, `+regexp.QuoteMeta(both),
		read(t, manifests+"/overlays/live/values.yaml"))
	for page, blocks := range chartValues(t) {
		if filepath.Dir(page) != production+"/postgres" {
			continue
		}
		for _, block := range blocks {
			if strings.Contains(block, "databaseTo") {
				require.Contains(t, block, both, page)
			}
		}
	}
}

// A primary that loses the Kubernetes API asks the other instances on their status port whether it is isolated, and stops when
// none answers: a policy that drops this turns an outage of the API into one of the database. Replication needs the other port.
func TestPostgres_instancesReachEachOther(t *testing.T) {
	t.Parallel()
	policy := only(t, production+"/postgres/networkpolicy.yaml", "NetworkPolicy")
	instances := policy.at("spec", "podSelector")
	var ports []any
	rules, _ := policy.at("spec", "ingress").([]any)
	for _, entry := range rules {
		rule, _ := entry.(object)
		sources, _ := rule.at("from").([]any)
		allowed, _ := rule.at("ports").([]any)
		for _, source := range sources {
			if from, _ := source.(object); reflect.DeepEqual(instances, from["podSelector"]) {
				for _, port := range allowed {
					ports = append(ports, port.(object)["port"])
				}
			}
		}
	}
	require.ElementsMatch(t, []any{5432, 8000}, ports)
}

// Clients verify the host name that they connect to, so the certificate of the database covers the pooler's name in its short and
// its qualified forms.
func TestPostgres_certificateNamesPooler(t *testing.T) {
	t.Parallel()
	pooler := only(t, production+"/postgres/pooler.yaml", "Pooler")
	cluster := only(t, production+"/postgres/cluster.yaml", "Cluster")
	require.Equal(t, cluster.text("metadata", "name"), pooler.text("spec", "cluster", "name"))
	name := pooler.text("metadata", "name")
	namespace := objects(t, read(t, manifests+"/overlays/live/namespace.yaml"))[0].text("metadata", "name")
	require.Equal(t, []any{name, name + "." + namespace, name + "." + namespace + ".svc"},
		cluster.at("spec", "certificates", "serverAltDNSNames"))
	require.Contains(t, read(t, production+"/postgres/README.md"), "`"+name+"`")
}

// A rollout at the largest number of pods leaves connections for the migrations, whose roles have a limit, and for operators.
// Citus needs as many for its own connections between nodes.
func TestPostgres_connectionsOfRolloutFit(t *testing.T) {
	t.Parallel()
	const reserve = 20
	live := objects(t, read(t, manifests+"/overlays/live/values.yaml"))[0]
	limit, ok := live.at("database", "connectionLimit").(int)
	require.True(t, ok)
	cluster := only(t, production+"/postgres/cluster.yaml", "Cluster")
	most, err := strconv.Atoi(cluster.text("spec", "postgresql", "parameters", "max_connections"))
	require.NoError(t, err)
	roles, _ := cluster.at("spec", "managed", "roles").([]any)
	migrations := 0
	for _, entry := range roles {
		role, _ := entry.(object)
		connections, _ := role["connectionLimit"].(int)
		migrations += connections
	}
	require.Positive(t, migrations)
	require.GreaterOrEqual(t, most, limit+migrations+reserve)

	parameters, _ := objects(t, read(t, production+"/citus/node/patroni.yml"))[0].at("bootstrap", "dcs", "postgresql",
		"parameters").(object)
	shared, _ := parameters["citus.max_shared_pool_size"].(int)
	require.GreaterOrEqual(t, shared, limit+reserve)
	require.GreaterOrEqual(t, parameters["max_connections"], shared+reserve)
	require.Equal(t, parameters["max_connections"], parameters["max_prepared_transactions"])
}

// The written restore without an operator is that of the cluster test, which runs each step under its heading, in the order of
// the page. Only the names and the moment are the cluster test's own, and it archives the log with the arguments on the page.
func TestPostgres_plainRestoreRunAsWritten(t *testing.T) {
	t.Parallel()
	page, script := read(t, production+"/postgres/PLAIN.md"), read(t, clusterTest+"/restore.sh")
	var written []string
	for section := range strings.SplitSeq(page, "\n## ") {
		heading, text, _ := strings.Cut(section, "\n")
		if strings.Contains(text, "\n```sh\n") && heading != "Names" && heading != "5. Choose the moment" {
			written = append(written, heading)
		}
	}
	require.Len(t, written, 10)
	ran := regexp.MustCompile(`(?m)^  as_written "(.+)"$`).FindAllStringSubmatch(script, -1)
	headings := make([]string, len(ran))
	for n, found := range ran {
		headings[n] = found[1]
	}
	require.Equal(t, written, headings)

	arguments := regexp.MustCompile(`(?m)^args: \[-c, (archive_mode=on), -c, "(archive_command=.+)"\]$`).FindStringSubmatch(page)
	require.Len(t, arguments, 3)
	patched := read(t, clusterTest+"/dependencies/kustomization.yaml")
	for _, argument := range arguments[1:] {
		require.Regexp(t, `value: "?`+regexp.QuoteMeta(argument)+`"?\}`, patched)
	}
}

// PostgreSQL repeats the command for a segment until it succeeds, and archives the next ones only then. So a copy that was cut
// off must not count as archived or prevent the next attempt, and a segment whose success was not recorded may be there already.
func TestPostgres_archivesWholeSegments(t *testing.T) {
	t.Parallel()
	for path, folder := range map[string]string{"PLAIN.md": "../archive", "restored.yaml": "/restore/archived"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			command := regexp.MustCompile(`"archive_command=(.+?)"`).FindStringSubmatch(read(t, production+"/postgres/"+path))
			require.Len(t, command, 2)
			root, broken := t.TempDir(), t.TempDir()
			data, archive := root+"/data", root+"/archive"
			require.NoError(t, os.Mkdir(data, 0o700))
			require.NoError(t, os.WriteFile(broken+"/cp", []byte("#!/bin/sh\nfor to; do :; done\nhead -c 3 \"$1\" >\"$to\"\nexit 1\n"), 0o700)) //nolint:gosec // a program
			archived := func(segment, programs string) bool {
				text := strings.NewReplacer(folder, archive, "%p", "pg_wal/"+segment, "%f", segment).Replace(command[1])
				shell := exec.CommandContext(t.Context(), "sh", "-c", text)
				shell.Dir, shell.Env = data, append(os.Environ(), "PATH="+programs+os.Getenv("PATH"))
				return shell.Run() == nil
			}
			write := func(segment, content string) {
				require.NoError(t, os.MkdirAll(data+"/pg_wal", 0o700))
				require.NoError(t, os.WriteFile(data+"/pg_wal/"+segment, []byte(content), 0o600))
			}
			write("1", "first segment")
			require.False(t, archived("1", broken+":"), "the copy was cut off")
			require.NoFileExists(t, archive+"/1")
			require.True(t, archived("1", ""))
			require.Equal(t, "first segment", read(t, archive+"/1"))
			require.True(t, archived("1", ""), "it is there already")
			write("1", "of another database")
			require.False(t, archived("1", ""), "an archived segment is not replaced")
			require.Equal(t, "first segment", read(t, archive+"/1"))
		})
	}
}

// chartValues returns the YAML blocks with values for the chart in the READMEs of k8s, by page. It fails the test when a block
// has a value that the chart does not know.
func chartValues(t *testing.T) map[string][]string {
	t.Helper()
	known, _ := parsed(t)
	fenced := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
	all := map[string][]string{}
	require.NoError(t, filepath.WalkDir(manifests, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		for _, block := range fenced.FindAllStringSubmatch(read(t, path), -1) {
			var v values
			require.NoError(t, yaml.Unmarshal([]byte(block[1]), &v), path)
			if _, manifest := v["kind"]; manifest {
				continue
			}
			for name := range v {
				require.Contains(t, slices.Collect(maps.Keys(known)), name, "%s: the chart has no such value", path)
			}
			all[path] = append(all[path], block[1])
		}
		return nil
	}))
	return all
}

// The chart renders with the values that the pages show, on top of the values of a live installation.
func TestProduction_valuesOfPagesRender(t *testing.T) {
	t.Parallel()
	all := chartValues(t)
	for _, page := range []string{"postgres", "redis-cluster", "citus", "console"} {
		require.NotEmpty(t, all[production+"/"+page+"/README.md"], page)
	}
	for path, blocks := range all {
		for _, block := range blocks {
			file := filepath.Join(t.TempDir(), "values.yaml")
			require.NoError(t, os.WriteFile(file, []byte(block), 0o600))
			validate(t, objects(t, run(t, "helm", "template", "open-api", chart, "--namespace", "seller-open-api",
				"--values", manifests+"/overlays/live/values.yaml", "--values", file)))
		}
		require.NotEmpty(t, blocks, path)
	}
}

// The client at the OpenID provider fits the values of the page: the provider sends browsers back to the console and to nowhere
// else, requires PKCE, and gives the ID token the roles and the time of the sign-in.
func TestConsole_clientFitsValues(t *testing.T) {
	t.Parallel()
	var v struct {
		Console struct {
			PublicURL string `yaml:"publicURL"`
			OIDC      struct {
				ClientID string `yaml:"clientID"`
			}
		}
	}
	page := production + "/console/README.md"
	blocks := chartValues(t)[page]
	require.Len(t, blocks, 1)
	require.NoError(t, yaml.Unmarshal([]byte(blocks[0]), &v))
	var client struct {
		ClientID     string            `json:"clientId"`
		RedirectURIs []string          `json:"redirectUris"`
		Attributes   map[string]string `json:"attributes"`
		Public       bool              `json:"publicClient"`
		Mappers      []struct {
			Config map[string]string `json:"config"`
		} `json:"protocolMappers"`
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, production+"/console/keycloak-client.json")), &client))
	require.Equal(t, v.Console.OIDC.ClientID, client.ClientID)
	require.Equal(t, []string{v.Console.PublicURL + "/sign-in/callback"}, client.RedirectURIs)
	require.Equal(t, "S256", client.Attributes["pkce.code.challenge.method"])
	require.False(t, client.Public)
	claims := make([]string, 0, len(client.Mappers))
	for _, mapper := range client.Mappers {
		require.Equal(t, "true", mapper.Config["id.token.claim"])
		claims = append(claims, mapper.Config["claim.name"])
	}
	defaults, _ := parsed(t)
	console, _ := defaults["console"].(values)
	oidc, _ := console["oidc"].(values)
	require.Equal(t, []any{oidc["rolesClaim"], "auth_time"}, []any{claims[0], claims[1]})
	require.Len(t, claims, 2)
	for _, service := range delivered { // the live overlay has TLS, and a certificate for each
		require.Contains(t, read(t, production+"/tls/certificates.yaml"), "secretName: open-api-"+service+"-tls\n")
	}
}

// Lost nodes are tainted. They must not count in the topology spread, where a zone or machine of lost nodes would keep pods from
// starting elsewhere.
func TestProduction_spreadLeavesOutLostNodes(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, o := range slices.Concat([]object{only(t, production+"/postgres/pooler.yaml", "Pooler")},
		built(t, manifests+"/overlays/live"), built(t, production+"/redis-cluster"), built(t, production+"/citus")) {
		constraints, _ := o.at("spec", "template", "spec", "topologySpreadConstraints").([]any)
		for _, entry := range constraints {
			constraint, _ := entry.(object)
			require.Equal(t, "Honor", constraint.text("nodeTaintsPolicy"), "%s by %s", o.name(), constraint.text("topologyKey"))
			seen++
		}
	}
	require.Greater(t, seen, 5)
}

// restored are the passages of cluster.yaml that differ in restore.yaml, and how often each occurs.
var restored = []struct {
	count    int
	old, new string
}{
	{1, `# PostgreSQL with three instances, managed by the operator CloudNativePG. An example to be sized and completed: storage classes,
# parameters for the machines. A commit is acknowledged when one replica also has it, so that a failover loses nothing that was
# acknowledged to a client.
`, `# The database as it was at a moment, beside the running one; README.md explains how it replaces that. It is rendered from cluster.yaml
# by "make generate"; only set the time. Not part of the kustomization: apply it manually.
`},
	{2, "\n  name: postgres\n", "\n  name: postgres-restored\n"},
	{1, "  # The certificate also covers the pooler's Service, because clients verify the host name.\n", ""},
	{1, "    initdb:\n", "    recovery:\n      source: postgres\n"},
	{1, `      encoding: UTF8
      localeCollate: C
      localeCType: C
      # Creates roles, schemas and privileges; the passwords come from the Secrets below.
      postInitApplicationSQLRefs:
        configMapRefs: [{name: postgres-schemas, key: schemas.sql}]
`, `      recoveryTarget: {targetTime: "2026-01-31 03:00:00+00"}
  externalClusters:
    - name: postgres
      plugin:
        name: barman-cloud.cloudnative-pg.io
        parameters: {barmanObjectName: postgres-backups, serverName: postgres}
`},
	{1, `  # A base backup a day and the continuously archived log, in the object store of backups.yaml: together they restore any moment of the
  # last thirty days; see README.md.
`, "  # Under its own name, so that the backups from which it is restored are not overwritten.\n"},
	{
		1, "      parameters: {barmanObjectName: postgres-backups}\n",
		"      parameters: {barmanObjectName: postgres-backups, serverName: postgres-restored}\n",
	},
	{1, "  cluster: {name: postgres}\n", "  cluster: {name: postgres-restored}\n"},
}

// restore.yaml is cluster.yaml with another beginning, so that a role or a parameter is added in one file.
func TestRestore_renderedFromCluster(t *testing.T) {
	t.Parallel()
	path, text := production+"/postgres/restore.yaml", read(t, production+"/postgres/cluster.yaml")
	for _, passage := range restored {
		require.Equal(t, passage.count, strings.Count(text, passage.old), passage.old)
		text = strings.ReplaceAll(text, passage.old, passage.new)
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	require.Equal(t, text, read(t, path), "run make generate")
}
