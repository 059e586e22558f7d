package charts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

func built(t *testing.T, folder string) []object {
	t.Helper()
	return objects(t, run(t, "kustomize", "build", folder))
}

var overlays = []string{"development", "live"}

func TestOverlays_acceptedByAPIServer(t *testing.T) {
	t.Parallel()
	for _, overlay := range overlays {
		t.Run(overlay, func(t *testing.T) {
			t.Parallel()
			all := append(built(t, filepath.Join(manifests, "overlays", overlay)),
				objects(t, read(t, filepath.Join(manifests, "overlays", overlay, "namespace.yaml")))...)
			namespace := ""
			for _, o := range all {
				if o.text("kind") == "Namespace" {
					namespace = o.text("metadata", "name")
				}
			}
			require.NotEmpty(t, namespace)
			for _, o := range all {
				require.True(t, o.text("kind") == "Namespace" || o.text("metadata", "namespace") == namespace, "%s is elsewhere", o.name())
			}
			validate(t, all)
			arguments := []string{
				"template", "open-api", chart, "--namespace", namespace, "--values",
				filepath.Join(manifests, "overlays", overlay, "values.yaml"),
			}
			validate(t, objects(t, run(t, "helm", arguments...)))
		})
	}
}

// alternatives are folders for production that are applied instead of parts of the live overlay.
var alternatives = []string{"production/redis-cluster", "production/citus"}

func TestAlternatives_acceptedByAPIServer(t *testing.T) {
	t.Parallel()
	for _, folder := range alternatives {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			all := built(t, filepath.Join(manifests, folder))
			require.NotEmpty(t, all)
			validate(t, all)
		})
	}
}

// The files that are applied one by one, and those for Argo CD, Flux and external-secrets, are accepted like what is part of an
// overlay: no field of an operator's objects is misspelt. Nothing in k8s is left out.
func TestManifests_acceptedByAPIServer(t *testing.T) {
	t.Parallel()
	var all []object
	require.NoError(t, filepath.WalkDir(manifests, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		for _, o := range objects(t, read(t, path)) {
			// Values of the chart, configuration of other programs, and kustomizations, which the tests above build.
			if o.text("kind") != "" && o.text("kind") != "Kustomization" {
				all = append(all, o)
			}
		}
		return nil
	}))
	kinds := map[string]bool{}
	for _, o := range all {
		kinds[o.text("kind")] = true
	}
	for _, kind := range []string{
		"Cluster", "ScheduledBackup", "ObjectStore", "Pooler", "Issuer", "Certificate", "ExternalSecret",
		"Application", "GitRepository",
	} {
		require.True(t, kinds[kind], kind)
	}
	validate(t, all)
}

func TestOverlays_podsRestrictedAndPinned(t *testing.T) {
	t.Parallel()
	folders := slices.Clone(alternatives)
	for _, overlay := range overlays {
		folders = append(folders, filepath.Join("overlays", overlay))
	}
	for _, folder := range folders {
		for _, o := range built(t, filepath.Join(manifests, folder)) {
			spec := podSpec(o)
			if spec == nil {
				continue
			}
			require.Equal(t, true, spec.at("securityContext", "runAsNonRoot"), o.name())
			require.Equal(t, "RuntimeDefault", spec.text("securityContext", "seccompProfile", "type"), o.name())
			for _, c := range spec.containers() {
				require.Equal(t, false, c.at("securityContext", "allowPrivilegeEscalation"), o.name())
				require.Equal(t, true, c.at("securityContext", "readOnlyRootFilesystem"), o.name())
				require.Equal(t, []any{"ALL"}, c.at("securityContext", "capabilities", "drop"), o.name())
				require.NotNil(t, c.at("resources", "limits", "memory"), o.name())
				require.Regexp(t, `:v?\d+\.\d+`, c.text("image"), "%s: no version", o.name())
				require.Nil(t, c.at("livenessProbe", "exec"), "%s: programs that are started every few seconds cost CPU", o.name())
				require.Nil(t, c.at("readinessProbe", "exec"), o.name())
			}
		}
	}
}

func TestRedisOverlays_persistAndNeverEvict(t *testing.T) {
	t.Parallel()
	development := read(t, manifests+"/dependencies/redis/redis.yaml")
	require.Contains(t, development, `--appendonly, "yes"`)
	require.Contains(t, development, `--maxmemory-policy, noeviction`)
	for _, file := range []string{"redis/redis.conf", "redis-cluster/start-node.sh"} {
		script := read(t, manifests+"/production/"+file)
		require.Contains(t, script, "appendonly yes")
		require.Contains(t, script, "maxmemory-policy noeviction")
	}
}

