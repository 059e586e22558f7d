package charts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// The chart has its own list of the services behind the gateway; a service that is missing there would not be installed.
func TestServices_installedWhole(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	for _, o := range rendered(t, "minimal") {
		there[o.text("kind")+" "+o.text("metadata", "name")] = true
	}
	for _, service := range services {
		for _, kind := range []string{
			"ServiceAccount", "Service", "Deployment", "HorizontalPodAutoscaler",
			"PodDisruptionBudget", "NetworkPolicy",
		} {
			require.True(t, there[kind+" soa-seller-open-api-"+service], "%s %s", kind, service)
			delete(there, kind+" soa-seller-open-api-"+service)
		}
		require.True(t, there["Job soa-seller-open-api-"+service+"-migrate"], service)
	}
	for name := range there {
		require.False(t, strings.HasPrefix(name, "Deployment "), "%s is no service", name)
	}
}

// The console is installed where it is enabled, without a migration, because it has no schema. The network policies of the
// services that it calls admit it, and the alert on a service without an instance expects it.
func TestConsole_installedWhole(t *testing.T) {
	t.Parallel()
	there := map[string]object{}
	for _, o := range rendered(t, "console", "--set", "monitoring.prometheusRule.enabled=always") {
		there[o.text("kind")+" "+strings.TrimPrefix(o.text("metadata", "name"), "soa-seller-open-api-")] = o
	}
	for _, kind := range []string{
		"ServiceAccount", "Service", "Deployment", "HorizontalPodAutoscaler", "PodDisruptionBudget", "NetworkPolicy",
	} {
		require.Contains(t, there, kind+" console")
	}
	require.NotContains(t, there, "Job console-migrate")
	for _, service := range services {
		policy, err := yaml.Marshal(there["NetworkPolicy "+service].at("spec", "ingress"))
		require.NoError(t, err)
		require.Contains(t, string(policy), "component: console", service)
	}
	expected, err := yaml.Marshal(there["PrometheusRule rules"].at("spec"))
	require.NoError(t, err)
	require.Contains(t, string(expected), "job: seller-open-api-console")
}

// The gateway responds with 503 for a service whose address it is not given, and cannot reach a service without a network policy.
func TestGateway_reachesEveryService(t *testing.T) {
	t.Parallel()
	variables := environment(t, container(t, "minimal", "Deployment", "gateway"))
	var called []string
	for _, o := range rendered(t, "minimal") {
		if o.name() != "NetworkPolicy/shop/soa-seller-open-api-gateway" {
			continue
		}
		rules, _ := o.at("spec", "egress").([]any)
		for _, entry := range rules {
			rule, _ := entry.(object)
			targets, _ := rule.at("to").([]any)
			for _, target := range targets {
				pod, _ := target.(object)
				if component := pod.text("podSelector", "matchLabels", "app.kubernetes.io/component"); component != "" {
					called = append(called, component)
				}
			}
		}
	}
	require.ElementsMatch(t, services[1:], called)
	upstreams := make([]string, 0, len(services))
	for _, service := range services[1:] {
		upstreams = append(upstreams, service+"=http://soa-seller-open-api-"+service+":8080")
	}
	require.Contains(t, variables, "UPSTREAMS="+strings.Join(upstreams, ","))
}

