package vocabulary_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/vocabulary"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func TestExpression_unknownMetricsNamed(t *testing.T) {
	t.Parallel()
	v, err := vocabulary.New(telemetrytest.Discard(t).Registry)
	require.NoError(t, err)
	v.Record("seller_open_api:requests:rate5m", "namespace", "class")
	for _, good := range []string{
		`up{job=~"$job"}`,
		`sum by (route, le) (rate(http_request_duration_seconds_bucket{namespace=~"$namespace"}[$__rate_interval]))`,
		`process_resident_memory_bytes / go_gc_gomemlimit_bytes`,
		`seller_open_api:requests:rate5m{class="read"}`,
		`http_requests_total{job="seller-open-api-qna", method="POST", route!="unmatched", route!~".+/batch/.+"}`,
		`upstream_requests_total{upstream=~"orders|claims"}`,
	} {
		require.NoError(t, v.Check(good))
	}
	for bad, problem := range map[string]string{
		`sum(`:                                    "parse error",
		`http_request_total`:                      `no exporter has the metric "http_request_total"`,
		`http_request_duration_seconds`:           `no exporter has the metric "http_request_duration_seconds"`,
		`http_requests_total{path="/"}`:           `http_requests_total has no label "path"`,
		`sum by (seller) (http_requests_total)`:   `grouped by "seller"`,
		`seller_open_api:requests:rate5m{job=""}`: `has no label "job"`,
		`http_requests_total{method="DELETE"}`:    "there is no such method",
		`http_requests_total{route!~".+/bulk"}`:   "the route that is left out does not exist",
		`limit_decisions_total{class="write"}`:    "there is no such class",
		`upstream_requests_total{upstream="q&a"}`: "there is no such upstream",
	} {
		require.ErrorContains(t, v.Check(bad), problem)
	}
}