// Passwords and rate limit keys do not cross the network unencrypted, neither to clients nor between nodes and sentinels.
func TestRedis_speaksTLSAlone(t *testing.T) {
	t.Parallel()
	for file, port := range map[string]string{"redis.conf": "6379", "sentinel.conf": "26379"} {
		lines := strings.Split(read(t, manifests+"/production/redis/"+file), "\n")
		require.Subset(t, lines, []string{"port 0", "tls-port " + port, "tls-replication yes"}, file)
	}
}

// Losing a master together with its replica affects only the sellers whose keys it has.
func TestRedisCluster_servesWithoutFullCoverage(t *testing.T) {
	t.Parallel()
	require.Contains(t, read(t, manifests+"/production/redis-cluster/start-node.sh"), "cluster-require-full-coverage no")
}

// Each node of the distributed database is its own StatefulSet, with the name and group number by which Patroni knows it, and its
// Service has no selector, so that it routes only to the leader.
func TestCitus_nodesApart(t *testing.T) {
	t.Parallel()
	nodes, leaders := map[string]string{}, map[string]string{}
	for _, o := range built(t, manifests+"/production/citus") {
		switch o.text("kind") {
		case "StatefulSet":
			group := o.text("spec", "selector", "matchLabels", "citus-group")
			require.Equal(t, group, o.text("spec", "template", "metadata", "labels", "citus-group"))
			require.Equal(t, o.text("metadata", "name"), o.text("spec", "serviceName"))
			nodes[o.text("metadata", "name")] = group
		case "Service":
			require.Nil(t, o.at("spec", "selector"), "Patroni writes its endpoints")
			leaders[o.text("metadata", "name")] = o.text("metadata", "labels", "citus-group")
		case "PodDisruptionBudget":
			require.NotEmpty(t, o.text("spec", "selector", "matchLabels", "citus-group"))
		}
	}
	require.Equal(t, map[string]string{"citus-0": "0", "citus-1": "1", "citus-2": "2"}, nodes)
	require.Equal(t, nodes, leaders)
}

// A restore to a name replays the log from the backup on, so it needs one that ended before the restore point. pgBackRest by
// itself takes the latest. The backups are those that it listed of a database with two made before a restore point and one
// after it; only their times are moved apart.
func TestCitus_restoresFromBackupBeforeThePoint(t *testing.T) {
	t.Parallel()
	node := manifests + "/production/citus/node"
	const full, before, after = "20261127-001056F", "20261127-001056F_20261127-001102D", "20261127-001056F_20261127-001108D"
	at := func(text string) string {
		moment, err := time.Parse("20060102 15:04:05", text)
		require.NoError(t, err)
		return fmt.Sprintf(`"stop":%d}`, moment.Unix())
	}
	listed := strings.NewReplacer(`"stop":1795738261}`, at("20260125 02:00:00"), `"stop":1795738263}`, at("20260131 03:00:00"),
		`"stop":1795738270}`, at("20260131 03:00:01")).Replace(read(t, "testdata/pgbackrest-info.json"))
	for _, c := range []struct{ point, backup, problem string }{
		{"hour-20260131-04", after, ""},
		{"hour-20260131-03", before, ""},
		{"hour-20260131-02", full, ""},
		{"hour-20260125-02", full, ""},
		{"hour-20260125-01", "", "none of the 3 backups ended before hour-20260125-01"},
		{"before-upgrade", "", "the restore point 'before-upgrade' is not of the form hour-YYYYMMDD-HH"},
	} {
		command := exec.CommandContext(t.Context(), "python3", node+"/backup_before.py", c.point)
		command.Stdin = strings.NewReader(listed)
		var out, problem bytes.Buffer
		command.Stdout, command.Stderr = &out, &problem
		err := command.Run()
		require.Equal(t, c.problem == "", err == nil, c.point)
		require.Equal(t, c.backup, strings.TrimSpace(out.String()), c.point)
		require.Equal(t, c.problem, strings.TrimSpace(problem.String()), c.point)
	}
	require.Regexp(t, `(?m)^pgbackrest --delta --set="\$backup" --type=name .* restore$`, read(t, node+"/restore.sh"))
	for _, o := range built(t, manifests+"/production/citus") {
		if o.text("kind") == "ConfigMap" && strings.HasPrefix(o.text("metadata", "name"), "citus-settings") {
			require.NotEmpty(t, o.text("data", "backup_before.py"), o.name())
		}
	}
}

