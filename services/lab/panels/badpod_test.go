package panels_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/lab/panels"
)

const (
	// podCount is the number of gateways, of which badPod becomes slow.
	podCount, badPod = 8, 3
	badPodName       = "gateway-3"
	// podScrape is the interval at which they are scraped, a fifteenth of the chart's.
	podScrape = time.Second
	// slowRedis is by how much each command of the slow gateway takes longer.
	slowRedis = 900 * time.Millisecond
	pace      = 100 * time.Millisecond
	// namedWithin is the time within which the dashboards have to show the slow pod.
	namedWithin = time.Minute
	// stands is by how much the slow pod has to stand above every other one: all are slow on a machine that is too busy.
	stands = 2
)

// podVariables replaces the variables of a dashboard for a split by pod. $__rate_interval is four scrapes, as in Grafana.
var podVariables = strings.NewReplacer("$__rate_interval", (4 * podScrape).String(), "$namespace", "live", "$pod",
	".*", "$split", "pod")

// showsPods are the panels that show how slow each pod is, with a value that a healthy pod does not exceed, also on a busy
// machine: seconds, and the share of responses that are slower than the objective.
var showsPods = []struct {
	dashboard, panel string
	healthy          float64
}{
	{"seller-open-api-overview", "Slowest pods", .5},
	{"seller-open-api-overview", "Slowness by pod", .5},
	{"seller-open-api-gateway", "95th percentile", .5},
	{"seller-open-api-gateway", "99th percentile of commands", .5},
}