// Artifact Hub cannot render the chart, because some values are required, so it scans the images that Chart.yaml names.
func TestChart_namesEveryImage(t *testing.T) {
	t.Parallel()
	var file struct {
		AppVersion  string            `yaml:"appVersion"`
		Annotations map[string]string `yaml:"annotations"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, chart+"/Chart.yaml")), &file))
	var named []struct{ Name, Image string }
	require.NoError(t, yaml.Unmarshal([]byte(file.Annotations["artifacthub.io/images"]), &named))
	images := make([]string, len(named))
	for n, one := range named {
		images[n] = one.Image
		require.Equal(t, "registry.sellerapi.dev/"+one.Name+":"+file.AppVersion, one.Image)
	}
	want := make([]string, len(delivered))
	for n, service := range delivered {
		want[n] = container(t, leastOf(service), "Deployment", service).text("image")
	}
	require.ElementsMatch(t, want, images)
}

// `make release` edits these lines.
func TestChart_canBePinned(t *testing.T) {
	t.Parallel()
	values := read(t, chart+"/values.yaml")
	for _, line := range []string{"registry: registry.sellerapi.dev", "digests: {}"} {
		require.Equal(t, 1, strings.Count(values, "\n  "+line+"\n"), line)
	}
}

// Every dashboard of the chart is installed in its own ConfigMap.
func TestDashboards_eachInConfigMap(t *testing.T) {
	t.Parallel()
	files := glob(t, chart+"/dashboards/*.json")
	want, got := make([]string, 0, len(files)), make([]string, 0, len(files))
	for _, path := range files {
		want = append(want, filepath.Base(path))
	}
	for _, o := range rendered(t, "minimal", "--set", "monitoring.dashboards.enabled=always") {
		if files, ok := o.at("data").(object); ok && o.text("kind") == "ConfigMap" {
			require.Len(t, files, 1, o.name())
			for name := range files {
				got = append(got, name)
			}
		}
	}
	require.ElementsMatch(t, want, got)
}

// The connection limit must suffice for all replicas of all services, for the additional pods of each during a rollout, and for
// the replaced pods that finish their requests: a Deployment starts the next pod without waiting for these to end.
func TestConnections_allCounted(t *testing.T) {
	t.Parallel()
	v, _ := parsed(t)
	defaults, _ := v["defaults"].(values)
	autoscaling, _ := defaults["autoscaling"].(values)
	pods, ok := autoscaling["maxReplicas"].(int)
	require.True(t, ok)
	connections, ok := defaults["databaseMaxConns"].(int)
	require.True(t, ok)
	for _, c := range []struct {
		name, set                   string
		surplus, terminating, added int
	}{
		// Nothing limits how fast new pods replace old ones: all of these may finish their requests at the same time.
		{"no pause", "", 1, pods, 0},
		// Of the old pods that stop every ten seconds, those of the last 5 + 35 seconds are finishing their requests.
		{"a pause", "defaults.minReadySeconds=10", 1, 4, 0},
		{"a longer wait", "defaults.minReadySeconds=10,defaults.drainWaitSeconds=6", 1, 5, 0},
		{"one slower service", "defaults.minReadySeconds=10,orders.drainWaitSeconds=15", 1, 4, 1},
		{"two at a time", "defaults.minReadySeconds=10,defaults.strategy.rollingUpdate.maxSurge=2", 2, 8, 0},
		{"a quarter at a time", "defaults.minReadySeconds=20,defaults.strategy.rollingUpdate.maxSurge=25%", 2, 4, 0},
		{"one less", "defaults.minReadySeconds=20,defaults.strategy.rollingUpdate.maxSurge=0," +
			"defaults.strategy.rollingUpdate.maxUnavailable=1", 0, 2, 0},
		{"no more than there are", "defaults.minReadySeconds=1", 1, pods, 0},
		{"recreated", "defaults.strategy.type=Recreate", 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			most := (len(services)*(pods+c.surplus+c.terminating) + c.added) * connections
			limited := func(limit int) outcome { // the console has no connections
				return try(t, "helm", "template", "soa", chart, "--values", chart+"/ci/console-values.yaml",
					"--set", fmt.Sprintf("database.connectionLimit=%d", limit), "--set", c.set)
			}
			require.NoError(t, limited(most).err)
			require.Contains(t, limited(most-1).problem, fmt.Sprintf("may open %d connections, %d are allowed", most, most-1))
		})
	}
}

// One service enforces a period and the gateway documents it for developers. Both get it; otherwise the page of settings would be
// wrong.
func TestPeriods_reachOwnerAndGateway(t *testing.T) {
	t.Parallel()
	for _, period := range []struct{ owner, variable string }{
		{"orders", "CONFIRM_AFTER=240h"},
		{"orders", "CONFIRM_AFTER_CLAIM=48h"},
		{"claims", "REQUEST_PERIOD=336h"},
		{"claims", "INSPECTION_PERIOD=96h"},
		{"claims", "PAYMENT_PERIOD=120h"},
	} {
		for _, service := range services {
			variables := environment(t, container(t, "everything", "Deployment", service))
			if service == "gateway" || service == period.owner {
				require.Contains(t, variables, period.variable, service)
			} else {
				require.NotContains(t, variables, period.variable, service)
			}
		}
	}
}
