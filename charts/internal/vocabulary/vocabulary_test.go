package vocabulary_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/vocabulary"
	"sellerapi.dev/pkg/telemetry"
)

func TestAnExpressionIsHeldAgainstWhatIsExported(t *testing.T) {
	t.Parallel()
	v, err := vocabulary.New(telemetry.Discard(t).Registry)
	require.NoError(t, err)
	v.Record("seller_open_api:requests:rate5m", "namespace", "class")
	for _, good := range []string{
		`up{job=~"$job"}`,
		`sum by (route, le) (rate(http_request_duration_seconds_bucket{namespace=~"$namespace"}[$__rate_interval]))`,
		`process_resident_memory_bytes / go_gc_gomemlimit_bytes`,
		`seller_open_api:requests:rate5m{class="read"}`,
	} {
		require.NoError(t, v.Check(good))
	}
	for bad, problem := range map[string]string{
		`sum(`:                                    "parse error",
		`http_request_total`:                      `nobody exports "http_request_total"`,
		`http_request_duration_seconds`:           `nobody exports "http_request_duration_seconds"`,
		`http_requests_total{path="/"}`:           `http_requests_total has no label "path"`,
		`sum by (seller) (http_requests_total)`:   `grouped by "seller"`,
		`seller_open_api:requests:rate5m{job=""}`: `has no label "job"`,
	} {
		require.ErrorContains(t, v.Check(bad), problem)
	}
}