// Eight gateways in processes of their own, with the labels that the ServiceMonitor gives to pods, are under load. The
// connections of one of them to Redis become slow. Within a minute the panels that show pods, or can be split by pod, show this
// pod above what is healthy, and far above every other, and the slow buckets of the heat map lead to traces of its slow calls.
func TestBadPod_ofEightNamedWithinAMinute(t *testing.T) {
	t.Parallel()
	folder, err := servicetest.Build("sellerapi.dev/services/gateway/cmd/gateway")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	program := filepath.Join(folder, "gateway")
	environment, redis := podSettings(t)
	path := redistest.NewPath(t, redis)
	var configuration strings.Builder
	fmt.Fprintf(&configuration,
		"global: {scrape_interval: %s}\nscrape_configs:\n  - job_name: seller-open-api-gateway\n    static_configs:\n", podScrape)
	for n := range podCount {
		server := redis
		if n == badPod {
			server = path.URL()
		}
		pod := startPod(t, program, append(environment.all, "REDIS_URL="+server.Reveal()))
		fmt.Fprintf(&configuration, "      - {targets: [%q], labels: {namespace: live, pod: gateway-%d}}\n",
			pod.Address(service.OpsListener), n)
		keepCalling(t, "http://"+pod.Address("public")+"/open/v1/orders", environment.key)
	}
	server, err := launch.Prometheus(t.Context(), filepath.Join(t.TempDir(), "prometheus"), configuration.String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	prometheus, err := panels.Open(server.URL)
	require.NoError(t, err)
	queries := podQueries(t)
	for title, query := range queries {
		stacktest.Await(t, title+" shows all pods, none of them as the slow one", func() bool {
			pods := podsOf(t, prometheus, query.expression)
			return len(pods) == podCount && query.named(pods) == ""
		})
	}

	path.Delay(slowRedis)
	began := time.Now()
	for title, query := range queries {
		require.Eventually(t, func() bool {
			return query.named(podsOf(t, prometheus, query.expression)) == badPodName
		}, namedWithin-time.Since(began), podScrape/4, "%s: %s", title, query.expression)
	}
	t.Logf("named by every panel after %s", time.Since(began).Round(podScrape/10))
	requireTrace(t, prometheus, environment.spans, began)
}

// requireTrace waits until an exemplar of a slow bucket of the heat map leads to the trace of a slow call.
func requireTrace(t *testing.T, prometheus panels.Prometheus, spans *telemetrytest.Collector, since time.Time) {
	t.Helper()
	heat := panelQuery(t, "seller-open-api-gateway", "Response time")
	stacktest.Await(t, "a slow bucket leads to its trace", func() bool {
		found, err := prometheus.Exemplars(t.Context(), heat, since)
		require.NoError(t, err)
		return slices.ContainsFunc(found, func(series v1.ExemplarQueryResult) bool {
			return series.SeriesLabels["pod"] == badPodName && slices.ContainsFunc(series.Exemplars, func(e v1.Exemplar) bool {
				return float64(e.Value) >= slowRedis.Seconds() && slowTrace(spans.Trace(string(e.Labels["trace_id"])))
			})
		})
	})
}

func slowTrace(spans telemetrytest.Trace) bool {
	return slices.ContainsFunc(spans, func(span telemetrytest.Span) bool {
		return span.Service == "gateway" && span.Kind == telemetrytest.Server && span.End.Sub(span.Start) >= slowRedis
	})
}

// podQuery is the expression of a panel, and the value that a healthy pod does not exceed.
type podQuery struct {
	expression string
	healthy    float64
}

// named returns the pod that is above what is healthy and stands out from all others; empty if none does.
func (q podQuery) named(pods map[string]float64) string {
	for pod, value := range pods {
		out := value > q.healthy
		for other, less := range pods {
			out = out && (other == pod || value >= stands*less)
		}
		if out {
			return pod
		}
	}
	return ""
}

func panelQuery(t *testing.T, uid, title string) string {
	t.Helper()
	all, err := panels.Read(dashboards)
	require.NoError(t, err)
	for _, dashboard := range all {
		for _, panel := range dashboard.Panels {
			if dashboard.UID == uid && panel.Title == title {
				return podVariables.Replace(panel.Targets[0].Expr)
			}
		}
	}
	require.Fail(t, "no panel", "%s: %s", uid, title)
	return ""
}

func podQueries(t *testing.T) map[string]podQuery {
	t.Helper()
	queries := map[string]podQuery{}
	for _, wanted := range showsPods {
		queries[wanted.dashboard+": "+wanted.panel] = podQuery{panelQuery(t, wanted.dashboard, wanted.panel), wanted.healthy}
	}
	return queries
}

func podsOf(t *testing.T, prometheus panels.Prometheus, expression string) map[string]float64 {
	t.Helper()
	found, err := prometheus.Now(t.Context(), expression)
	require.NoError(t, err)
	pods := map[string]float64{}
	for _, sample := range found {
		pod := string(sample.Metric["pod"])
		pods[pod] = max(pods[pod], float64(sample.Value))
	}
	return pods
}

// podEnvironment has the environment variables of gateways, without the one of Redis, a key that they accept, and what receives
// the traces of half of their calls.
type podEnvironment struct {
	all   []string
	key   string
	spans *telemetrytest.Collector
}

// podSettings starts a system and returns the settings of further gateways in front of its services, and the URL of its Redis.
func podSettings(t *testing.T) (podEnvironment, secret.Text) {
	t.Helper()
	secrets, err := stack.NewSecrets()
	require.NoError(t, err)
	var config stack.Config
	upstreams := map[string]string{}
	s := stacktest.Own(t, func(c *stack.Config) {
		c.Secrets = secrets
		c.Published = func(name, port, address string) string {
			if port == "public" {
				upstreams[name] = name + "=" + address
			}
			return address
		}
		config = *c
	})
	private, trusted, err := secrets.Keys()
	require.NoError(t, err)
	return podEnvironment{key: s.Seller(t).Key, spans: s.Spans, all: []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + s.Spans.Address(), "TRACE_SAMPLE_RATIO=0.5",
		"ENVIRONMENT=test", "KEY_PEPPER=" + secrets.KeyPepper.Reveal(), "KEY_ENCRYPTION_KEYSET=" + secrets.KeyKeyset.Reveal(),
		"SIGNING_KEY=" + private[trust.Gateway].Reveal(), "TRUSTED_KEYS=" + trusted.String(),
		"DATABASE_URL=" + config.DatabaseURL.Reveal(), "DATABASE_MAX_CONNS=4", "UPSTREAMS=" + upstreams["orders"],
		"RATE_READ=1000000", "RATE_ROWS=10000000", "RATE_TIMEOUT=20s",
		"LISTEN=" + service.Listen{Public: "127.0.0.1:0", RPC: "127.0.0.1:0", Ops: "127.0.0.1:0"}.String(),
	}}, config.RedisURL
}

func startPod(t *testing.T, program string, environment []string) *servicetest.Process {
	t.Helper()
	pod := servicetest.New(t, func(service.Addresses) *exec.Cmd {
		command := exec.CommandContext(t.Context(), program, "serve")
		command.Env = environment
		return command
	})
	pod.Start()
	return pod
}

func keepCalling(t *testing.T, address, key string) {
	t.Helper()
	const clients = 2
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for tick := time.NewTicker(pace); ctx.Err() == nil; <-tick.C {
				request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
				if err != nil {
					panic(err) // the address is that of a running service
				}
				request.Header.Set("X-Api-Key", key)
				response, err := http.DefaultClient.Do(request)
				if err != nil {
					continue // the test has ended, or the pod does not accept calls yet
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
		})
	}
	t.Cleanup(func() { cancel(); running.Wait() })
}