// A Redis whose container limit is too close to maxmemory is killed by the kernel instead of refusing new keys. The chart's
// README says how much more than maxmemory the container needs.
func TestRedisOverlays_containerHoldsMaxmemory(t *testing.T) {
	t.Parallel()
	for file, maxmemory := range map[string]string{
		"/dependencies/redis/redis.yaml":       `--maxmemory, (\d+)(mb|gb)`,
		"/production/redis/nodes.yaml":         `MAX_MEMORY, value: (\d+)(mb|gb)`,
		"/production/redis-cluster/nodes.yaml": `MAX_MEMORY, value: (\d+)(mb|gb)`,
	} {
		text := read(t, manifests+file)
		mebibytes := func(pattern string) int {
			found := regexp.MustCompile(pattern).FindStringSubmatch(text)
			require.Len(t, found, 3, "%s: %s", file, pattern)
			number, err := strconv.Atoi(found[1])
			require.NoError(t, err)
			if strings.HasPrefix(strings.ToLower(found[2]), "g") {
				number *= 1024
			}
			return number
		}
		limit := mebibytes(`limits: \{memory: (\d+)(Mi|Gi)\}`)
		require.GreaterOrEqual(t, limit, mebibytes(maxmemory)*3/2+64, file)
	}
}

// Every schema has two roles, the service's and the owner's, also in the production cluster.
func TestSchemas_twoRolesInProduction(t *testing.T) {
	t.Parallel()
	sql := read(t, manifests+"/schemas/schemas.sql")
	cluster := read(t, manifests+"/production/postgres/cluster.yaml")
	for _, service := range services {
		require.Contains(t, sql, "'"+service+"'")
		for _, role := range []string{service, service + "_owner"} {
			require.Contains(t, cluster, "{name: "+role+", ensure: present")
			require.Contains(t, cluster, "{name: postgres-"+strings.ReplaceAll(role, "_", "-")+"}")
		}
	}
}

func TestDevelopmentOverlay_dashboardsAndRules(t *testing.T) {
	t.Parallel()
	var shown, loaded []string
	for _, o := range built(t, manifests+"/overlays/development") {
		if o.text("kind") != "ConfigMap" {
			continue
		}
		files, _ := o.at("data").(object)
		for name := range files {
			if strings.HasSuffix(name, ".json") {
				shown = append(shown, name)
			}
			if strings.HasPrefix(o.text("metadata", "name"), "seller-open-api-rules") {
				loaded = append(loaded, name)
			}
		}
		remembered, err := json.Marshal(o)
		require.NoError(t, err)
		require.Less(t, len(remembered), 200<<10, "%s: kubectl apply remembers at most 256 KiB", o.name())
	}
	require.ElementsMatch(t, bases(glob(t, chart+"/dashboards/*.json")), shown)
	require.ElementsMatch(t, bases(glob(t, alerts+"/[^k]*.yaml")), loaded)
	grafana := read(t, manifests+"/dependencies/grafana/grafana.yaml")
	made := regexp.MustCompile(`\{name: (dashboard-[a-z]+),`).FindAllStringSubmatch(read(t,
		chart+"/dashboards/kustomization.yaml"), -1)
	require.NotEmpty(t, made)
	for _, name := range made {
		require.Contains(t, grafana, "configMap: {name: "+name[1]+"}")
	}
}

// The link from a slow bucket to its trace works: it depends on the exemplar's label, the store in which Grafana looks the
// trace up, and the collector that sends traces there.
func TestDevelopmentOverlay_exemplarsLeadToTraces(t *testing.T) {
	t.Parallel()
	var file struct {
		Datasources []struct {
			UID      string `yaml:"uid"`
			Type     string `yaml:"type"`
			URL      string `yaml:"url"`
			JSONData struct {
				Exemplars []map[string]string `yaml:"exemplarTraceIdDestinations"`
			} `yaml:"jsonData"`
		} `yaml:"datasources"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, manifests+"/dependencies/grafana/datasources.yaml")), &file))
	require.Len(t, file.Datasources, 2)
	traces := file.Datasources[1]
	require.Equal(t, "tempo", traces.Type)
	require.Equal(t, []map[string]string{{"name": "trace_id", "datasourceUid": traces.UID}}, file.Datasources[0].JSONData.Exemplars)
	require.Contains(t, read(t, manifests+"/dependencies/collector/config.yaml"), `endpoint: "tempo:4317"`)
	require.Contains(t, read(t, manifests+"/dependencies/prometheus/prometheus.yaml"), "exemplar-storage")
	ports := map[string]bool{}
	for _, o := range built(t, manifests+"/dependencies/tempo") {
		if o.name() == "Service//tempo" {
			ports["http://tempo:3200"], ports["tempo:4317"] = hasPort(o, 3200), hasPort(o, 4317)
		}
	}
	require.Equal(t, map[string]bool{traces.URL: true, "tempo:4317": true}, ports)
}

func bases(paths []string) []string {
	names := slices.Clone(paths)
	for n, path := range names {
		names[n] = filepath.Base(path)
	}
	return names
}

func TestPrometheusJobs_sameNamesInBothSetups(t *testing.T) {
	t.Parallel()
	const name = "seller-open-api-$1"
	require.Contains(t, read(t, manifests+"/dependencies/prometheus/prometheus.yml"), "replacement: "+name)
	require.Contains(t, read(t, chart+"/templates/servicemonitor.yaml"), "replacement: "+name)
}
